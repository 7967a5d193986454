// Frequencies of windows and bytes: counted in the sample, or from the model of logs in general.

import { BYTE_SAMPLE, COUNTS_SHIFT, COUNTS_SIZE, MODEL, PLAN, SAMPLE_STEP, SYMBOL_COUNT } from './constants.generated'
import { isLetter } from './filter-tables'

/** Counts the windows and bytes of the sample; without a sample the byte frequencies come from the model. */
export function countSample(plan: usize, from: usize, to: usize): void {
  const counts: usize = load<u32>(plan, PLAN.first)
  const bytes: usize = load<u32>(plan, PLAN.byteCounts)
  const fold = load<u32>(plan, PLAN.fold)
  const factor = load<u32>(plan, PLAN.factor)
  if (from == to) {
    memory.copy(bytes, load<u32>(plan, PLAN.model) + MODEL.bytes, 256 * 4)
    return
  }
  memory.fill(counts, 0, COUNTS_SIZE)
  for (let at = from; at < to; at += SAMPLE_STEP) {
    const counter: usize = counts + (((load<u32>(at) | fold) * factor) >> COUNTS_SHIFT)
    const seen: u32 = load<u8>(counter)
    store<u8>(counter, seen + u32(seen < 255))
  }
  memory.fill(bytes, 0, 256 * 4)
  const end = min<usize>(to, from + BYTE_SAMPLE)
  for (let at = from; at < end; at++) {
    const byte: usize = bytes + (<usize>load<u8>(at) << 2)
    store<u32>(byte, load<u32>(byte) + 1)
  }
}

/** Computes the frequencies of single symbols and bytes from the model's pairs. */
export function unpackModel(plan: usize): void {
  const model: usize = load<u32>(plan, PLAN.model)
  for (let symbol: u32 = 0; symbol < <u32>SYMBOL_COUNT; symbol++) {
    let sum: u32 = 0
    for (let next: u32 = 0; next < <u32>SYMBOL_COUNT; next++) sum += 1 << pairLevel(model, symbol, next)
    store<u8>(model + symbol, 31 - clz(sum), MODEL.singles)
    let members: u32 = 0
    for (let byte: u32 = 0; byte < 256; byte++) members += u32(load<u8>(model + byte, MODEL.symbols) == symbol)
    for (let byte: u32 = 0; byte < 256; byte++) {
      if (load<u8>(model + byte, MODEL.symbols) != symbol) continue
      store<u32>(model + (byte << 2), ((sum << 3) / members) * letterShare(byte), MODEL.bytes)
    }
  }
}

/** The weight of a byte within its symbol, in quarters: about one letter in eight is a capital. */
function letterShare(byte: u32): u32 {
  if (isLetter(byte)) return 7
  return isLetter(byte + 0x20) ? 1 : 4
}

/** The logarithm of how often one symbol follows another, from its hexadecimal digit. */
@inline
function pairLevel(model: usize, symbol: u32, next: u32): u32 {
  const digit: u32 = load<u8>(model + symbol * SYMBOL_COUNT + next, MODEL.pairs)
  return (digit & 15) + 9 * (digit >> 6)
}

/** How often the model expects a window in 256 KiB: P(ab) P(bc) / P(b) and so on. */
export function modelled(plan: usize, at: usize): f64 {
  const model: usize = load<u32>(plan, PLAN.model)
  const last: usize = at + load<u32>(plan, PLAN.window) - 1
  let symbol: u32 = load<u8>(model + load<u8>(at), MODEL.symbols)
  let level: i32 = load<u8>(model + symbol, MODEL.singles)
  for (; at < last; at++) {
    const next: u32 = load<u8>(model + load<u8>(at, 1), MODEL.symbols)
    level += pairLevel(model, symbol, next) - load<u8>(model + symbol, MODEL.singles)
    symbol = next
  }
  // 2 to the power of `level`, by setting the exponent of a float.
  return reinterpret<f64>(<u64>(1023 + level) << 52)
}
