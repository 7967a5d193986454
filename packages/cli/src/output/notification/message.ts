/** A problem, as a notification tells of it. */
export interface NotifiedProblem {
  readonly id: string
  /** `critical` to `info`. */
  readonly severity: string
  readonly title?: string
  /** How many times it was detected. */
  readonly hits: number
  /** When it was first seen: RFC 3339. */
  readonly first: string
  /** Where it was found, when it was in containers of pods: `namespace/pod/container`. At most `MOST_PLACES`. */
  readonly places?: readonly string[]
}

/** So many containers are told of: whoever needs all of them has the report. */
export const MOST_PLACES = 100

/** What a run, or a batch of one, has to tell. */
export interface NotificationMessage {
  /** The label given with `-o`; may be empty. */
  readonly prefix: string
  readonly host: string
  /** In the order in which they are shown. */
  readonly problems: readonly NotifiedProblem[]
  /** The file that has the details. */
  readonly reportName?: string
}

/** The parts of the line of one problem, as plain text. */
export interface ProblemLine {
  readonly badge: string
  readonly id: string
  readonly severity: string
  /** What the rule calls it, which need not be friendly; may be empty. */
  readonly title: string
  /** `[3 hits @ 2026-03-01T12:00:01Z] in shop/web-1/app and 2 more`: nothing in it needs an escape. */
  readonly detail: string
}

/** Seen from the other side of the room. */
const BADGES: Readonly<Record<string, string>> = { critical: '🔴', high: '🟠', medium: '🟡', low: '🔵', info: '⚪' }

/** Longer texts are cut, so that every line fits into every service, whatever a rule says. */
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
 * The first line: the prefix, the number of problems and where they are.
 *
 * @example
 * describeHeading({ prefix: 'nightly: ', host: 'web-1', problems })   // 'nightly: 2 problems on web-1'
 */
export function describeHeading({ prefix, host, problems }: NotificationMessage): string {
  const count = `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`
  const where = host === '' ? '' : ` on ${clean(host, LONGEST.host)}`
  const label = clean(prefix, LONGEST.prefix)
  return label === '' ? `omen: ${count}${where}` : `${label} ${count}${where}`
}

/** The last line, where there is a report to look at. */
export function describeReport({ reportName }: NotificationMessage): string | undefined {
  return reportName === undefined ? undefined : `Report: ${clean(reportName, LONGEST.reportName)}`
}

/** The line of a problem with the texts of the rule escaped, and its id set off, as a service wants it. */
export function writeLine(problem: NotifiedProblem, escapeText: (text: string) => string, strong: string): string {
  const { badge, id, severity, title, detail } = describeProblem(problem)
  const name = title === '' ? '' : `${escapeText(title)} `
  return `${badge} ${strong}${escapeText(id)}${strong} ${escapeText(severity)} ${name}${detail}`
}

/** Said in place of the problems for which there is no room. */
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
    detail: `[${hits} hits @ ${clean(first, LONGEST.first).replace(/[^\w:.+-]/g, '')}]${describePlaces(places)}`,
  }
}

function describePlaces(places: readonly string[] = []): string {
  const [first] = places
  if (first === undefined) return ''
  const others = places.length > 1 ? ` and ${places.length - 1} more` : ''
  return ` in ${clean(first, LONGEST.place).replace(/[^\w./-]/g, '')}${others}`
}

/**
 * One line of plain text: no line breaks, no control characters, and none of the invisible ones that turn the direction
 * of writing or hide what a link says.
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
 * Takes as many items from the start as there is room for, leaving room for the one that says how many are left out. All
 * of them are taken where all of them fit.
 *
 * @example
 * fit(['aaa', 'bbb', 'ccc'], 9, (line) => line.length, 3)   // all three
 * fit(['aaa', 'bbb', 'ccc'], 8, (line) => line.length, 3)   // the first
 */
export function fit<T>(items: readonly T[], room: number, sizeOf: (item: T) => number, reserve: number): readonly T[] {
  let used = 0
  let fitting = 0
  for (const [index, item] of items.entries()) {
    used += sizeOf(item)
    if (used > room) return items.slice(0, fitting)
    if (used + reserve <= room) fitting = index + 1
  }
  return items
}

/** Invisible, and enough to take the meaning from what surrounds it. */
const ZERO_WIDTH = '\u200b'

/**
 * Takes the meaning from Markdown in a text that is not ours: emphasis, code, links, images, tables, headings, and
 * mentions such as `@channel`. Addresses stay readable, but are not linked.
 *
 * @example
 * escapeMarkdown('[see](http://x) *now*')   // '\\[see\\](http:​//x) \\*now\\*'
 */
export function escapeMarkdown(text: string): string {
  return breakReferences(text.replace(/[\\`*_{}[\]~|>#]/g, '\\$&'))
}

/** Addresses and mentions have no escape: an invisible character between their parts makes them plain text. */
export function breakReferences(text: string): string {
  return text
    .replace(/@(?=\S)/g, `@${ZERO_WIDTH}`)
    .replace(/:\/\//g, `:${ZERO_WIDTH}//`)
    .replace(/\bwww\./gi, (start) => `${start.slice(0, -1)}${ZERO_WIDTH}.`)
}
