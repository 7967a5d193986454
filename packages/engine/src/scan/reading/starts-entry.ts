import type { FoundTime } from '../../time/finish.js'
import { type LineFormat, openFormat, type ReadingFormat } from './format.js'

const found: FoundTime = { seconds: 0, nanos: 0, start: 0, end: 0 }

let last: { format: ReadingFormat; opened: LineFormat } | undefined

/**
 * Whether a line starts a new entry in a format: the bytes from `start` to `end`, without the line end. A file can be cut
 * in front of such a line, and the parts read by several readers.
 *
 * ```ts
 * startsEntry(reader.format, bytes, lineStart, lineEnd)
 * ```
 */
export function startsEntry(format: ReadingFormat, bytes: Uint8Array, start: number, end: number): boolean {
  if (last?.format !== format) last = { format, opened: openFormat(format) }
  return format.name === 'none' || last.opened.find(bytes, start, end, 0, found)
}
