import { PARTIAL, STATE } from '../kernel/reading-layout.js'
import type { ReadingFormat } from './format.js'
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
  readonly partials: readonly {
    readonly text: string
    readonly line: number
    readonly flags: number
    readonly time: string
  }[]
  readonly warned: boolean
  readonly localTime?: LocalTimeState
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
    partials: [0, 1].map((stream) => {
      const partial = STATE.partials + stream * PARTIAL.size
      const start = words[partial + PARTIAL.text]
      const line = words[partial + PARTIAL.line]
      const length = line === 0 ? 0 : words[partial + PARTIAL.length]
      const time = String(longs[(partial + PARTIAL.time) >> 1])
      return { text: text(start, start + length), line, flags: words[partial + PARTIAL.flags], time }
    }),
  }
}

export function restoreBuffer(buffer: ReadBuffer, snapshot: ReaderSnapshot): void {
  buffer.restore(decodeBase64(snapshot.open), decodeBase64(snapshot.unread))
  const { words, longs, bytes } = buffer.block()
  NUMBERS.forEach((word, i) => {
    words[word] = snapshot.numbers[i]
  })
  TIMES.forEach((word, i) => {
    longs[word >> 1] = BigInt(snapshot.times[i])
  })
  snapshot.partials.forEach(({ text, line, flags, time }, stream) => {
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
