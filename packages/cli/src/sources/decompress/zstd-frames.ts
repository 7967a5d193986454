import type { CompressedBytes } from './compressed-bytes.js'
import { corrupt, truncated, unsupported } from './decompressor.js'

/** The window that the zstd tool accepts without an option: 128 MiB. */
const MAX_WINDOW = 2 ** 27

/** The most bytes in a block, compressed or not. */
const MAX_BLOCK = 128 * 1024

/** The most blocks in a piece, which therefore decompresses to at most 1 MiB. */
const MAX_BLOCKS = 8

const MAGIC = 0xfd2fb528
const SKIPPABLE = 0x184d2a5
const CHECKSUM_BYTES = 4
const BLOCK_HEADER_BYTES = 3
const MAX_HEADER_BYTES = 18

/** The types of blocks. */
const RUN = 1
const RESERVED = 3

/**
 * Splits zstd data into pieces of whole blocks of one frame, each with the frame's header before its first block and the
 * checksum after its last one. A piece is valid until the next one is requested. No piece decompresses to more than 1 MiB, a
 * window above the limit is refused, and truncated data is detected. Skippable frames are left out.
 */
export async function* readZstdPieces(input: CompressedBytes): AsyncGenerator<Uint8Array, void, void> {
  while (await input.fill(1)) {
    if (!(await input.fill(4))) throw truncated('zstd')
    const magic = numberAt(input.bytes, input.start, 4)
    if (magic >>> 4 === SKIPPABLE) await skipFrame(input)
    else if (magic === MAGIC) yield* readFrame(input)
    else throw corrupt('zstd')
  }
}

async function skipFrame(input: CompressedBytes): Promise<void> {
  if (!(await input.fill(8))) throw truncated('zstd')
  let remaining = 8 + numberAt(input.bytes, input.start + 4, 4)
  while (remaining > 0) {
    if (!(await input.fill(1))) throw truncated('zstd')
    const count = Math.min(remaining, input.end - input.start)
    input.skip(count)
    remaining -= count
  }
}

async function* readFrame(input: CompressedBytes): AsyncGenerator<Uint8Array, void, void> {
  await input.fill(MAX_HEADER_BYTES)
  const header = readHeader(input.bytes.subarray(input.start, input.end))
  let length = header.bytes
  let isLast = false
  for (let blocks = 0; !isLast; blocks++) {
    if (blocks > 0 && (blocks === MAX_BLOCKS || !isBuffered(input, length))) {
      yield take(input, length)
      length = 0
      blocks = 0
    }
    const block = await readBlock(input, length)
    length += block.length
    isLast = block.isLast
  }
  if (header.hasChecksum) {
    // The blocks are complete even if the checksum is missing.
    if (!input.has(length + CHECKSUM_BYTES)) {
      yield take(input, length)
      length = 0
    }
    if (!(await input.fill(length + CHECKSUM_BYTES))) throw truncated('zstd')
    length += CHECKSUM_BYTES
  }
  yield take(input, length)
}

function take(input: CompressedBytes, length: number): Uint8Array {
  const piece = input.bytes.subarray(input.start, input.start + length)
  input.skip(length)
  return piece
}

/** Whether the whole block that starts `offset` bytes after `input.start` is in memory. */
function isBuffered(input: CompressedBytes, offset: number): boolean {
  return input.has(offset + BLOCK_HEADER_BYTES) && input.has(offset + blockAt(input.bytes, input.start + offset).length)
}

/** Waits until the block that starts `offset` bytes after `input.start` is in memory. */
async function readBlock(input: CompressedBytes, offset: number): Promise<{ length: number; isLast: boolean }> {
  if (!(await input.fill(offset + BLOCK_HEADER_BYTES))) throw truncated('zstd')
  const block = blockAt(input.bytes, input.start + offset)
  if (block.type === RESERVED || block.size > MAX_BLOCK) throw corrupt('zstd')
  if (!(await input.fill(offset + block.length))) throw truncated('zstd')
  return block
}

/** Reads the header of the block at `at`. `length` is the number of bytes of the block in the archive, with its header. */
function blockAt(bytes: Uint8Array, at: number) {
  const header = numberAt(bytes, at, BLOCK_HEADER_BYTES)
  const type = (header >>> 1) & 3
  const size = header >>> 3
  return { isLast: (header & 1) === 1, type, size, length: BLOCK_HEADER_BYTES + (type === RUN ? 1 : size) }
}

/** Reads the header of a frame. Throws if it is corrupt or truncated, or requires a dictionary or too large a window. */
function readHeader(bytes: Uint8Array): { readonly bytes: number; readonly hasChecksum: boolean } {
  const flags = bytes[4]
  const isSingleSegment = (flags & 0x20) !== 0
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][flags >>> 6]
  const dictionaryBytes = [0, 1, 2, 4][flags & 3]
  const dictionaryAt = isSingleSegment ? 5 : 6
  const sizeAt = dictionaryAt + dictionaryBytes
  const headerBytes = sizeAt + sizeBytes
  if (bytes.length < headerBytes || flags === undefined) throw truncated('zstd')
  if (flags & 0x08) throw corrupt('zstd')
  if (numberAt(bytes, dictionaryAt, dictionaryBytes) !== 0)
    throw unsupported('zstd', 'a dictionary', 'zstd -dc -D DICTIONARY')
  // A single segment is as large as its contents; that size is written in 2 bytes less 256.
  const window = isSingleSegment
    ? numberAt(bytes, sizeAt, sizeBytes) + (sizeBytes === 2 ? 256 : 0)
    : windowSize(bytes[5])
  if (window > MAX_WINDOW) throw unsupported('zstd', 'a window above 128 MiB', 'zstd -dc --long=31')
  return { bytes: headerBytes, hasChecksum: (flags & 0x04) !== 0 }
}

/** A power of two plus a number of eighths of it. */
function windowSize(descriptor: number): number {
  const power = 2 ** (10 + (descriptor >>> 3))
  return power + (power / 8) * (descriptor & 7)
}

/** The little-endian number in up to eight bytes; above 2^53 it is rounded. */
function numberAt(bytes: Uint8Array, at: number, count: number): number {
  let value = 0
  for (let i = count - 1; i >= 0; i--) value = value * 256 + bytes[at + i]
  return value
}
