import { type CreRecord, formatTimestamp, severityLabel } from '@omen/engine'
import { formatEntries } from './reading.js'
import type { Screen } from './screen.js'
import { createPaint, type Paint, severityStyle } from './text/paint.js'
import { sanitize } from './text/sanitize.js'
import { truncate, visibleWidth } from './text/width.js'

/** A problem in the summary. */
export interface FoundProblem {
  readonly cre: CreRecord
  /** How many times the rule fired. */
  readonly detections: number
  /** When it was first seen, in nanoseconds since 1970. */
  readonly first: bigint
  /** The containers of pods in which it was found. */
  readonly places?: readonly string[]
}

const INDENT = '  '
const SEPARATOR = ' · '

/** This many containers are named; the others are counted. */
const MOST_PLACES = 3

/** If fewer characters of the title would fit, it is left out. */
const SHORTEST_TITLE = 12

/**
 * The lines for a problem: the detection line, and on a terminal a line with the title and the command that explains it, and one
 * with the containers.
 *
 * @example
 * describeProblem({ cre, detections: 3, first }, screen, localOffset)
 * // ['CRE-2026-0001 critical [3 hits @ 2026-03-01T12:00:01Z]',
 * //  '  Broker is out of disk space · omen explain CRE-2026-0001']
 */
export function describeProblem(
  { cre, detections, first, places = [] }: FoundProblem,
  screen: Screen,
  offset: (nanoseconds: bigint) => number,
  call = 'omen',
): string[] {
  const paint = createPaint(screen.colours)
  const id = sanitize(cre.id)
  const label = paint(severityStyle(cre.severity), severityLabel(cre.severity))
  const hits = paint('dim', `[${detections} hits @ ${formatTimestamp(first, offset)}]`)
  const line = `${paint('bold', id)} ${label} ${hits}`
  if (!screen.isTerminal) return [line]
  const title = describeTitle(cre.title, screen.columns, paint, `${call} explain ${id}`)
  return places.length === 0 ? [line, title] : [line, title, describePlaces(places, screen.columns, paint)]
}

/**
 * The line that a terminal shows when nothing was found in this many entries.
 *
 * @example
 * describeNothingFound(1998, screen) // 'No known problems found in 1,998 entries.'
 */
export function describeNothingFound(entries: number, screen: Screen): string {
  return createPaint(screen.colours)('good', `No known problems found in ${formatEntries(entries)}.`)
}

/** The title is shortened before the command, which is useful only as a whole. */
function describeTitle(title: string | undefined, columns: number, paint: Paint, command: string): string {
  const available = columns - INDENT.length - SEPARATOR.length - visibleWidth(command)
  const name = sanitize(title ?? '').trim()
  if (name === '' || available < SHORTEST_TITLE) return paint('dim', truncate(INDENT + command, columns))
  return `${INDENT}${truncate(name, available)}${paint('dim', SEPARATOR + command)}`
}

function describePlaces(places: readonly string[], columns: number, paint: Paint): string {
  const named = places.slice(0, MOST_PLACES).map(sanitize).join(', ')
  const others = places.length - MOST_PLACES
  return paint('dim', truncate(`${INDENT}in ${named}${others > 0 ? ` and ${others} more` : ''}`, columns))
}
