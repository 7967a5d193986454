import { cut, isReached } from '../verdict.js'
import type { LoadFigure } from './duel.js'
import type { Judged, ServerResult } from './result.js'

const HEADINGS = [
  'row',
  'work',
  'req/s',
  'p99',
  'opponent',
  'req/s',
  'p99',
  'ratio',
  'goal',
  '',
  'p99 ratio',
  'goal',
  '',
]
const WIDTHS = [8, 78, 7, 9, 8, 7, 9, 10, 13, 1, 10, 11, 1]
/** Columns of numbers stand to the right. */
const NUMBERS = new Set([2, 3, 5, 6, 7, 10])

export const heading = () => `${line(HEADINGS)}\n${line(WIDTHS.map((width) => '─'.repeat(width)))}`

/** One result as a line of the table. */
export function tableLine({ row, work, subject, opponent, judged }: ServerResult): string {
  return line([row, work, ...cellsOf(subject), opponent?.name ?? '', ...cellsOf(opponent), ...judged.flatMap(verdict)])
}

const verdict = ({ measured, goal }: Judged) => [
  `${cut(measured, goal)} ${goal.unit}`,
  `${goal.kind} ${goal.value} ${goal.unit}`.replace(/ ×$/, ''),
  isReached(measured, goal) ? '✓' : '✗',
]

/** Rates are cut and times are raised: neither is shown better than it was. */
function cellsOf(figure: LoadFigure | null): [string, string] {
  if (figure === null) return ['', '']
  return [String(Math.floor(figure.rate)), `${(Math.ceil(figure.p99 * 100) / 100).toFixed(2)} ms`]
}

/** A row that could not be measured. */
export function failedLine(row: string, why: string): string {
  return `${row.padEnd(WIDTHS[0]!)} NOT measured: ${why.replaceAll(/\s+/g, ' ')}`
}

function line(cells: readonly string[]): string {
  const padded = cells.map((cell, i) => (NUMBERS.has(i) ? cell.padStart(WIDTHS[i]!) : cell.padEnd(WIDTHS[i]!)))
  return padded.join(' ').trimEnd()
}
