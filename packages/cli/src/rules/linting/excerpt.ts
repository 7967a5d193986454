import { sanitize } from '../../console/text/sanitize.js'
import { truncate, visibleWidth } from '../../console/text/width.js'

/** A line of a document and, under it, a mark at a column. */
export interface Excerpt {
  /** `  12 | ` and, as wide, `     | `. */
  readonly margin: readonly [number: string, blank: string]
  readonly source: string
  readonly caret: string
}

/** What stands before the mark is kept to this many columns, so that the mark is seen. */
const BEFORE = 60

/**
 * The line of a text that a remark is about. Long lines are cut around the column.
 *
 * @example
 * excerptOf('rules: 5\n', 1, 8, 80)   // source 'rules: 5', caret '       ^'
 */
export function excerptOf(text: string, line: number, column: number, columns: number): Excerpt | undefined {
  const source = lineOf(text, line)
  if (source === undefined || source.trim() === '') return undefined
  const number = String(line).padStart(5)
  const margin = [`${number} | `, `${' '.repeat(number.length)} | `] as const
  const room = Math.max(20, columns - number.length - 3)
  const at = Math.min(column - 1, source.length)
  const start = Math.max(0, at - Math.min(BEFORE, room - 10))
  const before = sanitize(start > 0 ? `…${source.slice(start + 1, at)}` : source.slice(0, at))
  const shown = truncate(before + sanitize(source.slice(at, at + room)), room)
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
