import { corrupt } from './decompressor.js'
import { readFseTable } from './zstd-fse.js'

/** A Huffman code: for the next `bits` bits, the length of the code (bits 0 to 3) and its symbol (above). */
export interface HuffmanTable {
  readonly entries: Uint16Array
  readonly bits: number
}

const MOST_BITS = 11
const MOST_WEIGHTS_LOG = 6
const MOST_WEIGHT_SYMBOL = 12

/** Reads a code: the weight of every symbol but the last, which follows from the others. */
export function readHuffmanTable(
  bytes: Uint8Array,
  start: number,
  end: number,
): { readonly table: HuffmanTable; readonly end: number } {
  const header = bytes[start]
  const isPlain = header >= 128
  const next = start + 1 + (isPlain ? (header - 127 + 1) >>> 1 : header)
  if (start >= end || next > end) throw corrupt('zstd')
  const weights = isPlain ? readPlain(bytes, start + 1, header - 127) : readPacked(bytes, start + 1, next)
  return { table: createTable(weights), end: next }
}

function readPlain(bytes: Uint8Array, start: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => {
    const pair = bytes[start + (index >>> 1)]
    return index % 2 === 0 ? pair >>> 4 : pair & 15
  })
}

/** Two states take turns until the bits run out; the other one then gives the last weight. */
function readPacked(bytes: Uint8Array, start: number, end: number): number[] {
  const { table, end: bitsStart } = readFseTable(bytes, start, end, MOST_WEIGHT_SYMBOL, MOST_WEIGHTS_LOG)
  const { entries, log } = table
  if (bitsStart >= end) throw corrupt('zstd')
  let at = 8 * (end - bitsStart - 1) + topBit(bytes[end - 1])
  const take = (count: number) => {
    at -= count
    if (at < 0) return 0
    const first = bitsStart + (at >>> 3)
    return ((bytes[first] | (bytes[first + 1] << 8)) >>> (at & 7)) & ((1 << count) - 1)
  }
  const states = [take(log), take(log)]
  if (at < 0) throw corrupt('zstd')
  const weights: number[] = []
  for (let turn = 0; ; turn ^= 1) {
    const entry = entries[states[turn]]
    weights.push(entry & 0xff)
    states[turn] = (entry >>> 16) + take((entry >>> 8) & 0xff)
    if (at < 0) {
      weights.push(entries[states[turn ^ 1]] & 0xff)
      return weights
    }
    if (weights.length > 255) throw corrupt('zstd')
  }
}

/** The place of the highest bit that is set: the end of the bits is marked by it. */
export function topBit(byte: number): number {
  if (!byte) throw corrupt('zstd')
  return 31 - Math.clz32(byte)
}

function createTable(weights: number[]): HuffmanTable {
  const sum = weights.reduce((total, weight) => total + (weight === 0 ? 0 : 2 ** (weight - 1)), 0)
  const bits = sum === 0 ? 0 : 32 - Math.clz32(sum)
  const rest = 2 ** bits - sum
  const isPower = (rest & (rest - 1)) === 0
  if (bits === 0 || bits > MOST_BITS || !isPower || weights.length > 255) throw corrupt('zstd')
  const all = [...weights, 32 - Math.clz32(rest)]
  const entries = new Uint16Array(1 << bits)
  let place = 0
  for (let weight = 1; weight <= bits; weight++) {
    const span = 1 << (weight - 1)
    for (let symbol = 0; symbol < all.length; symbol++) {
      if (all[symbol] !== weight) continue
      entries.fill((symbol << 4) | (bits + 1 - weight), place, place + span)
      place += span
    }
  }
  return { entries, bits }
}

/** Decodes a stretch of bits that is read from its end; it must be used up by the symbols that `into` has room for. */
export function decodeHuffman(
  { entries, bits }: HuffmanTable,
  bytes: Uint8Array,
  start: number,
  end: number,
  into: Uint8Array,
  from: number,
  to: number,
): void {
  if (start >= end) throw corrupt('zstd')
  const mask = (1 << bits) - 1
  let at = 8 * (end - 1) + topBit(bytes[end - 1])
  const first = 8 * start
  let filled = from
  for (const safe = first + bits; filled < to && at >= safe; filled++) {
    const low = at - bits
    const byte = low >>> 3
    const word = (bytes[byte] | (bytes[byte + 1] << 8) | (bytes[byte + 2] << 16)) >>> (low & 7)
    const entry = entries[word & mask]
    into[filled] = entry >>> 4
    at -= entry & 15
  }
  // The last few: what would come before the first bit counts as zeros.
  for (; filled < to; filled++) {
    const has = at - first
    const byte = start
    const word = bytes[byte] | (bytes[byte + 1] << 8) | (bytes[byte + 2] << 16)
    const entry = entries[((word & ((1 << has) - 1)) << (bits - has)) & mask]
    into[filled] = entry >>> 4
    at -= entry & 15
    if (at < first) throw corrupt('zstd')
  }
  if (at !== first) throw corrupt('zstd')
}
