/** The times with which syslog lines begin: `Mar  1 12:00:01`, with a year or a fraction; a weekday and a date; an epoch. */
const TIME = [
  String.raw`[A-Z][a-z]{2} [ \d]?\d (?:\d{4} )?\d\d:\d\d:\d\d(?:[.,]\d+)?`,
  String.raw`[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:[.,]\d+)? \S+`,
  String.raw`\d{10}\.\d{6}`,
].join('|')

const ISO_TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[-+]\d\d:?\d\d)`

const HOST = String.raw`[^\s:[\]]+(?::[^\s[\]]*[^\s:[\]])?`
const TAG = String.raw`[^\s:[\]]+`
const PID = String.raw`\[[^\]\s]{1,64}\]`

/**
 * A header whose time only syslog writes. The tag may be without a process id, or, with one, contain spaces; programs on
 * the same machine leave the host out.
 */
const TIMED = new RegExp(
  String.raw`^(?:<\d{1,3}>)?(?:${TIME}) (?:${HOST} ${TAG}(?:${PID})?|(?:${HOST} )?[^:[\]\n]{1,64}\[\d+\]): ?`,
)

/**
 * A header with an ISO 8601 time, or with none because the reader has taken an RFC 3339 time off. Other programs begin
 * lines in a similar way, so it must have a process id, or be the kernel's.
 */
const UNTIMED = new RegExp(String.raw`^(?:<\d{1,3}>)?(?:${ISO_TIME} )?${HOST} (?:${TAG}\[\d+\]|kernel): ?`)

/**
 * The text after the header of RFC 3164 and of `journalctl`: `<time> <host> <tag>[<pid>]:`.
 *
 * @example
 * messageOfSyslog('Mar  1 12:00:01 db postgres[7]: FATAL:  the database system is starting up')
 */
export function messageOfSyslog(text: string): string | undefined {
  const header = (mayBeTimed(text) ? TIMED.exec(text) : null) ?? (mayBeUntimed(text) ? UNTIMED.exec(text) : null)
  return header === null ? undefined : text.slice(header[0].length)
}

// Most texts are not in an envelope. Looking at a few characters first takes a tenth of the time of an expression.

/** A priority, the space after the name of a month or a weekday, or the dot of an epoch. */
function mayBeTimed(text: string): boolean {
  return text.startsWith('<') || text[3] === ' ' || text[10] === '.'
}

/** A priority, the T of an ISO 8601 time, or a second word that ends with a colon. */
function mayBeUntimed(text: string): boolean {
  return text.startsWith('<') || text[10] === 'T' || text[text.indexOf(' ', text.indexOf(' ') + 1) - 1] === ':'
}

/** `<pri>1 <time> <host> <app> <pid> <msgid> <structured data>`. In structured data a backslash escapes quotes. */
const RFC_5424 = new RegExp(
  String.raw`^<\d{1,3}>\d{1,2} (?:${ISO_TIME}|-) \S+ \S+ \S+ \S+ ` +
    String.raw`(?:-|(?:\[[^\s=\]"]+(?: [^\s=\]"]+="[^"\\]*(?:\\[^][^"\\]*)*")*\])+)(?: \ufeff?|$)`,
)

/** The text after the header of RFC 5424, without a byte order mark. */
export function messageOfSyslog5424(text: string): string | undefined {
  if (!text.startsWith('<')) return undefined
  const header = RFC_5424.exec(text)
  return header === null ? undefined : text.slice(header[0].length)
}
