import type { KernelMemory } from '../kernel/memory.js'
import { LONGEST, PARTIAL, STATE } from './abi.js'

/** The block of numbers of one reader, with the memory that its addresses point into. Valid until the memory grows. */
export interface Block {
  /** Indexed by STATE. */
  readonly words: Uint32Array
  /** The same as 64 bits: indexed by half of STATE. */
  readonly longs: BigInt64Array
  readonly bytes: Uint8Array
  readonly u32: Uint32Array
  readonly i64: BigInt64Array
}

export function blockAt(memory: KernelMemory, state: number): Block {
  const { u8: bytes, u32, i64 } = memory
  return {
    words: u32.subarray(state >> 2, (state >> 2) + STATE.size),
    longs: i64.subarray(state >> 3, (state >> 3) + STATE.size / 2),
    bytes,
    u32,
    i64,
  }
}

/** Puts an entry into the arrays. */
export function emit({ words, u32, i64 }: Block, start: number, end: number, line: number, time: bigint): void {
  const index = words[STATE.count]++
  u32[(words[STATE.starts] >> 2) + index] = start
  u32[(words[STATE.ends] >> 2) + index] = end
  u32[(words[STATE.lines] >> 2) + index] = line
  i64[(words[STATE.times] >> 3) + index] = time
}

export function openEntry({ words, longs }: Block, start: number, end: number, time: bigint): void {
  words[STATE.open] = 1
  words[STATE.openStart] = start
  words[STATE.openEnd] = end
  words[STATE.openLine] = words[STATE.line]
  longs[STATE.openTime >> 1] = time
}

/** The open entry is complete: the next one starts, or nothing follows. */
export function emitOpen(block: Block): void {
  const { words, longs } = block
  if (words[STATE.open] === 0) return
  words[STATE.open] = 0
  emit(block, words[STATE.openStart], words[STATE.openEnd], words[STATE.openLine], longs[STATE.openTime >> 1])
}

/**
 * Adds a line to the open entry, behind a line feed. Mostly both are already in place; where a carriage return stood
 * between them, or an overlong line, the line moves up.
 */
export function addToOpen({ words, bytes }: Block, start: number, end: number): void {
  const textEnd = words[STATE.openEnd]
  const room = LONGEST - (textEnd - words[STATE.openStart])
  if (end - start + 1 > room) noteCut(words)
  if (room === 0) return
  const take = Math.min(room - 1, end - start)
  bytes[textEnd] = 10
  if (textEnd + 1 !== start) bytes.copyWithin(textEnd + 1, start, start + take)
  words[STATE.openEnd] = textEnd + 1 + take
}

/** Adds a piece to an entry that a container runtime has split; `partial` is the word where its numbers stand. */
export function addToPartial(
  { words, longs, bytes }: Block,
  partial: number,
  start: number,
  end: number,
  time: bigint,
): void {
  if (words[partial + PARTIAL.line] === 0) {
    words[partial + PARTIAL.line] = words[STATE.line]
    words[partial + PARTIAL.length] = 0
    longs[(partial + PARTIAL.time) >> 1] = time
  }
  const length = words[partial + PARTIAL.length]
  const take = Math.min(LONGEST - length, end - start)
  if (take < end - start) noteCut(words)
  bytes.copyWithin(words[partial + PARTIAL.text] + length, start, start + take)
  words[partial + PARTIAL.length] = length + take
}

/** Its last piece has come. The text stands outside of the others, so the entry is delivered alone. */
export function emitPartial(block: Block, partial: number): void {
  const { words, longs } = block
  const start = words[partial + PARTIAL.text]
  const line = words[partial + PARTIAL.line]
  emit(block, start, start + words[partial + PARTIAL.length], line, longs[(partial + PARTIAL.time) >> 1])
  words[partial + PARTIAL.line] = 0
}

/** Remembers that something was cut, for one warning. */
export function noteCut(words: Uint32Array): void {
  if (words[STATE.cutLine] === 0) words[STATE.cutLine] = words[STATE.line]
}
