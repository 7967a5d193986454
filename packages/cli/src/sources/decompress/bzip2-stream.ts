import { linkRotations, readBlockHeader, readSymbols } from './bzip2-block.js'
import { type Bits, createBits, OUT_OF_BITS } from './bzip2-codes.js'
import type { CompressedBytes } from './compressed-bytes.js'
import { corrupt, truncated } from './decompressor.js'

/** A block holds at most this many bytes per level, before runs are expanded. */
const LEVEL_BYTES = 100_000
const MAX_BYTES = 9 * LEVEL_BYTES

/** The compressed size of a block of random bytes. A larger block, which no tool writes, is decoded again with more input. */
const USUAL_COMPRESSED = MAX_BYTES + 64 * 1024

/** No block is larger: twenty bits for every byte, plus its tables. */
const MAX_COMPRESSED = (MAX_BYTES * 20) / 8 + 64 * 1024

/** The first digits of π and of √π. */
const START_OF_BLOCK = 0x314159265359
const END_OF_STREAM = 0x177245385090

/** A block whose elements are linked: each holds a byte, and above it the index of the next element in the data. */
interface LinkedBlock {
  readonly links: Uint32Array
  readonly length: number
  /** The index of the element before the first one. */
  readonly origin: number
}

/** A block and the checksum of its contents. */
export type Block = LinkedBlock & { readonly checksum: number }

/** Reads the blocks of all streams. */
export interface BlockReader {
  /** The next block, valid until the one after it is requested; undefined at the end. */
  next(): Promise<Block | undefined>
}

/** Creates a reader of blocks. It checks the checksum of each stream; the caller checks those of the blocks. */
export function createBlockReader(input: CompressedBytes): BlockReader {
  const links = new Uint32Array(MAX_BYTES)
  let limit: number | undefined
  let sum = 0
  // Blocks do not start at byte boundaries.
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

/** Reads `BZh` and the level; returns the most bytes that a block may have. */
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

/** Decodes the next part. Its size is not known in advance: if the bits run out, it is decoded again with more input. */
async function decodePart(input: CompressedBytes, skip: number, links: Uint32Array, limit: number): Promise<Part> {
  for (let wanted = USUAL_COMPRESSED; ; wanted = MAX_COMPRESSED) {
    const isFull = await input.fill(wanted)
    const bits = createBits(input.bytes, input.start, input.end)
    bits.at += skip
    try {
      const { block, checksum } = readPart(bits, links, limit)
      // A stream ends at a byte boundary.
      const end = block ? bits.at : 8 * Math.ceil(bits.at / 8)
      input.skip((end >>> 3) - input.start)
      return { block, checksum, skip: end & 7 }
    } catch (error) {
      if (error !== OUT_OF_BITS) throw error
      if (!isFull) throw truncated('bzip2')
      if (wanted === MAX_COMPRESSED) throw corrupt('bzip2')
    }
  }
}

function readPart(bits: Bits, links: Uint32Array, limit: number): Omit<Part, 'skip'> {
  const magic = bits.read(24) * 2 ** 24 + bits.read(24)
  const checksum = ((bits.read(16) << 16) | bits.read(16)) >>> 0
  if (magic === END_OF_STREAM) return { block: undefined, checksum }
  if (magic !== START_OF_BLOCK) throw corrupt('bzip2')
  const header = readBlockHeader(bits)
  const counts = new Uint32Array(256)
  const length = readSymbols(bits, header, links, limit, counts)
  if (header.origin >= length) throw corrupt('bzip2')
  linkRotations(links, length, counts)
  return { block: { links, length, origin: header.origin }, checksum }
}
