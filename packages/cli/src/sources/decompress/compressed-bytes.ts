import type { ReadBytes } from './decompressor.js'

/** The unread part of compressed data that is in memory: `bytes` from `start` to `end`. */
export interface CompressedBytes {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
  /** Whether that many unread bytes are in memory. */
  has(count: number): boolean
  /** Reads on until that many are; false when the data ends before. Views of `bytes` are no longer valid then. */
  fill(count: number): Promise<boolean>
  skip(count: number): void
}

/** Reads at least this much at a time. */
const LEAST = 64 * 1024

/** Holds what has been read and not been used. Its room grows to the largest `fill` that was asked for, and no further. */
export function createCompressedBytes(read: ReadBytes): CompressedBytes {
  let bytes = new Uint8Array(LEAST)
  let start = 0
  let end = 0
  let hasEnded = false

  function makeRoom(count: number): void {
    if (start + count <= bytes.length) return
    const room = count > bytes.length ? new Uint8Array(Math.max(count, 2 * bytes.length)) : bytes
    room.set(bytes.subarray(start, end))
    bytes = room
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
        makeRoom(count)
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
