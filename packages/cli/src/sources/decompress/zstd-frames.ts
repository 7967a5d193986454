import type { CompressedBytes } from './compressed-bytes.js'
import { corrupt, truncated, unsupported } from './decompressor.js'
import { MOST_BLOCK } from './zstd-history.js'

/** A stretch of whole blocks of one frame. */
export interface ZstdPiece {
  /** With the header of the frame, where it begins, and its checksum, where it ends. Valid until the next piece is asked for. */
  readonly bytes: Uint8Array
  readonly frame: ZstdFrame
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** What the header of a frame says. */
export interface ZstdFrame {
  readonly window: number
  /** How much it unpacks to, when it says so. */
  readonly contentSize: bigint | undefined
  readonly hasChecksum: boolean
  readonly headerBytes: number
}

/** What the zstd tool, too, is ready to hold without being told: 128 MiB. */
const MOST_WINDOW = 2 ** 27

/** Blocks are handed on together up to this many: at most 1 MiB of data comes of them, however small they are. */
const MOST_BLOCKS = 8

const MAGIC = 0xfd2fb528
const SKIPPABLE = 0x184d2a5
export const CHECKSUM_BYTES = 4
const BLOCK_HEADER_BYTES = 3
const MOST_HEADER_BYTES = 18

/**
 * Cuts zstd data at its blocks, of which each says its size. So no piece unpacks to more than 1 MiB, and an end that comes too
 * early is seen. Frames that hold no data are left out.
 */
export async function* readZstdPieces(input: CompressedBytes): AsyncGenerator<ZstdPiece, void, void> {
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
  let left = 8 + numberAt(input.bytes, input.start + 4, 4)
  while (left > 0) {
    if (!(await input.fill(1))) throw truncated('zstd')
    const count = Math.min(left, input.end - input.start)
    input.skip(count)
    left -= count
  }
}

async function* readFrame(input: CompressedBytes): AsyncGenerator<ZstdPiece, void, void> {
  await input.fill(MOST_HEADER_BYTES)
  const frame = readHeader(input.bytes.subarray(input.start, input.end))
  let length = frame.headerBytes
  let isFirst = true
  let isLast = false
  for (let blocks = 0; !isLast; blocks++) {
    const isFull = blocks === MOST_BLOCKS || !isBuffered(input, length)
    if (isFull && blocks > 0) {
      yield take(input, length, { frame, isFirst, isLast })
      isFirst = false
      length = 0
      blocks = 0
    }
    const block = await readBlock(input, length)
    length += block.length
    isLast = block.isLast
  }
  if (frame.hasChecksum) {
    // The blocks are complete, whatever comes of the checksum: they are not held back for it.
    if (!input.has(length + CHECKSUM_BYTES)) {
      yield take(input, length, { frame, isFirst, isLast: false })
      isFirst = false
      length = 0
    }
    if (!(await input.fill(length + CHECKSUM_BYTES))) throw truncated('zstd')
    length += CHECKSUM_BYTES
  }
  yield take(input, length, { frame, isFirst, isLast: true })
}

function take(input: CompressedBytes, length: number, place: Omit<ZstdPiece, 'bytes'>): ZstdPiece {
  const bytes = input.bytes.subarray(input.start, input.start + length)
  input.skip(length)
  return { bytes, ...place }
}

/** Whether the block that starts `offset` bytes from here is in memory, all of it. */
function isBuffered(input: CompressedBytes, offset: number): boolean {
  if (!input.has(offset + BLOCK_HEADER_BYTES)) return false
  return blockAt(input.bytes, input.start + offset).next <= input.end
}

/** Waits until the block that starts `offset` bytes from here is in memory. */
async function readBlock(input: CompressedBytes, offset: number): Promise<{ length: number; isLast: boolean }> {
  if (!(await input.fill(offset + BLOCK_HEADER_BYTES))) throw truncated('zstd')
  const at = input.start + offset
  const { isLast, type, size, next } = blockAt(input.bytes, at)
  if (type === BLOCK.reserved || size > MOST_BLOCK) throw corrupt('zstd')
  const length = next - at
  if (!(await input.fill(offset + length))) throw truncated('zstd')
  return { length, isLast }
}

/** The types of blocks. */
export const BLOCK = { raw: 0, run: 1, compressed: 2, reserved: 3 } as const

/** What the header of a block says that starts at `at`. `size` is that of its data, packed only when it is compressed. */
export function blockAt(bytes: Uint8Array, at: number) {
  const header = numberAt(bytes, at, BLOCK_HEADER_BYTES)
  const type = (header >>> 1) & 3
  const size = header >>> 3
  const start = at + BLOCK_HEADER_BYTES
  return { isLast: (header & 1) === 1, type, size, start, next: start + (type === BLOCK.run ? 1 : size) }
}

/** Reads the header of a frame; throws when it is broken, cut off, or asks for too much. */
function readHeader(bytes: Uint8Array): ZstdFrame {
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
  const contentSize =
    sizeBytes === 0 ? undefined : wideNumberAt(bytes, sizeAt, sizeBytes) + (sizeBytes === 2 ? 256n : 0n)
  const window = isSingleSegment ? Number(contentSize) : windowSize(bytes[5])
  if (window > MOST_WINDOW) throw unsupported('zstd', 'a window above 128 MiB', 'zstd -dc --long=31')
  return { window, contentSize, hasChecksum: (flags & 0x04) !== 0, headerBytes }
}

/** A power of two, and so many eighths of it. */
function windowSize(descriptor: number): number {
  const power = 2 ** (10 + (descriptor >>> 3))
  return power + (power / 8) * (descriptor & 7)
}

/** The number in up to four bytes, the lowest first. */
export function numberAt(bytes: Uint8Array, at: number, count: number): number {
  let value = 0
  for (let i = count - 1; i >= 0; i--) value = (value << 8) | bytes[at + i]
  return value >>> 0
}

function wideNumberAt(bytes: Uint8Array, at: number, count: number): bigint {
  if (count <= 4) return BigInt(numberAt(bytes, at, count))
  return (BigInt(numberAt(bytes, at + 4, count - 4)) << 32n) | BigInt(numberAt(bytes, at, 4))
}
