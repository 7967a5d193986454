// The first loop: finds the groups that may contain a needle. It runs two tests at once, one on the integer units and one
// on the vector units, because both together take hardly longer than the slower one: 4.0 GB/s, where each alone was
// measured at 6.4 and 7.1 GB/s.
//
// Windows: stride and window size are chosen so that one of the registered windows of every long needle starts at a
// position that is looked up. Fingerprints: the low nibble of each of 4 bytes, and if these do not distinguish enough the
// high nibbles of the last two, select sets of 8 buckets; where one bucket is in all the sets, one of its needles may end.
//
// Every group is stored, and the end of the queue moves only past groups to keep, so there is no branch.

import { FIRST_SHIFT, GROUP, HASH_FACTOR, PLAN } from './constants.generated'

/** Puts the groups of [at, end) that may contain a needle into the queue; returns their number. */
export function filterGroups(plan: usize, at: usize, end: usize): u32 {
  assert(at % GROUP == 0)
  const stride = load<u32>(plan, PLAN.stride)
  const bits = load<u32>(plan, PLAN.bits) != 0
  const fingerprints = load<u32>(plan, PLAN.fingerprints) == 0 ? NO_FINGERPRINTS : load<u32>(plan, PLAN.masksHigh) != 0 ? HIGH : LOW
  let last: usize
  if (stride == 4) {
    if (fingerprints == NO_FINGERPRINTS) last = bits ? bits4(plan, at, end) : bytes4(plan, at, end)
    else if (fingerprints == LOW) last = bits ? bits4Low(plan, at, end) : bytes4Low(plan, at, end)
    else last = bits ? bits4High(plan, at, end) : bytes4High(plan, at, end)
  } else if (stride == 2) {
    if (fingerprints == NO_FINGERPRINTS) last = bits ? bits2(plan, at, end) : bytes2(plan, at, end)
    else last = bits ? bits2High(plan, at, end) : bytes2High(plan, at, end)
  } else if (stride == 1) {
    if (fingerprints == NO_FINGERPRINTS) last = bits ? bits1(plan, at, end) : bytes1(plan, at, end)
    else last = bits ? bits1High(plan, at, end) : bytes1High(plan, at, end)
  } else last = fingerprints == HIGH ? high(plan, at, end) : low(plan, at, end)
  return <u32>(last - load<u32>(plan, PLAN.queue)) >> 3
}

/** Whether there are fingerprints, and whether their high nibbles are compared too. */
const NO_FINGERPRINTS = 0
const LOW = 1
const HIGH = 2

// One function per combination, compiled without the parts that do not apply. The masks for high nibbles always exist, so
// where speed hardly depends on it one function serves both kinds of fingerprints.

function bytes4(plan: usize, at: usize, end: usize): usize {
  return filter(plan, at, end, 4, false, NO_FINGERPRINTS)
}

function bytes4Low(plan: usize, at: usize, end: usize): usize {
  return filter(plan, at, end, 4, false, LOW)
}

function bytes4High(plan: usize, at: usize, end: usize): usize {
  return filter(plan, at, end, 4, false, HIGH)
}

function bits4(plan: usize, at: usize, end: usize): usize {
  return filter(plan, at, end, 4, true, NO_FINGERPRINTS)
}

function bits4Low(plan: usize, at: usize, end: usize): usize {
  return filter(plan, at, end, 4, true, LOW)
}

function bits4High(plan: usize, at: usize, end: usize): usize {
  return filter(plan, at, end, 4, true, HIGH)
}

function bytes2(plan: usize, at: usize, end: usize): usize {
  return filter(plan, at, end, 2, false, NO_FINGERPRINTS)
}

function bytes2High(plan: usize, at: usize, end: usize): usize {
  return filter(plan, at, end, 2, false, HIGH)
}

function bits2(plan: usize, at: usize, end: usize): usize {
  return filter(plan, at, end, 2, true, NO_FINGERPRINTS)
}

function bits2High(plan: usize, at: usize, end: usize): usize {
  return filter(plan, at, end, 2, true, HIGH)
}

function bytes1(plan: usize, at: usize, end: usize): usize {
  return filter(plan, at, end, 1, false, NO_FINGERPRINTS)
}

function bytes1High(plan: usize, at: usize, end: usize): usize {
  return filter(plan, at, end, 1, false, HIGH)
}

function bits1(plan: usize, at: usize, end: usize): usize {
  return filter(plan, at, end, 1, true, NO_FINGERPRINTS)
}

function bits1High(plan: usize, at: usize, end: usize): usize {
  return filter(plan, at, end, 1, true, HIGH)
}

function low(plan: usize, at: usize, end: usize): usize {
  return filter(plan, at, end, 0, false, LOW)
}

function high(plan: usize, at: usize, end: usize): usize {
  return filter(plan, at, end, 0, false, HIGH)
}

@inline
function filter(plan: usize, group: usize, end: usize, stride: i32, bits: bool, fingerprints: i32): usize {
  const table: usize = load<u32>(plan, PLAN.first)
  const fold = load<u32>(plan, PLAN.fold)
  const factor: u32 = stride == 1 ? load<u32>(plan, PLAN.factor) : HASH_FACTOR
  const masks: usize = load<u32>(plan, PLAN.masks)
  let queue: usize = load<u32>(plan, PLAN.queue)
  const fold8 = (<u64>fold << 32) | fold
  const nibble = i8x16.splat(15)
  const none = i8x16.splat(0)
  const low1 = v128.load(masks)
  const low2 = v128.load(masks, 32)
  const low3 = v128.load(masks, 64)
  const low4 = v128.load(masks, 96)
  const high3 = v128.load(masks, 80)
  const high4 = v128.load(masks, 112)
  // The buckets of the three bytes before the first group: a fingerprint may begin there.
  const before = v128.and(v128.load(group - GROUP), nibble)
  const beforeHigh = v128.and(i16x8.shr_u(v128.load(group - GROUP), 4), nibble)
  let first = i8x16.swizzle(low1, before)
  let second = i8x16.swizzle(low2, before)
  let third = i8x16.swizzle(low3, before)
  if (fingerprints == HIGH) third = v128.and(third, i8x16.swizzle(high3, beforeHigh))
  for (; group < end; group += GROUP) {
    let found: u32 = 0xffff
    if (fingerprints != NO_FINGERPRINTS) {
      const text = v128.load(group)
      const low = v128.and(text, nibble)
      const accepted1 = i8x16.swizzle(low1, low)
      const accepted2 = i8x16.swizzle(low2, low)
      let accepted3 = i8x16.swizzle(low3, low)
      let accepted4 = i8x16.swizzle(low4, low)
      if (fingerprints == HIGH) {
        const high = v128.and(i16x8.shr_u(text, 4), nibble)
        accepted3 = v128.and(accepted3, i8x16.swizzle(high3, high))
        accepted4 = v128.and(accepted4, i8x16.swizzle(high4, high))
      }
      const accepted = v128.and(
        v128.and(
          v128.shuffle<u8>(first, accepted1, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28),
          v128.shuffle<u8>(second, accepted2, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29),
        ),
        v128.and(
          v128.shuffle<u8>(third, accepted3, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30),
          accepted4,
        ),
      )
      first = accepted1
      second = accepted2
      third = accepted3
      found = i8x16.bitmask(i8x16.eq(accepted, none))
      store<u32>(queue, found, 4)
    }
    // If nothing is accepted all 16 bits are set. This test is faster than `any_true`, whose result goes through a flag.
    found ^= 0xffff
    if (stride != 0) {
      let windows = fourWindows(table, load<u64>(group) | fold8, load<u64>(group, 8) | fold8, factor, bits)
      if (stride <= 2) {
        windows |= fourWindows(table, load<u64>(group, 2) | fold8, load<u64>(group, 10) | fold8, factor, bits)
      }
      if (stride <= 1) {
        windows |= fourWindows(table, load<u64>(group, 1) | fold8, load<u64>(group, 9) | fold8, factor, bits)
        windows |= fourWindows(table, load<u64>(group, 3) | fold8, load<u64>(group, 11) | fold8, factor, bits)
      }
      found |= bits ? windows & 1 : windows
    }
    store<u32>(queue, <u32>group)
    queue += usize(found != 0) << 3
  }
  return queue
}

/** Bit 0: whether one of the windows in two times 8 bytes is known. Without `bits` the other bits are 0. */
@inline
function fourWindows(table: usize, left: u64, right: u64, factor: u32, bits: bool): u32 {
  return (
    lookUp(table, <u32>left * factor, bits) |
    lookUp(table, <u32>(left >> 32) * factor, bits) |
    lookUp(table, <u32>right * factor, bits) |
    lookUp(table, <u32>(right >> 32) * factor, bits)
  )
}

@inline
function lookUp(table: usize, hash: u32, bits: bool): u32 {
  if (bits) return load<u32>(table + (hash >> FIRST_SHIFT)) >> hash
  return load<u8>(table + (hash >> FIRST_SHIFT))
}
