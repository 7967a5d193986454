import { type CreRecord, formatTimestamp, severityLabel } from '@omen/engine'
import type { Screen } from './screen.js'
import { createPaint, type Paint, severityStyle } from './text/paint.js'
import { sanitize } from './text/sanitize.js'
import { truncate, visibleWidth } from './text/width.js'

/** What the summary says of a problem. */
export interface FoundProblem {
  readonly cre: CreRecord
  /** How many times the rule fired. */
  readonly detections: number
  /** Nanoseconds since 1970: the first time that was seen. */
  readonly first: bigint
  /** Where it was found, where that has names of its own: containers of pods. */
  readonly places?: readonly string[]
}

const INDENT = '  '
const SEPARATOR = ' · '

/** So many places are named; the others are counted. */
const MOST_PLACES = 3

/** A title of which less than this could be shown says nothing. */
const SHORTEST_TITLE = 12

/**
 * The lines for a problem: the one that is specified, and on a terminal one more with the title and where to read on, and one
 * with the places.
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
  const further = describeFurther(cre.title, screen.columns, paint, `${call} explain ${id}`)
  return places.length === 0 ? [line, further] : [line, further, describePlaces(places, screen.columns, paint)]
}

/**
 * What a terminal shows when nothing was found.
 *
 * @example
 * if (screen.isTerminal && problems.length === 0) progress.print(describeNothing(screen))
 */
export function describeNothing(screen: Screen): string {
  return createPaint(screen.colours)('good', 'No known problems found.')
}

/** The title gives way to the command, which is of use only as a whole. */
function describeFurther(title: string | undefined, columns: number, paint: Paint, command: string): string {
  const room = columns - INDENT.length - SEPARATOR.length - visibleWidth(command)
  const name = sanitize(title ?? '').trim()
  if (name === '' || room < SHORTEST_TITLE) return paint('dim', truncate(INDENT + command, columns))
  return `${INDENT}${truncate(name, room)}${paint('dim', SEPARATOR + command)}`
}

function describePlaces(places: readonly string[], columns: number, paint: Paint): string {
  const named = places.slice(0, MOST_PLACES).map(sanitize).join(', ')
  const others = places.length - MOST_PLACES
  return paint('dim', truncate(`${INDENT}in ${named}${others > 0 ? ` and ${others} more` : ''}`, columns))
}
