import type { KernelMemory } from '../kernel/memory.js'
import { ENTRY_FLAG, KIND, LONGEST, PARTIAL, REVIEW_AFTER, STATE } from '../kernel/reading-layout.js'
import type { Lines } from './detect-format.js'

/** Whether entries of this kind may be written in pieces: those of container runtimes. */
export function joinsPieces(kind: number): boolean {
  return kind === KIND.cri || kind === KIND.docker
}

/** Complete entries, as views of kernel memory that are valid until the next call. Their texts do not overlap. */
export interface EntryBatch {
  readonly count: number
  /** Where each text starts and ends in kernel memory, in ascending order. */
  readonly textStart: Uint32Array
  readonly textEnd: Uint32Array
  /** Nanoseconds since 1970. */
  readonly timestamp: BigInt64Array
  /** Number of the entry's first line, from 1. */
  readonly line: Uint32Array
  /** ENTRY_FLAG bits of each entry. */
  readonly flags: Uint8Array
  /** The range that contains all these texts. */
  readonly textFrom: number
  readonly textTo: number
}

export type Deliver = (batch: EntryBatch) => void

/** The entries in the kernel's arrays: at least one. */
export function batchOf({ memory }: KernelMemory, { words }: Block): EntryBatch {
  const count = words[STATE.count]
  const textStart = new Uint32Array(memory.buffer, words[STATE.starts], count)
  const textEnd = new Uint32Array(memory.buffer, words[STATE.ends], count)
  return {
    count,
    textStart,
    textEnd,
    timestamp: new BigInt64Array(memory.buffer, words[STATE.times], count),
    line: new Uint32Array(memory.buffer, words[STATE.lines], count),
    flags: new Uint8Array(memory.buffer, words[STATE.flags], count),
    textFrom: textStart[0],
    textTo: textEnd[count - 1],
  }
}

/** The state block of a reader, and views of the memory that its addresses point to. Valid until the memory grows. */
export interface Block {
  /** Indexed by STATE. */
  readonly words: Uint32Array
  /** The same as 64-bit values: indexed by STATE / 2. */
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

/** Appends an entry to the arrays. */
export function emit(
  { words, u32, i64, bytes }: Block,
  start: number,
  end: number,
  line: number,
  time: bigint,
  flags: number,
): void {
  const index = words[STATE.count]++
  u32[(words[STATE.starts] >> 2) + index] = start
  u32[(words[STATE.ends] >> 2) + index] = end
  u32[(words[STATE.lines] >> 2) + index] = line
  i64[(words[STATE.times] >> 3) + index] = time
  bytes[words[STATE.flags] + index] = flags
}

export function openEntry({ words, longs }: Block, start: number, end: number, time: bigint, flags: number): void {
  words[STATE.open] = 1
  words[STATE.timeless] = 0
  words[STATE.reviewAt] = REVIEW_AFTER
  words[STATE.openStart] = start
  words[STATE.openEnd] = end
  words[STATE.openLine] = words[STATE.line]
  words[STATE.openFlags] = flags
  longs[STATE.openTime >> 1] = time
}

/** Appends the open entry, which is complete: the next one starts, or the data ends. */
export function emitOpen(block: Block): void {
  const { words, longs } = block
  if (words[STATE.open] === 0) return
  words[STATE.open] = 0
  const time = longs[STATE.openTime >> 1]
  emit(block, words[STATE.openStart], words[STATE.openEnd], words[STATE.openLine], time, words[STATE.openFlags])
}

/**
 * Adds a line to the open entry, after a line feed. Usually it is already in place; after a carriage return or a line that
 * was cut it is moved up.
 */
export function addToOpen({ words, bytes }: Block, start: number, end: number, flags: number): void {
  const textEnd = words[STATE.openEnd]
  const free = LONGEST - (textEnd - words[STATE.openStart])
  if (end - start + 1 > free) noteCut(words)
  if (free === 0) return
  const take = Math.min(free - 1, end - start)
  bytes[textEnd] = 10
  if (textEnd + 1 !== start) bytes.copyWithin(textEnd + 1, start, start + take)
  words[STATE.openEnd] = textEnd + 1 + take
  words[STATE.openFlags] |= flags
}

/** Adds a piece to an entry that a container runtime has split; `partial` is the word at which its PARTIAL starts. */
export function addToPartial(
  { words, longs, bytes }: Block,
  partial: number,
  start: number,
  end: number,
  time: bigint,
  flags: number,
): void {
  if (words[partial + PARTIAL.line] === 0) {
    words[partial + PARTIAL.line] = words[STATE.line]
    words[partial + PARTIAL.length] = 0
    words[partial + PARTIAL.flags] = 0
    longs[(partial + PARTIAL.time) >> 1] = time
  }
  const length = words[partial + PARTIAL.length]
  const take = Math.min(LONGEST - length, end - start)
  if (take < end - start) noteCut(words)
  bytes.copyWithin(words[partial + PARTIAL.text] + length, start, start + take)
  words[partial + PARTIAL.length] = length + take
  words[partial + PARTIAL.flags] |= flags
}

/** Appends an entry whose last piece was read. Its text is not between the other texts, so it is delivered alone. */
export function emitPartial(block: Block, partial: number): void {
  const { words, longs } = block
  const start = words[partial + PARTIAL.text]
  const line = words[partial + PARTIAL.line]
  const time = longs[(partial + PARTIAL.time) >> 1]
  emit(block, start, start + words[partial + PARTIAL.length], line, time, words[partial + PARTIAL.flags])
  words[partial + PARTIAL.line] = 0
}

/** Records that a line or entry was cut, for one warning. */
export function noteCut(words: Uint32Array): void {
  if (words[STATE.cutLine] === 0) words[STATE.cutLine] = words[STATE.line]
}

/** The last lines that were folded into the open entry, at most REVIEW_AFTER. */
export function foldedLines({ words, bytes }: Block): Lines {
  const lines: Lines = { bytes, starts: [], ends: [] }
  const first = words[STATE.openStart]
  let end = words[STATE.openEnd]
  // An entry that was cut does not have all of its lines.
  if (end - first === LONGEST) return lines
  for (let n = Math.min(REVIEW_AFTER, words[STATE.timeless]); n > 0; n--) {
    const lineFeed = bytes.lastIndexOf(10, end - 1)
    lines.starts.unshift(lineFeed + 1)
    lines.ends.unshift(end)
    end = lineFeed
  }
  return lines
}

/**
 * Removes the folded lines from index `first` on from the open entry and makes them unread: moves them to directly before the
 * unread bytes, with a line feed after the last one.
 */
export function unfold({ words, bytes }: Block, lines: Lines, first: number): void {
  const start = lines.starts[first]
  const end = words[STATE.openEnd]
  const count = lines.starts.length - first
  const at = words[STATE.at] - (end - start) - 1
  bytes.copyWithin(at, start, end)
  bytes[words[STATE.at] - 1] = 10
  words[STATE.openEnd] = start - 1
  words[STATE.at] = at
  words[STATE.searched] = at
  words[STATE.line] -= count
  words[STATE.folded] -= count
  words[STATE.timeless] -= count
  const hasBackslash = bytes.subarray(words[STATE.openStart], words[STATE.openEnd]).includes(92)
  if (!hasBackslash) words[STATE.openFlags] &= ~ENTRY_FLAG.backslash
}
