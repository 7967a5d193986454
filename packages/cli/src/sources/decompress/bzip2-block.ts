import { type Bits, type Code, LENGTH_BITS, LONGEST, OUT_OF_BITS, peek, readCode, SHORT } from './bzip2-codes.js'
import { corrupt, unsupported } from './decompressor.js'

/** What precedes the data of a block. */
export interface BlockHeader {
  /** The index of the sorted rotation that is the data itself. */
  readonly origin: number
  /** The bytes that occur, in ascending order. */
  readonly alphabet: Uint8Array
  /** The codes, and for each group of symbols the index of its code. */
  readonly codes: readonly Code[]
  readonly selectors: Uint8Array
}

/** The number of consecutive symbols that share a code. */
const GROUP = 50

/** Reads what follows the checksum of a block. */
export function readBlockHeader(bits: Bits): BlockHeader {
  if (bits.read(1) === 1) throw unsupported('bzip2', 'the randomization that bzip2 gave up in 1999', 'bzip2 -dc')
  const origin = bits.read(24)
  const alphabet = readAlphabet(bits)
  const codeCount = bits.read(3)
  const selectorCount = bits.read(15)
  if (alphabet.length === 0 || codeCount < 2 || codeCount > 6 || selectorCount === 0) throw corrupt('bzip2')
  const selectors = readSelectors(bits, selectorCount, codeCount)
  const codes = Array.from({ length: codeCount }, () => readCode(bits, alphabet.length + 2))
  return { origin, alphabet, codes, selectors }
}

/** Sixteen bits say which ranges of sixteen bytes occur, then sixteen bits for each of those say which bytes. */
function readAlphabet(bits: Bits): Uint8Array {
  const alphabet: number[] = []
  const ranges = bits.read(16)
  for (let range = 0; range < 16; range++) {
    if ((ranges & (0x8000 >>> range)) === 0) continue
    const used = bits.read(16)
    for (let low = 0; low < 16; low++) if (used & (0x8000 >>> low)) alphabet.push(16 * range + low)
  }
  return Uint8Array.from(alphabet)
}

/** Each is written as its index in a list, then moves to the front of the list. */
function readSelectors(bits: Bits, count: number, codeCount: number): Uint8Array {
  const selectors = new Uint8Array(count)
  const order = Array.from({ length: codeCount }, (_, index) => index)
  for (let i = 0; i < count; i++) {
    let index = 0
    while (bits.read(1) === 1) if (++index >= codeCount) throw corrupt('bzip2')
    const [code] = order.splice(index, 1)
    order.unshift(code)
    selectors[i] = code
  }
  return selectors
}

/**
 * Reads the symbols of a block into `sorted`: the last column of the sorted rotations, one byte per element. A symbol is a
 * digit of how often the first byte of a list is repeated, or the index of a byte in that list, which then moves to the front;
 * the last symbol ends the block. Returns the number of bytes, and counts each byte in `counts`.
 */
export function readSymbols(
  bits: Bits,
  header: BlockHeader,
  sorted: Uint32Array,
  limit: number,
  counts: Uint32Array,
): number {
  const { alphabet, codes, selectors } = header
  const { bytes } = bits
  const list = new Uint8Array(256)
  list.set(alphabet)
  const last = alphabet.length + 1
  let { at } = bits
  let filled = 0
  let repeats = 0
  let digit = 1
  for (let group = 0; group < selectors.length; group++) {
    const code = codes[selectors[group]]
    const { short } = code
    for (let i = 0; i < GROUP; i++) {
      const word = peek(bytes, at)
      let entry = short[word >>> (32 - SHORT)]
      if (entry === 0) entry = findLong(code, word)
      at += entry & ((1 << LENGTH_BITS) - 1)
      const symbol = entry >>> LENGTH_BITS
      if (symbol < 2) {
        repeats += digit << symbol
        digit *= 2
        // Checked for every digit, so that `digit` cannot overflow.
        if (repeats > limit) throw corrupt('bzip2')
        continue
      }
      if (repeats > 0) {
        if (filled + repeats > limit) throw corrupt('bzip2')
        const byte = list[0]
        counts[byte] += repeats
        sorted.fill(byte, filled, filled + repeats)
        filled += repeats
        repeats = 0
        digit = 1
      }
      if (symbol === last) {
        bits.at = at
        if (at > bits.end) throw OUT_OF_BITS
        return filled
      }
      if (filled === limit) throw corrupt('bzip2')
      const byte = moveToFront(list, symbol - 1)
      counts[byte]++
      sorted[filled++] = byte
    }
    if (at > bits.end) throw OUT_OF_BITS
  }
  throw at > bits.end ? OUT_OF_BITS : corrupt('bzip2')
}

/** Finds a code of more than ten bits. */
function findLong({ limits, offsets, symbols }: Code, word: number): number {
  const bits = word >>> 0
  for (let length = SHORT + 1; length <= LONGEST; length++) {
    if (bits >= limits[length]) continue
    return (symbols[offsets[length] + (bits >>> (32 - length))] << LENGTH_BITS) | length
  }
  throw corrupt('bzip2')
}

function moveToFront(list: Uint8Array, index: number): number {
  const byte = list[index]
  for (let i = index; i > 0; i--) list[i] = list[i - 1]
  list[0] = byte
  return byte
}

/** Links each element of `sorted` to the next one in the data: the index of that goes above the byte. */
export function linkRotations(sorted: Uint32Array, length: number, counts: Uint32Array): void {
  let sum = 0
  for (let byte = 0; byte < 256; byte++) {
    const count = counts[byte]
    counts[byte] = sum
    sum += count
  }
  for (let i = 0; i < length; i++) sorted[counts[sorted[i] & 0xff]++] |= i << 8
}
