import type { ReadBytes } from './decompressor.js'

/** The unread part of compressed data that is in memory: `bytes` from `start` to `end`. */
export interface CompressedBytes {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
  /** Whether that many unread bytes are in memory. */
  has(count: number): boolean
  /** Reads until that many are in memory; false if the data ends before. Views of `bytes` become invalid. */
  fill(count: number): Promise<boolean>
  skip(count: number): void
}

/** The initial capacity. */
const INITIAL = 64 * 1024

/** Buffers compressed data. The capacity grows up to the largest `fill`, rounded up to a doubling. */
export function createCompressedBytes(read: ReadBytes): CompressedBytes {
  let bytes = new Uint8Array(INITIAL)
  let start = 0
  let end = 0
  let hasEnded = false

  function reserve(count: number): void {
    if (start + count <= bytes.length) return
    const target = count > bytes.length ? new Uint8Array(Math.max(count, 2 * bytes.length)) : bytes
    target.set(bytes.subarray(start, end))
    bytes = target
    end -= start
    start = 0
  }

  return {
    get bytes() {
      return bytes
    },
    get start() {
      return start
    },
    get end() {
      return end
    },
    has: (count) => end - start >= count,
    async fill(count) {
      while (end - start < count && !hasEnded) {
        reserve(count)
        const more = await read(bytes.subarray(end))
        end += more
        hasEnded = more === 0
      }
      return end - start >= count
    },
    skip(count) {
      start += count
    },
  }
}
