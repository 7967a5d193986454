import type { Figure } from './measure/timing.js'
import { cut, isReached, type Result } from './verdict.js'

const HEADINGS = ['row', 'work', 'omen', 'MB/s', 'peak', 'opponent', 'its time', 'peak', 'ratio', 'goal', '']
const WIDTHS = [9, 58, 9, 6, 9, 16, 9, 9, 10, 18, 11]
/** Columns of numbers stand to the right. */
const NUMBERS = new Set([2, 3, 4, 6, 7, 8])

export const heading = () => `${line(HEADINGS)}\n${line(WIDTHS.map((width) => '─'.repeat(width)))}`

/** One result as a line of the table, with its notes below. */
export function tableLine(result: Result): string {
  const { row, work, subject, opponent, bytes, measured, goal, notes } = result
  const cells = [
    row,
    work,
    subject ? time(subject) : '',
    subject && bytes !== null ? String(Math.floor(bytes / 1e6 / subject.seconds)) : '',
    subject ? memory(subject) : '',
    opponent?.name ?? '',
    opponent ? time(opponent) : '',
    opponent ? memory(opponent) : '',
    `${cut(measured, goal)} ${goal.unit}`,
    `${goal.kind} ${goal.value} ${goal.unit}`,
    isReached(measured, goal) ? 'reached' : 'NOT reached',
  ]
  return [line(cells), ...notes.map((note) => `${' '.repeat(WIDTHS[0]! + 1)}· ${note}`)].join('\n')
}

/** A row that could not be measured. */
export function failedLine(row: string, why: string): string {
  return `${row.padEnd(WIDTHS[0]!)} NOT measured: ${why.replaceAll(/\s+/g, ' ')}`
}

function line(cells: readonly string[]): string {
  const padded = cells.map((cell, i) => (NUMBERS.has(i) ? cell.padStart(WIDTHS[i]!) : cell.padEnd(WIDTHS[i]!)))
  return padded.join(' ').trimEnd()
}

/** Up to the next tenth of a millisecond: a time is never shown shorter than it was. */
function time({ seconds }: Figure): string {
  return `${(Math.ceil(seconds * 1e4) / 10).toFixed(1)} ms`
}

function memory({ peak }: Figure): string {
  return peak === null ? '–' : `${Math.ceil(peak / 2 ** 20)} MiB`
}
