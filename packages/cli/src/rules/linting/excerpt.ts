import { sanitize } from '../../console/text/sanitize.js'
import { truncate, visibleWidth } from '../../console/text/width.js'

/** A line of a document with a caret below a column. */
export interface Excerpt {
  /** `  12 | ` and `     | `, with the same width. */
  readonly margin: readonly [number: string, empty: string]
  readonly source: string
  readonly caret: string
}

/** The longest text before the caret, so that the caret is visible. */
const BEFORE = 60

/**
 * The line of a text that a finding is about. Long lines are cut around the column.
 *
 * @example
 * excerptOf('rules: 5\n', 1, 8, 80)   // source 'rules: 5', caret '       ^'
 */
export function excerptOf(text: string, line: number, column: number, columns: number): Excerpt | undefined {
  const source = lineOf(text, line)
  if (source === undefined || source.trim() === '') return undefined
  const number = String(line).padStart(5)
  const margin = [`${number} | `, `${' '.repeat(number.length)} | `] as const
  const width = Math.max(20, columns - number.length - 3)
  const at = Math.min(column - 1, source.length)
  const start = Math.max(0, at - Math.min(BEFORE, width - 10))
  const before = sanitize(start > 0 ? `…${source.slice(start + 1, at)}` : source.slice(0, at))
  const shown = truncate(before + sanitize(source.slice(at, at + width)), width)
  return { margin, source: shown, caret: `${' '.repeat(visibleWidth(before))}^` }
}

function lineOf(text: string, line: number): string | undefined {
  if (line < 1) return undefined
  let start = 0
  for (let i = 1; i < line; i++) {
    const end = text.indexOf('\n', start)
    if (end === -1) return undefined
    start = end + 1
  }
  const end = text.indexOf('\n', start)
  return text.slice(start, end === -1 ? undefined : end).replace(/\r$/, '')
}
