/** Thrown when the bits run out: there may be more of them to come. */
export const OUT_OF_BITS = Symbol('out of bits')

/** Reads bits, the highest of a byte first. */
export interface Bits {
  readonly bytes: Uint8Array
  /** The next bit, counted from the start of `bytes`, and the end. */
  at: number
  readonly end: number
  /** The next bits as a number: at most 24 of them. */
  read(count: number): number
}

/**
 * Makes a reader of the bits of `bytes` from the byte `start` to the byte `end`.
 *
 * @example
 * createBits(Uint8Array.of(0b10110000), 0, 1).read(3) // 0b101
 */
export function createBits(bytes: Uint8Array, start: number, end: number): Bits {
  const bits: Bits = {
    bytes,
    at: 8 * start,
    end: 8 * end,
    read(count) {
      const { at } = bits
      bits.at = at + count
      if (bits.at > bits.end) throw OUT_OF_BITS
      return count === 0 ? 0 : peek(bytes, at) >>> (32 - count)
    },
  }
  return bits
}

/** The bits from `at` on, at the top of a number; 25 of them are certain. */
export function peek(bytes: Uint8Array, at: number): number {
  const first = at >>> 3
  const word = (bytes[first] << 24) | (bytes[first + 1] << 16) | (bytes[first + 2] << 8) | bytes[first + 3]
  return word << (at & 7)
}
