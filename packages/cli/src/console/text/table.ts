import type { Screen } from '../screen.js'
import { createPaint, type Paint, type Style } from './paint.js'
import { sanitize } from './sanitize.js'
import { pad, truncate, visibleWidth } from './width.js'

/** Text, or text in a style. */
export type Cell = string | { readonly text: string; readonly style: Style }

export interface TableOptions {
  readonly header?: readonly string[]
  /** The columns, from 0, whose cells stand at the right: numbers. */
  readonly right?: readonly number[]
}

const GAP = '  '

/** The last column is not cut to less than this: the terminal may wrap it instead. */
const SHORTEST_CUT = 10

/**
 * Writes rows in aligned columns, each line with its end. On a terminal the last column is cut to the width; in a pipe everything
 * stays whole. The cells are made safe to show.
 *
 * @example
 * screen.write(formatTable([['CRE-2026-0001', { text: 'high', style: 'high' }, 'Disk full']], screen, { header: ['ID', 'SEVERITY', 'TITLE'] }))
 */
export function formatTable(rows: readonly (readonly Cell[])[], screen: Screen, options: TableOptions = {}): string {
  const { header = [], right = [] } = options
  const head = header.map((text): Cell => ({ text, style: 'bold' }))
  const cells = (header.length > 0 ? [head, ...rows] : rows).map((row) => row.map(readCell))
  const widths = measure(cells)
  const paint = createPaint(screen.colours)
  const room = screen.isTerminal ? roomForLast(widths, screen.columns) : Number.POSITIVE_INFINITY
  return cells.map((row) => `${formatRow(row, widths, right, room, paint)}\n`).join('')
}

function readCell(cell: Cell): { text: string; style: Style | undefined } {
  return typeof cell === 'string'
    ? { text: sanitize(cell), style: undefined }
    : { text: sanitize(cell.text), style: cell.style }
}

function measure(rows: readonly (readonly { text: string }[])[]): number[] {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach(({ text }, column) => {
      widths[column] = Math.max(widths[column] ?? 0, visibleWidth(text))
    })
  }
  return widths
}

function roomForLast(widths: readonly number[], columns: number): number {
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0)
  const room = columns - before
  return room < SHORTEST_CUT ? Number.POSITIVE_INFINITY : room
}

function formatRow(
  row: readonly { text: string; style: Style | undefined }[],
  widths: readonly number[],
  right: readonly number[],
  room: number,
  paint: Paint,
): string {
  const written = row.map(({ text, style }, column) => {
    const isLast = column === row.length - 1
    const side = right.includes(column) ? 'right' : 'left'
    const cut = column === widths.length - 1 ? truncate(text, room) : text
    // The last column is not filled up: no line ends in blanks.
    const filled = isLast && side === 'left' ? '' : pad('', widths[column]! - visibleWidth(cut))
    const painted = style === undefined ? cut : paint(style, cut)
    return side === 'right' ? filled + painted : painted + filled
  })
  return written.join(GAP).trimEnd()
}
