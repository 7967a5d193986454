import {
  BYTE_SAMPLE,
  COUNTS_SHIFT,
  COUNTS_SIZE,
  MODEL_BYTES,
  MODEL_PAIRS,
  MODEL_SINGLES,
  MODEL_SYMBOLS,
  PLAN_BYTE_COUNTS,
  PLAN_FACTOR,
  PLAN_FIRST,
  PLAN_FOLD,
  PLAN_MODEL,
  PLAN_WINDOW,
  SAMPLE_STEP,
  SYMBOL_COUNT,
} from './layout.js'
import { isLetter, load32, type Tables } from './plain-tables.js'

/** Counts the sample's windows and bytes; without one the model says how often bytes occur. */
export function countSample({ u8, u32, read }: Tables, from: number, to: number): void {
  const counts = read(PLAN_FIRST)
  const bytes = read(PLAN_BYTE_COUNTS) >>> 2
  const fold = read(PLAN_FOLD)
  const factor = read(PLAN_FACTOR)
  if (from === to) {
    const model = (read(PLAN_MODEL) + MODEL_BYTES) >>> 2
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

/** Derives from the model's pairs how often single symbols and bytes occur. */
export function unpackModel(tables: Tables): void {
  const { u8, u32, read } = tables
  const model = read(PLAN_MODEL)
  for (let symbol = 0; symbol < SYMBOL_COUNT; symbol++) {
    let sum = 0
    for (let next = 0; next < SYMBOL_COUNT; next++) sum += 1 << pairLevel(tables, symbol, next)
    u8[model + MODEL_SINGLES + symbol] = 31 - Math.clz32(sum)
    const members: number[] = []
    for (let byte = 0; byte < 256; byte++) if (u8[model + MODEL_SYMBOLS + byte] === symbol) members.push(byte)
    for (const byte of members) {
      u32[((model + MODEL_BYTES) >>> 2) + byte] = Math.floor((sum * 8) / members.length) * letterShare(byte)
    }
  }
}

/** Of the letters in a log about one in eight is a capital. In fourths. */
function letterShare(byte: number): number {
  if (isLetter(byte)) return 7
  return isLetter(byte + 0x20) ? 1 : 4
}

/** Logarithm of how often one symbol follows another, from its hexadecimal digit. */
function pairLevel({ u8, read }: Tables, symbol: number, next: number): number {
  const digit = u8[read(PLAN_MODEL) + MODEL_PAIRS + symbol * SYMBOL_COUNT + next]!
  return (digit & 15) + 9 * (digit >>> 6)
}

/**
 * How often the model expects a window in 256 KiB: each byte by how the one before goes on, P(ab) P(bc) / P(b) and so
 * on.
 */
export function modelled(tables: Tables, at: number): number {
  const { u8, read } = tables
  const symbol = (offset: number) => u8[read(PLAN_MODEL) + MODEL_SYMBOLS + u8[at + offset]!]!
  const single = (offset: number) => u8[read(PLAN_MODEL) + MODEL_SINGLES + symbol(offset)]!
  let level = single(0)
  for (let offset = 0; offset < read(PLAN_WINDOW) - 1; offset++) {
    level += pairLevel(tables, symbol(offset), symbol(offset + 1)) - single(offset)
  }
  return 2 ** level
}
