import { type Bits, createBits, OUT_OF_BITS } from './bzip2-bits.js'
import { linkRotations, readBlockHeader, readSymbols } from './bzip2-block.js'
import type { LinkedBlock } from './bzip2-runs.js'
import type { CompressedBytes } from './compressed-bytes.js'
import { corrupt, truncated } from './decompressor.js'

/** A block holds at most this many bytes for each level, runs counted short. */
const LEVEL_BYTES = 100_000
const MOST_BYTES = 9 * LEVEL_BYTES

/** What a block of random bytes packs to. Blocks that are larger, which no tool writes, are tried again with more. */
const USUAL_PACKED = MOST_BYTES + 64 * 1024

/** No block is larger: twenty bits for every byte, and its tables. */
const MOST_PACKED = (MOST_BYTES * 20) / 8 + 64 * 1024

/** The first digits of π and of √π. */
const START_OF_BLOCK = 0x314159265359
const END_OF_STREAM = 0x177245385090

/** A block, and the checksum of what is in it. */
export type Block = LinkedBlock & { readonly checksum: number }

/** Reads block after block, through all streams. */
export interface BlockReader {
  /** The next block, which is valid until the one after it is asked for; undefined at the end. */
  next(): Promise<Block | undefined>
}

/** Makes a reader of blocks. It checks the checksum of each stream; those of the blocks are the caller's to check. */
export function createBlockReader(input: CompressedBytes): BlockReader {
  const links = new Uint32Array(MOST_BYTES)
  let limit: number | undefined
  let sum = 0
  // Blocks do not start at whole bytes.
  let skip = 0

  return {
    async next() {
      for (;;) {
        limit ??= await readStreamHeader(input)
        const part = await decodePart(input, skip, links, limit)
        skip = part.skip
        if (part.block) {
          sum = (((sum << 1) | (sum >>> 31)) ^ part.checksum) >>> 0
          return { ...part.block, checksum: part.checksum }
        }
        if (part.checksum !== sum) throw corrupt('bzip2')
        sum = 0
        limit = undefined
        if (!(await input.fill(1))) return undefined
      }
    },
  }
}

/** Reads `BZh` and the level; returns how many bytes a block may have. */
async function readStreamHeader(input: CompressedBytes): Promise<number> {
  if (!(await input.fill(4))) throw truncated('bzip2')
  const [b, z, h, digit] = input.bytes.subarray(input.start)
  const level = digit - 0x30
  if (b !== 0x42 || z !== 0x5a || h !== 0x68 || level < 1 || level > 9) throw corrupt('bzip2')
  input.skip(4)
  return level * LEVEL_BYTES
}

/** A block, or the end of a stream, with the checksum of either. The next part starts `skip` bits into the next byte. */
interface Part {
  readonly block: LinkedBlock | undefined
  readonly checksum: number
  readonly skip: number
}

/** Decodes the next part. What a block needs is not known before: if the bits run out, it is decoded again with more. */
async function decodePart(input: CompressedBytes, skip: number, links: Uint32Array, limit: number): Promise<Part> {
  for (let wanted = USUAL_PACKED; ; wanted = MOST_PACKED) {
    const isFull = await input.fill(wanted)
    const bits = createBits(input.bytes, input.start, input.end)
    bits.at += skip
    try {
      const { block, checksum } = readPart(bits, links, limit)
      // A stream ends at a whole byte.
      const end = block ? bits.at : 8 * Math.ceil(bits.at / 8)
      input.skip((end >>> 3) - input.start)
      return { block, checksum, skip: end & 7 }
    } catch (error) {
      if (error !== OUT_OF_BITS) throw error
      if (!isFull) throw truncated('bzip2')
      if (wanted === MOST_PACKED) throw corrupt('bzip2')
    }
  }
}

function readPart(bits: Bits, links: Uint32Array, limit: number): Omit<Part, 'skip'> {
  const mark = bits.read(24) * 2 ** 24 + bits.read(24)
  const checksum = ((bits.read(16) << 16) | bits.read(16)) >>> 0
  if (mark === END_OF_STREAM) return { block: undefined, checksum }
  if (mark !== START_OF_BLOCK) throw corrupt('bzip2')
  const header = readBlockHeader(bits)
  const counts = new Uint32Array(256)
  const length = readSymbols(bits, header, links, limit, counts)
  if (header.origin >= length) throw corrupt('bzip2')
  linkRotations(links, length, counts)
  return { block: { links, length, origin: header.origin }, checksum }
}
