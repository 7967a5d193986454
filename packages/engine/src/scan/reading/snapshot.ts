import { PARTIAL, STATE, TIMED } from '../kernel/reading-layout.js'
import { isSameFormat, type ReadingFormat } from './format.js'
import type { LocalTimeState } from './local-time.js'
import type { ReadBuffer } from './read-buffer.js'

/** The state of a reader as plain data. Bytes are in base64, times in decimal. */
export interface ReaderSnapshot {
  /** The list of formats of the stream. */
  readonly formats: readonly ReadingFormat[]
  /** Whether the first formats are still being decided. */
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
  STATE.kind,
  STATE.skipping,
  STATE.open,
  STATE.openLine,
  STATE.openFlags,
  STATE.timeless,
  STATE.reviewAt,
  STATE.timed,
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
 * What a reader has to know about the data before a segment: plain data. A segment starts with the first line of an entry, in a
 * format that is in the list, so this is everything that may influence how its lines are read.
 */
export interface Seam {
  /** The formats of the data before the segment; undefined at the start of the data, where they are decided. */
  readonly formats?: readonly ReadingFormat[]
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
export function saveSeam(buffer: ReadBuffer, localTime: LocalTimeState | undefined): Seam {
  const { words, longs } = buffer.block()
  const partials = savePartials(buffer)
  const isSplit = partials.some(({ line }) => line > 0)
  const lastTime = words[STATE.timed] !== TIMED.no ? { lastTime: String(longs[STATE.lastTime >> 1]) } : {}
  return {
    formats: buffer.formats.list(),
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
  words[STATE.timed] = TIMED.yes
  longs[STATE.lastTime >> 1] = BigInt(split.lastTime)
}

/**
 * Whether a segment that was scanned after the seam `assumed` has the same entries after the seam `actual`. One with split entries
 * is never assumed.
 */
export function isSameSeam(assumed: Seam, actual: Seam): boolean {
  if (assumed.split || actual.split) return assumed === actual
  if (!assumed.formats || !actual.formats) return assumed.formats === actual.formats
  return haveSameFormats(assumed.formats, actual.formats)
}

/** Whether two lists of formats are the same. Which one was used last does not matter: see `startsEntry`. */
function haveSameFormats(a: readonly ReadingFormat[], b: readonly ReadingFormat[]): boolean {
  return (
    a.length === b.length &&
    a.every((format, i) => isSameFormat(format, b[i]) && format.shapes === b[i].shapes && format.strict === b[i].strict)
  )
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
