import type { KernelMemory } from '../kernel/memory.js'
import { STATE } from './abi.js'
import type { Block } from './entries.js'

/** Complete entries, as views into kernel memory that are valid until the next call. Their texts never overlap. */
export interface EntryBatch {
  readonly count: number
  /** Where each text starts and ends in kernel memory, in ascending order. */
  readonly textStart: Uint32Array
  readonly textEnd: Uint32Array
  /** Nanoseconds since 1970. */
  readonly timestamp: BigInt64Array
  /** Number of the entry's first line, from 1. */
  readonly line: Uint32Array
  /** The range that holds all these texts. */
  readonly textFrom: number
  readonly textTo: number
}

export type Deliver = (batch: EntryBatch) => void

/** The entries that the kernel has left in its arrays: at least one. */
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
    textFrom: textStart[0],
    textTo: textEnd[count - 1],
  }
}
