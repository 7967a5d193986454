import type { Screen } from '../screen.js'
import { createPaint, type Paint, type Style } from './paint.js'
import { sanitize } from './sanitize.js'
import { pad, truncate, visibleWidth } from './width.js'

/** A cell, optionally with a style. */
export type Cell = string | { readonly text: string; readonly style: Style }

export interface TableOptions {
  readonly header?: readonly string[]
  /** The indices of columns that are aligned to the right, such as numbers. */
  readonly right?: readonly number[]
}

const GAP = '  '

/** The last column is not cut to less than this; the terminal wraps it instead. */
const SHORTEST_CUT = 10

/**
 * Formats rows in aligned columns, each line with a line feed. On a terminal the last column is cut to the width of the window; in
 * a pipe it is complete. Cells are made safe to print.
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
  const lastWidth = screen.isTerminal ? widthOfLast(widths, screen.columns) : Number.POSITIVE_INFINITY
  return cells.map((row) => `${formatRow(row, widths, right, lastWidth, paint)}\n`).join('')
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

function widthOfLast(widths: readonly number[], columns: number): number {
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0)
  const width = columns - before
  return width < SHORTEST_CUT ? Number.POSITIVE_INFINITY : width
}

function formatRow(
  row: readonly { text: string; style: Style | undefined }[],
  widths: readonly number[],
  right: readonly number[],
  lastWidth: number,
  paint: Paint,
): string {
  const written = row.map(({ text, style }, column) => {
    const isLast = column === row.length - 1
    const side = right.includes(column) ? 'right' : 'left'
    const cut = column === widths.length - 1 ? truncate(text, lastWidth) : text
    // The last column is not padded, so that no line ends in spaces.
    const filled = isLast && side === 'left' ? '' : pad('', widths[column]! - visibleWidth(cut))
    const painted = style === undefined ? cut : paint(style, cut)
    return side === 'right' ? filled + painted : painted + filled
  })
  return written.join(GAP).trimEnd()
}
