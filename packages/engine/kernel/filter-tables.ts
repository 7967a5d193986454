// Functions that filling the tables and scanning share.

import {
  CONTEXT_FACTOR,
  FIRST_SHIFT,
  FLAG,
  HASH_FACTOR,
  NEEDLE,
  PLAN,
  SECOND_BIT_SHIFT,
  SECOND_SHIFT,
} from './constants.generated'

/** The hash of a fingerprint's key. */
@inline
export function hashOf(key: u32): u32 {
  return key * <u32>HASH_FACTOR
}

/** Bit 0: the entry of a hash in the first table; the other bits are undefined. `bits` should be a constant. */
@inline
export function firstBit(table: usize, hash: u32, bits: u32): u32 {
  if (bits == 0) return load<u8>(table + (hash >> FIRST_SHIFT))
  return load<u32>(table + (hash >> FIRST_SHIFT)) >> (hash & bits)
}

/** Bit 0: the entry of a hash in the second table; the other bits are undefined. */
@inline
export function secondBit(table: usize, hash: u32, bits: u32): u32 {
  const byte: u32 = load<u8>(table + (hash >> SECOND_SHIFT))
  return bits == 0 ? byte : byte >> ((hash >> SECOND_BIT_SHIFT) & bits & 7)
}

/** The hash of a window together with the two bytes next to it. */
@inline
export function contextHash(hash: u32, beside: u32): u32 {
  return hash + beside * <u32>CONTEXT_FACTOR
}

/** Whether a trigger is long enough for windows: it has at least `stride` of them. */
export function hasWindows(plan: usize, needle: usize): bool {
  const stride = load<u32>(plan, PLAN.stride)
  return stride != 0 && load<u32>(needle, NEEDLE.length) >= stride + load<u32>(plan, PLAN.window) - 1
}

@inline
export function isLetter(byte: u32): bool {
  return byte - 0x61 < 26
}

@inline
export function isTrigger(needle: usize): bool {
  return (load<u32>(needle, NEEDLE.flags) & FLAG.trigger) != 0
}

export function setFirst(plan: usize, hash: u32): void {
  setBit(load<u32>(plan, PLAN.first) + (hash >> FIRST_SHIFT), hash & load<u32>(plan, PLAN.bits))
}

export function setSecond(plan: usize, hash: u32): void {
  const bit = (hash >> SECOND_BIT_SHIFT) & load<u32>(plan, PLAN.bits) & 7
  setBit(load<u32>(plan, PLAN.second) + (hash >> SECOND_SHIFT), bit)
}

function setBit(byte: usize, bit: u32): void {
  byte += bit >> 3
  store<u8>(byte, <u32>load<u8>(byte) | (1 << (bit & 7)))
}
