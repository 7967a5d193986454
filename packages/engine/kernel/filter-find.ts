// Finds and compares single needles. A needle is followed by 16 zeros and the text by readable bytes, so 16 bytes can be
// read anywhere in them.

import { FLAG, MODEL, NEEDLE, PLAN } from './constants.generated'
import { isLetter } from './filter-tables'

/** Searches for two rare bytes of the needle at 16 positions at a time, and compares the needle where both match. */
export function filterFind(needle: usize, from: usize, to: usize): i32 {
  const length = load<u32>(needle, NEEDLE.length)
  assert(length > 0)
  if (to < from + length) return -1
  const last = to - length
  const rare: usize = load<u32>(needle, NEEDLE.rare)
  const rareValue = i8x16.splat(load<u8>(needle, NEEDLE.rareValue))
  const rareCase = i8x16.splat(load<u8>(needle, NEEDLE.rareCase))
  const other: usize = load<u32>(needle, NEEDLE.other)
  const otherValue = i8x16.splat(load<u8>(needle, NEEDLE.otherValue))
  const otherCase = i8x16.splat(load<u8>(needle, NEEDLE.otherCase))
  for (let at = from; at <= last; at += 16) {
    const rares = i8x16.eq(v128.or(v128.load(at + rare), rareCase), rareValue)
    const others = i8x16.eq(v128.or(v128.load(at + other), otherCase), otherValue)
    let hits = i8x16.bitmask(v128.and(rares, others))
    while (hits != 0) {
      const position = at + ctz(hits)
      if (position > last) return -1
      if (equals(needle, position)) return <i32>position
      hits &= hits - 1
    }
  }
  return -1
}

/** Whether the needle is at this address. */
export function equals(needle: usize, at: usize): bool {
  let bytes: usize = load<u32>(needle, NEEDLE.bytes)
  let rest = load<u32>(needle, NEEDLE.length)
  const fold = (load<u32>(needle, NEEDLE.flags) & FLAG.fold) != 0
  for (; rest > 16; rest -= 16) {
    if (v128.any_true(difference(bytes, at, fold))) return false
    bytes += 16
    at += 16
  }
  const within = i8x16.lt_u(i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), i8x16.splat(<i8>rest))
  return !v128.any_true(v128.and(difference(bytes, at, fold), within))
}

@inline
function difference(bytes: usize, at: usize, fold: bool): v128 {
  let text = v128.load(at)
  if (fold) {
    const capital = i8x16.lt_u(i8x16.sub(text, i8x16.splat(0x41)), i8x16.splat(26))
    text = v128.or(text, v128.and(capital, i8x16.splat(0x20)))
  }
  return v128.xor(text, v128.load(bytes))
}

/** Stores the two bytes of a needle that are rarest in logs, for `filterFind`. */
export function chooseRareBytes(plan: usize, needle: usize): void {
  const bytes: usize = load<u32>(needle, NEEDLE.bytes)
  const length = load<u32>(needle, NEEDLE.length)
  const frequency: usize = load<u32>(plan, PLAN.model) + MODEL.bytes
  let rare: u32 = 0
  let other: u32 = length - 1
  for (let offset: u32 = 1; offset < length; offset++) {
    const often = load<u32>(frequency + (<usize>load<u8>(bytes + offset) << 2))
    if (often < load<u32>(frequency + (<usize>load<u8>(bytes + rare) << 2))) {
      other = rare
      rare = offset
    } else if (other == rare || often < load<u32>(frequency + (<usize>load<u8>(bytes + other) << 2))) other = offset
  }
  const fold = (load<u32>(needle, NEEDLE.flags) & FLAG.fold) != 0
  const rareValue: u32 = load<u8>(bytes + rare)
  const otherValue: u32 = load<u8>(bytes + other)
  store<u32>(needle, rare, NEEDLE.rare)
  store<u32>(needle, rareValue, NEEDLE.rareValue)
  store<u32>(needle, fold && isLetter(rareValue) ? 0x20 : 0, NEEDLE.rareCase)
  store<u32>(needle, other, NEEDLE.other)
  store<u32>(needle, otherValue, NEEDLE.otherValue)
  store<u32>(needle, fold && isLetter(otherValue) ? 0x20 : 0, NEEDLE.otherCase)
}
