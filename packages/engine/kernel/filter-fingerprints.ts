// Fingerprints: the keys of needles that are too short for windows.

import {
  ALL_NIBBLES,
  BUCKET,
  BUCKETS,
  FALSE_GROUPS,
  FINGERPRINT,
  FLAG,
  GROUP,
  KEY_1,
  KEY_2,
  NEEDLE,
  PLAN,
  SCRATCH,
  WEIGHED_FINGERPRINTS,
} from './constants.generated'
import { addHead } from './filter-items'
import { hashOf, hasWindows, isLetter, setSecond } from './filter-tables'


/** Chooses the fingerprint of a needle and puts it into the second table. */
export function addFingerprint(plan: usize, needle: usize): void {
  const last = chooseFingerprint(plan, needle)
  store<u32>(needle, last, NEEDLE.key)
  store<u32>(plan, load<u32>(plan, PLAN.fingerprints) | (1 << min<u32>(last, 2)), PLAN.fingerprints)
  const hash = fingerprintHash(plan, needle)
  setSecond(plan, hash)
  addHead(plan, hash)
}

/** Offset of the last byte of a short needle's fingerprint: its rarest 4 consecutive bytes. */
function chooseFingerprint(plan: usize, needle: usize): u32 {
  const length = load<u32>(needle, NEEDLE.length)
  const fold = (load<u32>(needle, NEEDLE.flags) & FLAG.fold) != 0
  let best = min<u32>(length, FINGERPRINT) - 1
  let least: f64 = Infinity
  for (let last = best; last < length; last++) {
    let product: f64 = 1
    for (let offset: u32 = last < <u32>FINGERPRINT ? 0 : last - FINGERPRINT + 1; offset <= last; offset++) {
      const byte: u32 = load<u8>(load<u32>(needle, NEEDLE.bytes) + offset)
      let often = occurrences(plan, byte)
      if (fold && isLetter(byte)) often += occurrences(plan, byte - 0x20)
      product *= <f64>often
    }
    if (product < least) {
      least = product
      best = last
    }
  }
  return best
}

/** How often a byte is expected; never 0, so that a byte missing in the sample does not outweigh all others. */
function occurrences(plan: usize, byte: u32): u32 {
  return load<u32>(load<u32>(plan, PLAN.byteCounts) + (byte << 2)) + 1
}

/** The hash of a needle's fingerprint. */
export function fingerprintHash(plan: usize, needle: usize): u32 {
  const last = load<u32>(needle, NEEDLE.key)
  const bytes: usize = load<u32>(needle, NEEDLE.bytes)
  const fold = load<u32>(plan, PLAN.fold)
  if (last >= 2) return hashOf((load<u32>(bytes + last - 2) | fold) & 0xffffff)
  const text = load<u32>(bytes) | fold
  return hashOf(last == 1 ? (text & 0xffff) | KEY_2 : (text & 0xff) | KEY_1)
}

/**
 * Distributes the fingerprints over buckets that together accept as little text as possible, and fills the masks. A needle
 * shorter than a fingerprint accepts any byte at the missing positions, so it gets a separate bucket while there are
 * empty ones. High nibbles are compared only if low nibbles alone accept too much.
 */
export function fillMasks(plan: usize): void {
  if (load<u32>(plan, PLAN.fingerprints) == 0) return
  let high = false
  let share = fillBuckets(plan, high)
  if (share * <f64>GROUP > FALSE_GROUPS) {
    high = true
    fillBuckets(plan, high)
  }
  store<u32>(plan, u32(high), PLAN.masksHigh)
  const buckets: usize = load<u32>(plan, PLAN.scratch)
  const masks: usize = load<u32>(plan, PLAN.masks)
  memory.fill(masks, 0, FINGERPRINT * 32)
  for (let position: usize = 0; position < <usize>FINGERPRINT; position++) {
    for (let nibble: usize = 0; nibble < 16; nibble++) {
      let lows: u32 = 0
      let highs: u32 = 0
      for (let index: u32 = 0; index < <u32>BUCKETS; index++) {
        const bucket: usize = buckets + index * BUCKET.size
        lows |= ((<u32>load<u16>(bucket + position * 2, BUCKET.low) >> <u32>nibble) & 1) << index
        highs |= ((<u32>load<u16>(bucket + position * 2, BUCKET.high) >> <u32>nibble) & 1) << index
      }
      store<u8>(masks + position * 32 + nibble, lows)
      store<u8>(masks + position * 32 + nibble, looksHigh(position, high) ? highs : 255, 16)
    }
  }
}

/** High nibbles are compared at the last two positions only. */
@inline
function looksHigh(position: usize, high: bool): bool {
  return high && position >= 2
}

/** Fills the buckets and returns the share of the text that they accept. */
function fillBuckets(plan: usize, high: bool): f64 {
  const buckets: usize = load<u32>(plan, PLAN.scratch)
  const needles: usize = load<u32>(plan, PLAN.needles)
  memory.fill(buckets, 0, SCRATCH.size)
  fillShares(plan)
  let order: u32 = 0
  for (let index: u32 = 0; index < load<u32>(plan, PLAN.needleCount); index++) {
    const needle = needles + index * NEEDLE.size
    if ((load<u32>(needle, NEEDLE.flags) & FLAG.trigger) == 0 || hasWindows(plan, needle)) continue
    let best = buckets + (order % BUCKETS) * BUCKET.size
    if (order < <u32>WEIGHED_FINGERPRINTS) best = bestBucket(buckets, needle, high)
    addToBucket(best, needle)
    order++
  }
  let sum: f64 = 0
  for (let bucket = buckets; bucket < buckets + BUCKETS * BUCKET.size; bucket += BUCKET.size) {
    sum += shareOf(buckets, bucket, 0, high)
  }
  return sum
}

function fillShares(plan: usize): void {
  const scratch: usize = load<u32>(plan, PLAN.scratch)
  let total: f64 = 0
  for (let byte: u32 = 0; byte < 256; byte++) total += <f64>occurrences(plan, byte)
  for (let byte: u32 = 0; byte < 256; byte++) {
    const share = <f64>occurrences(plan, byte) / total
    store<f64>(scratch + (byte << 3), share, SCRATCH.bytes)
    const low = scratch + ((byte & 15) << 3)
    store<f64>(low, load<f64>(low, SCRATCH.low) + share, SCRATCH.low)
  }
}

/** The bucket whose share of the text grows least with this needle. */
function bestBucket(buckets: usize, needle: usize, high: bool): usize {
  let best = buckets
  let bestShare: f64 = 0
  let least: f64 = Infinity
  for (let bucket = buckets; bucket < buckets + BUCKETS * BUCKET.size; bucket += BUCKET.size) {
    const share = shareOf(buckets, bucket, needle, high)
    if (share - load<f64>(bucket, BUCKET.share) < least) {
      least = share - load<f64>(bucket, BUCKET.share)
      best = bucket
      bestShare = share
    }
  }
  store<f64>(best, bestShare, BUCKET.share)
  return best
}

function addToBucket(bucket: usize, needle: usize): void {
  for (let position: u32 = 0; position < <u32>FINGERPRINT; position++) {
    const at = bucket + (position << 1)
    store<u16>(at, <u32>load<u16>(at, BUCKET.low) | lowNibbles(needle, position), BUCKET.low)
    store<u16>(at, <u32>load<u16>(at, BUCKET.high) | highNibbles(needle, position), BUCKET.high)
  }
}

/** The share of the text that a bucket accepts, including `needle` unless it is 0. */
function shareOf(scratch: usize, bucket: usize, needle: usize, high: bool): f64 {
  let product: f64 = 1
  for (let position: u32 = 0; position < <u32>FINGERPRINT; position++) {
    let lows: u32 = load<u16>(bucket + (position << 1), BUCKET.low)
    let highs: u32 = load<u16>(bucket + (position << 1), BUCKET.high)
    if (needle != 0) {
      lows |= lowNibbles(needle, position)
      highs |= highNibbles(needle, position)
    }
    product *= looksHigh(position, high) ? bytesShare(scratch, lows, highs) : nibblesShare(scratch + SCRATCH.low, lows)
  }
  return product
}

function nibblesShare(shares: usize, nibbles: u32): f64 {
  let sum: f64 = 0
  for (let rest = nibbles; rest != 0; rest &= rest - 1) sum += load<f64>(shares + (ctz(rest) << 3))
  return sum
}

function bytesShare(scratch: usize, lows: u32, highs: u32): f64 {
  let sum: f64 = 0
  for (let rest = highs; rest != 0; rest &= rest - 1) {
    sum += nibblesShare(scratch + SCRATCH.bytes + (ctz(rest) << 7), lows)
  }
  return sum
}

/** The low nibble of a needle at a position of its fingerprint, as a bit; all nibbles before its first byte. */
function lowNibbles(needle: usize, position: u32): u32 {
  const offset = load<u32>(needle, NEEDLE.key) + position - (FINGERPRINT - 1)
  return <i32>offset < 0 ? ALL_NIBBLES : 1 << (<u32>load<u8>(load<u32>(needle, NEEDLE.bytes) + offset) & 15)
}

/** The same for the high nibble; a folded letter has two. */
function highNibbles(needle: usize, position: u32): u32 {
  const offset = load<u32>(needle, NEEDLE.key) + position - (FINGERPRINT - 1)
  if (<i32>offset < 0) return ALL_NIBBLES
  const byte: u32 = load<u8>(load<u32>(needle, NEEDLE.bytes) + offset)
  const capital: u32 = load<u32>(needle, NEEDLE.flags) & FLAG.fold && isLetter(byte) ? 1 << ((byte - 0x20) >> 4) : 0
  return (1 << (byte >> 4)) | capital
}
