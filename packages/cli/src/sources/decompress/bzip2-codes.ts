import { corrupt } from './decompressor.js'

/** Thrown when the bits in memory run out. The archive may have more. */
export const OUT_OF_BITS = Symbol('out of bits')

/** Reads bits, the highest bit of a byte first. */
export interface Bits {
  readonly bytes: Uint8Array
  /** The index of the next bit, counted from the start of `bytes`. */
  at: number
  readonly end: number
  /** Reads up to 24 bits as a number. */
  read(count: number): number
}

/**
 * Creates a reader of the bits of `bytes` from the byte `start` to the byte `end`.
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

/** The bits from `at` on, at the top of a 32-bit number. At least 25 of them are valid. */
export function peek(bytes: Uint8Array, at: number): number {
  const first = at >>> 3
  const word = (bytes[first] << 24) | (bytes[first + 1] << 16) | (bytes[first + 2] << 8) | bytes[first + 3]
  return word << (at & 7)
}

/** A Huffman code. */
export interface Code {
  /** Indexed by the next ten bits: the symbol and the length of its code, if that is at most ten; otherwise 0. */
  readonly short: Uint16Array
  /** For each length: the code after its last one, aligned to the top of an unsigned 32-bit number. */
  readonly limits: Float64Array
  /** For each length: what to add to a code to get its index in `symbols`. */
  readonly offsets: Int32Array
  /** In the order of their codes. */
  readonly symbols: Uint16Array
}

export const SHORT = 10
export const LONGEST = 20
/** The low bits of an entry of `short` are the length of the code; the symbol is above them. */
export const LENGTH_BITS = 5

/** Reads the lengths of the codes, each as a difference from the one before, and creates the code that they define. */
export function readCode(bits: Bits, count: number): Code {
  const lengths = new Uint8Array(count)
  let length = bits.read(5)
  for (let symbol = 0; symbol < count; symbol++) {
    for (;;) {
      if (length < 1 || length > LONGEST) throw corrupt('bzip2')
      if (bits.read(1) === 0) break
      length += bits.read(1) === 0 ? 1 : -1
    }
    lengths[symbol] = length
  }
  return createCode(lengths)
}

/** Codes are assigned in order of length, then of symbol. */
function createCode(lengths: Uint8Array): Code {
  const code: Code = {
    short: new Uint16Array(1 << SHORT),
    limits: new Float64Array(LONGEST + 1),
    offsets: new Int32Array(LONGEST + 1),
    symbols: new Uint16Array(lengths.length),
  }
  let next = 0
  let index = 0
  for (let length = 1; length <= LONGEST; length++) {
    next *= 2
    code.offsets[length] = index - next
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue
      // More codes than that many bits can represent.
      if (next >= 2 ** length) throw corrupt('bzip2')
      code.symbols[index++] = symbol
      if (length <= SHORT) {
        const span = 1 << (SHORT - length)
        code.short.fill((symbol << LENGTH_BITS) | length, next * span, (next + 1) * span)
      }
      next++
    }
    code.limits[length] = next * 2 ** (32 - length)
  }
  return code
}
