// What filling the tables and scanning with them share.

import {
  CONTEXT_FACTOR,
  FIRST_SHIFT,
  FLAG_TRIGGER,
  HASH_FACTOR,
  NEEDLE_FLAGS,
  NEEDLE_LENGTH,
  PLAN_BITS,
  PLAN_FIRST,
  PLAN_SECOND,
  PLAN_STRIDE,
  PLAN_WINDOW,
  SECOND_BIT_SHIFT,
  SECOND_SHIFT,
} from '../src/scan/filter/layout'

/** The hash of a fingerprint's key. */
@inline
export function hashOf(key: u32): u32 {
  return key * <u32>HASH_FACTOR
}

/**
 * The bit of a hash in the first table, as the lowest bit; the others mean nothing. `bits` should be known beforehand.
 */
@inline
export function firstBit(table: usize, hash: u32, bits: u32): u32 {
  if (bits == 0) return load<u8>(table + (hash >> FIRST_SHIFT))
  return load<u32>(table + (hash >> FIRST_SHIFT)) >> (hash & bits)
}

/** The bit of a hash in the second table, as the lowest bit; the others mean nothing. */
@inline
export function secondBit(table: usize, hash: u32, bits: u32): u32 {
  const byte: u32 = load<u8>(table + (hash >> SECOND_SHIFT))
  return bits == 0 ? byte : byte >> ((hash >> SECOND_BIT_SHIFT) & bits & 7)
}

/** The hash of a window together with the two bytes beside it. */
@inline
export function contextHash(hash: u32, beside: u32): u32 {
  return hash + beside * <u32>CONTEXT_FACTOR
}

/** Whether a trigger is long enough to be found by windows: as many of them in a row as the stride. */
export function hasWindows(plan: usize, needle: usize): bool {
  const stride = load<u32>(plan, PLAN_STRIDE)
  return stride != 0 && load<u32>(needle, NEEDLE_LENGTH) >= stride + load<u32>(plan, PLAN_WINDOW) - 1
}

@inline
export function isLetter(byte: u32): bool {
  return byte - 0x61 < 26
}

@inline
export function isTrigger(needle: usize): bool {
  return (load<u32>(needle, NEEDLE_FLAGS) & FLAG_TRIGGER) != 0
}

export function setFirst(plan: usize, hash: u32): void {
  setBit(load<u32>(plan, PLAN_FIRST) + (hash >> FIRST_SHIFT), hash & load<u32>(plan, PLAN_BITS))
}

export function setSecond(plan: usize, hash: u32): void {
  const bit = (hash >> SECOND_BIT_SHIFT) & load<u32>(plan, PLAN_BITS) & 7
  setBit(load<u32>(plan, PLAN_SECOND) + (hash >> SECOND_SHIFT), bit)
}

function setBit(byte: usize, bit: u32): void {
  byte += bit >> 3
  store<u8>(byte, <u32>load<u8>(byte) | (1 << (bit & 7)))
}
