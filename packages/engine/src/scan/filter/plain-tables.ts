import {
  BYTE_SAMPLE,
  CONTEXT_FACTOR,
  COUNTS_SHIFT,
  COUNTS_SIZE,
  FLAG,
  HASH_FACTOR,
  MODEL,
  NEEDLE,
  PLAN,
  SAMPLE_STEP,
  SYMBOL_COUNT,
} from '../kernel/filter-layout.js'

/** The memory during one call, with access to the plan and the needles. */
export interface Tables {
  readonly u8: Uint8Array
  readonly u32: Uint32Array
  /** A field of the plan. */
  read(field: number): number
  write(field: number, value: number): void
  /** A field of the record of a needle. */
  needle(index: number, field: number): number
  writeNeedle(index: number, field: number, value: number): void
}

/** Reads 4 bytes at any address. */
export function load32(u8: Uint8Array, at: number): number {
  return u8[at]! | (u8[at + 1]! << 8) | (u8[at + 2]! << 16) | (u8[at + 3]! << 24)
}

/** The hash of a fingerprint's key. */
export function hashOf(key: number): number {
  return Math.imul(key, HASH_FACTOR) >>> 0
}

/** The hash of a window together with the two bytes next to it. */
export function contextHash(hash: number, beside: number): number {
  return (hash + Math.imul(beside, CONTEXT_FACTOR)) >>> 0
}

/** Indices of the triggers that have windows, or of those that have fingerprints. */
export function triggersOf(tables: Tables, windows: boolean): number[] {
  const stride = tables.read(PLAN.stride)
  const triggers: number[] = []
  for (let index = 0; index < tables.read(PLAN.needleCount); index++) {
    if ((tables.needle(index, NEEDLE.flags) & FLAG.trigger) === 0) continue
    const isLong = stride !== 0 && tables.needle(index, NEEDLE.length) >= stride + tables.read(PLAN.window) - 1
    if (isLong === windows) triggers.push(index)
  }
  return triggers
}

export const isLetter = (byte: number): boolean => byte >= 0x61 && byte <= 0x7a

/** Counts the windows and bytes of the sample; without a sample the byte frequencies come from the model. */
export function countSample({ u8, u32, read }: Tables, from: number, to: number): void {
  const counts = read(PLAN.first)
  const bytes = read(PLAN.byteCounts) >>> 2
  const fold = read(PLAN.fold)
  const factor = read(PLAN.factor)
  if (from === to) {
    const model = (read(PLAN.model) + MODEL.bytes) >>> 2
    u32.copyWithin(bytes, model, model + 256)
    return
  }
  u8.fill(0, counts, counts + COUNTS_SIZE)
  for (let at = from; at < to; at += SAMPLE_STEP) {
    const counter = counts + (Math.imul(load32(u8, at) | fold, factor) >>> COUNTS_SHIFT)
    u8[counter]! += Number(u8[counter]! < 255)
  }
  u32.fill(0, bytes, bytes + 256)
  for (let at = from; at < Math.min(to, from + BYTE_SAMPLE); at++) u32[bytes + u8[at]!]!++
}

/** Computes the frequencies of single symbols and bytes from the model's pairs. */
export function unpackModel(tables: Tables): void {
  const { u8, u32, read } = tables
  const model = read(PLAN.model)
  for (let symbol = 0; symbol < SYMBOL_COUNT; symbol++) {
    let sum = 0
    for (let next = 0; next < SYMBOL_COUNT; next++) sum += 1 << pairLevel(tables, symbol, next)
    u8[model + MODEL.singles + symbol] = 31 - Math.clz32(sum)
    const members: number[] = []
    for (let byte = 0; byte < 256; byte++) if (u8[model + MODEL.symbols + byte] === symbol) members.push(byte)
    for (const byte of members) {
      u32[((model + MODEL.bytes) >>> 2) + byte] = Math.floor((sum * 8) / members.length) * letterShare(byte)
    }
  }
}

/** The weight of a byte within its symbol, in quarters: about one letter in eight is a capital. */
function letterShare(byte: number): number {
  if (isLetter(byte)) return 7
  return isLetter(byte + 0x20) ? 1 : 4
}

/** The logarithm of how often one symbol follows another, from its hexadecimal digit. */
function pairLevel({ u8, read }: Tables, symbol: number, next: number): number {
  const digit = u8[read(PLAN.model) + MODEL.pairs + symbol * SYMBOL_COUNT + next]!
  return (digit & 15) + 9 * (digit >>> 6)
}

/** How often the model expects a window in 256 KiB: P(ab) P(bc) / P(b) and so on. */
export function modelled(tables: Tables, at: number): number {
  const { u8, read } = tables
  const symbol = (offset: number) => u8[read(PLAN.model) + MODEL.symbols + u8[at + offset]!]!
  const single = (offset: number) => u8[read(PLAN.model) + MODEL.singles + symbol(offset)]!
  let level = single(0)
  for (let offset = 0; offset < read(PLAN.window) - 1; offset++) {
    level += pairLevel(tables, symbol(offset), symbol(offset + 1)) - single(offset)
  }
  return 2 ** level
}
