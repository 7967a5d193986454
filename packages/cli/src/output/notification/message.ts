import { formatCount } from '../../console/text/amounts.js'

/** A problem in a notification. */
export interface NotifiedProblem {
  readonly id: string
  /** `critical` to `info`. */
  readonly severity: string
  readonly title?: string
  /** How many times it was detected. */
  readonly hits: number
  /** When it was first seen: RFC 3339. */
  readonly first: string
  /** The containers of pods in which it was found: `namespace/pod/container`. At most `MOST_PLACES`. */
  readonly places?: readonly string[]
}

/** The largest number of containers in a notification; the report has all of them. */
export const MOST_PLACES = 100

/** The content of a notification about a run or a batch. */
export interface NotificationMessage {
  /** The label given with `-o`; may be empty. */
  readonly prefix: string
  readonly host: string
  /** In the order in which they are shown. */
  readonly problems: readonly NotifiedProblem[]
  /** The name of the report file. */
  readonly reportName?: string
}

/** The parts of the line for a problem, as plain text. */
export interface ProblemLine {
  readonly badge: string
  readonly id: string
  readonly severity: string
  /** The title from the rule, which is untrusted; may be empty. */
  readonly title: string
  /** `[3 hits @ 2026-03-01T12:00:01Z] in shop/web-1/app and 2 more`; needs no escaping. */
  readonly detail: string
}

const BADGES: Readonly<Record<string, string>> = { critical: '🔴', high: '🟠', medium: '🟡', low: '🔵', info: '⚪' }

/** Longer strings are cut, so that every line is within the limits of every service. */
const LONGEST = {
  id: 80,
  severity: 20,
  title: 200,
  first: 40,
  place: 200,
  prefix: 200,
  host: 120,
  reportName: 200,
} as const

/**
 * The first line: the prefix, the number of problems and the host.
 *
 * @example
 * describeHeading({ prefix: 'nightly: ', host: 'web-1', problems })   // 'nightly: 2 problems on web-1'
 */
export function describeHeading({ prefix, host, problems }: NotificationMessage): string {
  const count = formatCount(problems.length, 'problem')
  const where = host === '' ? '' : ` on ${clean(host, LONGEST.host)}`
  const label = clean(prefix, LONGEST.prefix)
  return label === '' ? `omen: ${count}${where}` : `${label} ${count}${where}`
}

/** The last line, if there is a report. */
export function describeReport({ reportName }: NotificationMessage): string | undefined {
  return reportName === undefined ? undefined : `Report: ${clean(reportName, LONGEST.reportName)}`
}

/** The line of a problem, with strings from the rule escaped and its id emphasised. */
export function writeLine(problem: NotifiedProblem, escapeText: (text: string) => string, strong: string): string {
  const { badge, id, severity, title, detail } = describeProblem(problem)
  const name = title === '' ? '' : `${escapeText(title)} `
  return `${badge} ${strong}${escapeText(id)}${strong} ${escapeText(severity)} ${name}${detail}`
}

/** The line that replaces the problems that do not fit. */
export function describeRest(count: number): string {
  return `… and ${count} more`
}

/**
 * The line of a problem: id, severity, title, number of hits and first time.
 *
 * @example
 * const { id, severity, title, detail } = describeProblem(problem)
 * `${id} ${severity} ${title} ${detail}`   // 'CRE-2026-0001 critical Kafka lost its leader [3 hits @ 2026-03-01T12:00:01Z]'
 */
export function describeProblem({ id, severity, title = '', hits, first, places }: NotifiedProblem): ProblemLine {
  return {
    badge: BADGES[severity] ?? '⚪',
    id: clean(id, LONGEST.id),
    severity: clean(severity, LONGEST.severity),
    title: clean(title, LONGEST.title),
    detail: `[${formatCount(hits, 'hit')} @ ${clean(first, LONGEST.first).replace(/[^\w:.+-]/g, '')}]${describePlaces(places)}`,
  }
}

function describePlaces(places: readonly string[] = []): string {
  const [first] = places
  if (first === undefined) return ''
  const others = places.length > 1 ? ` and ${places.length - 1} more` : ''
  return ` in ${clean(first, LONGEST.place).replace(/[^\w./-]/g, '')}${others}`
}

/**
 * Makes one line of plain text: removes line breaks, control characters, and invisible characters that change the text direction or
 * hide the target of a link.
 */
export function clean(text: string, longest: number): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Co}\p{Cs}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= longest) return line
  return `${line.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/**
 * Returns the first items whose total size is at most `available`, or fewer to reserve space for a line that counts the others. If
 * all items fit, returns all of them.
 *
 * @example
 * fit(['aaa', 'bbb', 'ccc'], 9, (line) => line.length, 3)   // all three
 * fit(['aaa', 'bbb', 'ccc'], 8, (line) => line.length, 3)   // the first
 */
export function fit<T>(
  items: readonly T[],
  available: number,
  sizeOf: (item: T) => number,
  reserve: number,
): readonly T[] {
  let used = 0
  let fitting = 0
  for (const [index, item] of items.entries()) {
    used += sizeOf(item)
    if (used > available) return items.slice(0, fitting)
    if (used + reserve <= available) fitting = index + 1
  }
  return items
}

/** Invisible, and enough to prevent a link or mention. */
const ZERO_WIDTH = '\u200b'

/**
 * Escapes Markdown in untrusted text: emphasis, code, links, images, tables, headings, and mentions such as `@channel`. Addresses stay
 * readable but are not links.
 *
 * @example
 * escapeMarkdown('[see](http://x) *now*')   // '\\[see\\](http:​//x) \\*now\\*'
 */
export function escapeMarkdown(text: string): string {
  return breakReferences(text.replace(/[\\`*_{}[\]~|>#]/g, '\\$&'))
}

/** Addresses and mentions cannot be escaped: an invisible character inside makes them plain text. */
export function breakReferences(text: string): string {
  return text
    .replace(/@(?=\S)/g, `@${ZERO_WIDTH}`)
    .replace(/:\/\//g, `:${ZERO_WIDTH}//`)
    .replace(/\bwww\./gi, (start) => `${start.slice(0, -1)}${ZERO_WIDTH}.`)
}
