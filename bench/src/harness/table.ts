import { isReached, showMeasured, type Verdict } from './verdict.js'

/** A column of a suite's table. Numbers are aligned to the right. */
export interface Column<Result> {
  readonly heading: string
  readonly width: number
  readonly isNumber?: true
  cell(result: Result): string
}

export function headingOf<Result>(columns: readonly Column<Result>[]): string {
  const line = (cells: readonly string[]) => alignCells(columns, cells)
  return `${line(columns.map(({ heading }) => heading))}\n${line(columns.map(({ width }) => '─'.repeat(width)))}`
}

export function lineOf<Result>(columns: readonly Column<Result>[], result: Result): string {
  return alignCells(
    columns,
    columns.map(({ cell }) => cell(result)),
  )
}

/** The line of a row that could not be measured. */
export function failureLine(columns: readonly Column<never>[], row: string, reason: string): string {
  return `${row.padEnd(columns[0]!.width)} NOT measured: ${reason.replaceAll(/\s+/g, ' ')}`
}

function alignCells(columns: readonly Column<never>[], cells: readonly string[]): string {
  const padded = columns.map(({ width, isNumber }, i) =>
    isNumber ? cells[i]!.padStart(width) : cells[i]!.padEnd(width),
  )
  return padded.join(' ').trimEnd()
}

/** The columns of a verdict: the figure, its goal, and whether it is reached. */
export function verdictColumns<Result>(
  heading: string,
  widths: readonly [number, number, number],
  verdictOf: (result: Result) => Verdict | undefined,
): readonly Column<Result>[] {
  const column = (title: string, width: number, show: (verdict: Verdict) => string): Column<Result> => ({
    heading: title,
    width,
    cell(result) {
      const verdict = verdictOf(result)
      return verdict === undefined ? '' : show(verdict)
    },
  })
  return [
    { ...column(heading, widths[0], (verdict) => `${showMeasured(verdict)} ${verdict.goal.unit}`), isNumber: true },
    column('goal', widths[1], ({ goal: { kind, value, unit } }) => `${kind} ${value} ${unit}`),
    column('', widths[2], (verdict) => (isReached(verdict) ? 'reached' : 'NOT reached')),
  ]
}

/** Rounded up to a tenth of a millisecond: a time is never shown shorter than it was. */
export const showTime = (seconds: number) => `${(Math.ceil(seconds * 1e4) / 10).toFixed(1)} ms`

/** Rounded up: memory is never shown smaller than it was. */
export const showMemory = (bytes: number | null) => (bytes === null ? '–' : `${Math.ceil(bytes / 2 ** 20)} MiB`)

/** Rounded down: a speed is never shown higher than it was. */
export const showSpeed = (bytes: number, seconds: number) => String(Math.floor(bytes / 1e6 / seconds))
