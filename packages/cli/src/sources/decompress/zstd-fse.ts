import { corrupt } from './decompressor.js'

/**
 * A table of finite state entropy: for each state the symbol it stands for (bits 0 to 7), how many bits lead to the next state
 * (8 to 15), and what to add to them (16 to 31).
 */
export interface FseTable {
  readonly entries: Uint32Array
  /** So many bits are the first state. */
  readonly log: number
}

/** A table that was read, and where the bytes behind it start. */
export interface ReadTable {
  readonly table: FseTable
  readonly end: number
}

/** A table of one state, for a symbol that is always the same. */
export function singleTable(symbol: number): FseTable {
  return { entries: Uint32Array.of(symbol), log: 0 }
}

/** Reads a table for the symbols up to `most` whose states have at most `mostLog` bits. */
export function readFseTable(bytes: Uint8Array, start: number, end: number, most: number, mostLog: number): ReadTable {
  let at = 8 * start
  const take = (count: number) => {
    const value = littleEndian(bytes, at >>> 3) >>> (at & 7)
    at += count
    return value & ((1 << count) - 1)
  }
  const log = take(4) + 5
  if (log > mostLog) throw corrupt('zstd')
  const shares: number[] = []
  // What is not given away yet, and one more. The smaller it is, the fewer bits a share takes.
  let left = (1 << log) + 1
  while (left > 1 && shares.length <= most) {
    const width = 32 - Math.clz32(left)
    const half = 1 << (width - 1)
    // Not all values of so many bits occur: the low ones of them are written with one bit less.
    const short = 2 * half - 1 - left
    let value = take(width - 1)
    if (value >= short) {
      if (take(1) === 1) value += half
      if (value >= half) value -= short
    }
    // A share below one counts as one.
    const share = value - 1
    shares.push(share)
    left -= Math.abs(share)
    if (share === 0) {
      for (let zeros = 3; zeros === 3; ) {
        zeros = take(2)
        for (let i = 0; i < zeros; i++) shares.push(0)
        if (shares.length > most + 1) throw corrupt('zstd')
      }
    }
  }
  const next = (at + 7) >>> 3
  if (left !== 1 || shares.length > most + 1 || next > end) throw corrupt('zstd')
  return { table: createFseTable(shares, log), end: next }
}

function littleEndian(bytes: Uint8Array, at: number): number {
  return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)
}

/** Spreads the symbols over the states, each as often as its share says. */
export function createFseTable(shares: readonly number[], log: number): FseTable {
  const size = 1 << log
  const entries = new Uint32Array(size)
  const counts = new Uint16Array(shares.length)
  let rare = size
  for (let symbol = 0; symbol < shares.length; symbol++) {
    counts[symbol] = Math.abs(shares[symbol])
    if (shares[symbol] === -1) entries[--rare] = symbol
  }
  const step = (size >>> 1) + (size >>> 3) + 3
  let place = 0
  for (let symbol = 0; symbol < shares.length; symbol++) {
    for (let i = 0; i < shares[symbol]; i++) {
      entries[place] = symbol
      do place = (place + step) & (size - 1)
      while (place >= rare)
    }
  }
  for (let state = 0; state < size; state++) {
    const symbol = entries[state]
    const count = counts[symbol]++
    const bits = log - (31 - Math.clz32(count))
    entries[state] = symbol | (bits << 8) | (((count << bits) - size) << 16)
  }
  return { entries, log }
}
