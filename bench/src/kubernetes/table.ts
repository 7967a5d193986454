import { cut, isReached } from '../verdict.js'
import type { KubernetesResult } from './rows.js'

const HEADINGS = ['row', 'work', 'logs', 'read', 'in', 'MB/s', 'peak', 'connections', 'measured', 'goal', '']
const WIDTHS = [6, 42, 6, 10, 9, 6, 9, 11, 15, 22, 11]
/** Columns of numbers stand to the right. */
const NUMBERS = new Set([2, 3, 4, 5, 6, 7, 8])

export const heading = () => `${line(HEADINGS)}\n${line(WIDTHS.map((width) => '─'.repeat(width)))}`

/** One result as a line of the table. Times and memory are raised to the next unit, speeds are cut: nothing looks better than it was. */
export function tableLine({ row, work, run, measured, goal }: KubernetesResult): string {
  return line([
    row,
    work,
    String(run.finished),
    `${Math.floor(run.bytes / 1e6)} MB`,
    `${(Math.ceil(run.elapsed * 10) / 10).toFixed(1)} s`,
    String(Math.floor(run.bytes / 1e6 / run.elapsed)),
    `${Math.ceil(run.peak / 2 ** 20)} MiB`,
    String(run.connections),
    `${cut(measured, goal)} ${goal.unit}`,
    `${goal.kind} ${goal.value} ${goal.unit}`,
    isReached(measured, goal) ? 'reached' : 'NOT reached',
  ])
}

/** A row that could not be measured. */
export function failedLine(row: string, why: string): string {
  return `${row.padEnd(WIDTHS[0]!)} NOT measured: ${why.replaceAll(/\s+/g, ' ')}`
}

function line(cells: readonly string[]): string {
  const padded = cells.map((cell, i) => (NUMBERS.has(i) ? cell.padStart(WIDTHS[i]!) : cell.padEnd(WIDTHS[i]!)))
  return padded.join(' ').trimEnd()
}
