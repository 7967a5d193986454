import type { Bits } from './bzip2-bits.js'
import { corrupt } from './decompressor.js'

/** A Huffman code: which symbol the next bits are. */
export interface Code {
  /** By the next ten bits: the symbol and the length of its code, where that is at most ten; otherwise 0. */
  readonly short: Uint16Array
  /** For each length: the code that follows its last one, with the bits at the top of a number without sign. */
  readonly limits: Float64Array
  /** For each length: what to add to a code to get its place in `symbols`. */
  readonly offsets: Int32Array
  /** In the order of their codes. */
  readonly symbols: Uint16Array
}

export const SHORT = 10
export const LONGEST = 20
/** Where the length of a code lies in an entry of `short`; above it the symbol. */
export const LENGTH_BITS = 5

/** Reads the lengths of codes, each as the difference to the one before, and makes the code that follows from them. */
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

/** Codes are given out in order: the shorter ones first, and among equals by symbol. */
function createCode(lengths: Uint8Array): Code {
  const code: Code = {
    short: new Uint16Array(1 << SHORT),
    limits: new Float64Array(LONGEST + 1),
    offsets: new Int32Array(LONGEST + 1),
    symbols: new Uint16Array(lengths.length),
  }
  let next = 0
  let place = 0
  for (let length = 1; length <= LONGEST; length++) {
    next *= 2
    code.offsets[length] = place - next
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue
      // More codes than there are bits for.
      if (next >= 2 ** length) throw corrupt('bzip2')
      code.symbols[place++] = symbol
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
