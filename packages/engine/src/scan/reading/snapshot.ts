import { PARTIAL, STATE } from '../kernel/reading-layout.js'
import { isSameFormat, type ReadingFormat } from './format.js'
import type { LocalTimeState } from './local-time.js'
import type { ReadBuffer } from './read-buffer.js'

/** The state of a reader as plain data. Bytes are in base64, times in decimal. */
export interface ReaderSnapshot {
  readonly format?: ReadingFormat
  /** Whether the format is being decided, for the first time or again. */
  readonly probing: boolean
  readonly numbers: readonly number[]
  readonly times: readonly string[]
  /** The text of the open entry, and the unread bytes. */
  readonly open: string
  readonly unread: string
  readonly partials: readonly SavedPartial[]
  readonly warned: boolean
  readonly localTime?: LocalTimeState
}

/** An entry that a container runtime has split, before its last piece was read. Its line is 0 if there is none. */
export interface SavedPartial {
  readonly text: string
  readonly line: number
  readonly flags: number
  readonly time: string
}

/** The 32-bit and 64-bit values of the state block to save; the others are addresses or set in every call. */
const NUMBERS = [
  STATE.line,
  STATE.skipping,
  STATE.open,
  STATE.openLine,
  STATE.openFlags,
  STATE.timeless,
  STATE.reviewAt,
  STATE.hasTime,
]
const TIMES = [STATE.openTime, STATE.lastTime, STATE.clock]

export function saveBuffer(
  buffer: ReadBuffer,
): Pick<ReaderSnapshot, 'numbers' | 'times' | 'open' | 'unread' | 'partials'> {
  const { words, longs, bytes } = buffer.block()
  const text = (from: number, to: number) => encodeBase64(bytes.subarray(from, to))
  const isOpen = words[STATE.open] === 1
  return {
    numbers: NUMBERS.map((word) => words[word]),
    times: TIMES.map((word) => String(longs[word >> 1])),
    open: isOpen ? text(words[STATE.openStart], words[STATE.openEnd]) : '',
    unread: text(words[STATE.at], words[STATE.limit]),
    partials: savePartials(buffer),
  }
}

function savePartials(buffer: ReadBuffer): readonly SavedPartial[] {
  const { words, longs, bytes } = buffer.block()
  return [0, 1].map((stream) => {
    const partial = STATE.partials + stream * PARTIAL.size
    const start = words[partial + PARTIAL.text]
    const line = words[partial + PARTIAL.line]
    const length = line === 0 ? 0 : words[partial + PARTIAL.length]
    const time = String(longs[(partial + PARTIAL.time) >> 1])
    const text = encodeBase64(bytes.subarray(start, start + length))
    return { text, line, flags: words[partial + PARTIAL.flags], time }
  })
}

export function restoreBuffer(buffer: ReadBuffer, snapshot: ReaderSnapshot): void {
  buffer.restore(decodeBase64(snapshot.open), decodeBase64(snapshot.unread))
  const { words, longs } = buffer.block()
  NUMBERS.forEach((word, i) => {
    words[word] = snapshot.numbers[i]
  })
  TIMES.forEach((word, i) => {
    longs[word >> 1] = BigInt(snapshot.times[i])
  })
  restorePartials(buffer, snapshot.partials)
}

function restorePartials(buffer: ReadBuffer, partials: readonly SavedPartial[]): void {
  const { words, longs, bytes } = buffer.block()
  partials.forEach(({ text, line, flags, time }, stream) => {
    if (line === 0) return
    const partial = STATE.partials + stream * PARTIAL.size
    const piece = decodeBase64(text)
    bytes.set(piece, words[partial + PARTIAL.text])
    words[partial + PARTIAL.length] = piece.length
    words[partial + PARTIAL.line] = line
    words[partial + PARTIAL.flags] = flags
    longs[(partial + PARTIAL.time) >> 1] = BigInt(time)
  })
}

/**
 * What a reader has to know about the data before a segment: plain data. A segment starts with the first line of an entry, so this
 * is everything that may influence how its lines are read.
 */
export interface Seam {
  readonly format?: ReadingFormat
  /** The number of lines before the segment, as its line numbers count them. It is 0 only at the start of the data. */
  readonly lines: number
  /** Entries of a container runtime whose last piece is in the segment or after it. This is rare. */
  readonly split?: {
    readonly partials: readonly SavedPartial[]
    /** The time of the last record, for lines that are no records; undefined if there was no record. */
    readonly lastTime?: string
  }
  /** Matters only if the first time in the segment occurs twice, because clocks were set back. */
  readonly localTime?: LocalTimeState
}

/** Describes a buffer of which all lines were read and all complete entries were delivered. */
export function saveSeam(
  buffer: ReadBuffer,
  format: ReadingFormat | undefined,
  localTime: LocalTimeState | undefined,
): Seam {
  const { words, longs } = buffer.block()
  const partials = savePartials(buffer)
  const isSplit = partials.some(({ line }) => line > 0)
  const lastTime = words[STATE.hasTime] === 1 ? { lastTime: String(longs[STATE.lastTime >> 1]) } : {}
  return {
    ...(format && { format }),
    lines: isSplit ? words[STATE.line] - 1 : 1,
    ...(isSplit && { split: { partials, ...lastTime } }),
    ...(localTime && { localTime }),
  }
}

/** Prepares an empty buffer for the data after a seam. */
export function restoreSeam(buffer: ReadBuffer, { lines, split }: Seam): void {
  const { words, longs } = buffer.block()
  words[STATE.line] = lines + 1
  if (!split) return
  restorePartials(buffer, split.partials)
  if (split.lastTime === undefined) return
  words[STATE.hasTime] = 1
  longs[STATE.lastTime >> 1] = BigInt(split.lastTime)
}

/**
 * Whether a segment that was scanned after the seam `assumed` has the same entries after the seam `actual`. One with split entries
 * is never assumed.
 */
export function isSameSeam(assumed: Seam, actual: Seam): boolean {
  if (assumed.split || actual.split) return assumed === actual
  if (!assumed.format || !actual.format) return assumed.format === actual.format
  return isSameFormat(assumed.format, actual.format)
}

/** Bytes per call of `fromCharCode`: more arguments could overflow the stack. */
const PIECE = 8192

function encodeBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let i = 0; i < bytes.length; i += PIECE) binary += String.fromCharCode(...bytes.subarray(i, i + PIECE))
  return btoa(binary)
}

function decodeBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
