import type { FoundTime } from '../../time/finish.js'
import { foundShape } from '../../time/run.js'
import { utcClock } from '../../time/wall-clock.js'
import { KIND, ROW_FLAG } from '../kernel/reading-layout.js'
import { removeEscapes } from './escapes.js'
import { type LineFormat, openFormat, type ReadingFormat } from './format.js'
import { hasWords } from './line-time.js'
import { isObject } from './lines.js'

const found: FoundTime = { seconds: 0, nanos: 0, start: 0, end: 0 }
const clock = utcClock(0)

/** The last list of formats, ready to run: it is used for one line after the other. */
let last: { formats: readonly ReadingFormat[]; opened: readonly LineFormat[] } | undefined

function opened(formats: readonly ReadingFormat[]): readonly LineFormat[] {
  if (last?.formats !== formats) last = { formats, opened: formats.map((format) => openFormat(format)) }
  return last.opened
}

/**
 * Whether a line, the bytes from `start` to `end` without the line end, certainly starts an entry in a stream that has had these
 * formats, whatever precedes it: one of them fits, in a shape that was seen before, and is preferred to all others that fit. In
 * container formats: whether it is a record. A file can be divided before such a line and read by several readers.
 *
 * @example
 * startsEntry(reader.formats, bytes, lineStart, lineEnd)
 */
export function startsEntry(formats: readonly ReadingFormat[], bytes: Uint8Array, start: number, end: number): boolean {
  const line = copyOfLine(bytes, start, end)
  const list = opened(formats)
  if (list[0].kind !== KIND.lines) return list[0].find(line, 0, line.length, clock, found)
  const inObject = isObject(line, 0, line.length)
  let best = 0
  let isCertain = false
  list.forEach(({ find, flags, rank }, i) => {
    const { shapes = 0, strict = false } = formats[i]
    const precedence = rank + (inObject && (flags & ROW_FLAG.object) !== 0 ? 16 : 0)
    if (precedence < best || !find(line, 0, line.length, clock, found)) return
    if (strict && !hasWords(flags, line, 0, line.length, found)) return
    // Of two formats with the same rank the one that was used last is preferred: that is not known here.
    isCertain = precedence > best && (shapes & (1 << foundShape())) !== 0
    best = precedence
  })
  return isCertain
}

/**
 * Whether the entry of a line is probably complete if the next line starts another one. In container formats the next record may
 * be a piece of the same entry.
 */
export function endsEntry(formats: readonly ReadingFormat[], bytes: Uint8Array, start: number, end: number): boolean {
  const [{ isWhole }] = opened(formats)
  if (isWhole === undefined) return true
  const line = copyOfLine(bytes, start, end)
  return isWhole(line, 0, line.length, clock, found)
}

/** A copy of a line without its escape sequences. */
function copyOfLine(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const line = bytes.slice(start, end)
  return line.subarray(0, removeEscapes(line, 0, line.length))
}
