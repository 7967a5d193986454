import { COPY_MARGIN, copySequences } from './zstd-copies.js'
import { type History, MOST_BLOCK } from './zstd-history.js'
import type { HuffmanTable } from './zstd-huffman.js'
import { readLiterals } from './zstd-literals.js'
import { createSequences, readSequences } from './zstd-sequence-bits.js'
import { readSequencesHeader, type SequenceTables } from './zstd-sequences.js'

/** Unpacks compressed blocks. */
export interface BlockDecoder {
  /** Forgets what the blocks of one frame leave for each other. */
  begin(): void
  /** Unpacks the block in `bytes` from `start` to `end` to the end of the history. */
  decode(bytes: Uint8Array, start: number, end: number): void
}

/** Bits that are missing in front of a block, or behind it, are found out after they were read: there must be something. */
const MARGIN = 16

/** Makes a decoder that writes to a history. */
export function createBlockDecoder(history: History): BlockDecoder {
  const literals = new Uint8Array(MOST_BLOCK + COPY_MARGIN)
  const packed = new Uint8Array(MARGIN + MOST_BLOCK + MARGIN)
  const bits = new DataView(packed.buffer)
  const sequences = createSequences()
  // The last three distances.
  const recent = new Int32Array(3)
  let code: HuffmanTable | undefined
  let tables: SequenceTables | undefined

  return {
    begin() {
      recent.set([1, 4, 8])
      code = undefined
      tables = undefined
    },
    decode(bytes, start, end) {
      packed.set(bytes.subarray(start, end), MARGIN)
      const limit = MARGIN + end - start
      const read = readLiterals(packed, MARGIN, limit, literals, code)
      code = read.table
      const header = readSequencesHeader(packed, read.end, limit, tables)
      tables = header.tables
      if (header.count > 0 && tables) readSequences(header.count, tables, bits, header.end, limit, recent, sequences)
      copySequences(header.count, sequences, literals, read.length, history)
    },
  }
}
