import {
  ALL_NIBBLES,
  BUCKETS,
  FALSE_GROUPS,
  FINGERPRINT,
  FLAG,
  GROUP,
  KEY_1,
  KEY_2,
  NEEDLE,
  PLAN,
  WEIGHED_FINGERPRINTS,
} from '../kernel/filter-layout.js'
import { hashOf, isLetter, load32, type Tables } from './plain-tables.js'

/** How often a byte is expected; never 0, so that a byte missing in the sample does not outweigh all others. */
function occurrences({ u32, read }: Tables, byte: number): number {
  return u32[(read(PLAN.byteCounts) >>> 2) + byte]! + 1
}

/** Offset of the last byte of a short needle's fingerprint: its rarest 4 consecutive bytes. */
export function chooseFingerprint(tables: Tables, index: number): number {
  const { u8, needle } = tables
  const length = needle(index, NEEDLE.length)
  const fold = (needle(index, NEEDLE.flags) & FLAG.fold) !== 0
  let best = Math.min(length, FINGERPRINT) - 1
  let least = Number.POSITIVE_INFINITY
  for (let last = best; last < length; last++) {
    let product = 1
    for (let offset = Math.max(0, last - FINGERPRINT + 1); offset <= last; offset++) {
      const byte = u8[needle(index, NEEDLE.bytes) + offset]!
      product *= occurrences(tables, byte) + (fold && isLetter(byte) ? occurrences(tables, byte - 0x20) : 0)
    }
    if (product < least) {
      least = product
      best = last
    }
  }
  return best
}

/** The hash of a needle's fingerprint. */
export function fingerprintHash({ u8, read, needle }: Tables, index: number): number {
  const last = needle(index, NEEDLE.key)
  const bytes = needle(index, NEEDLE.bytes)
  const fold = read(PLAN.fold)
  if (last >= 2) return hashOf((load32(u8, bytes + last - 2) | fold) & 0xffffff)
  const text = load32(u8, bytes) | fold
  return hashOf(last === 1 ? (text & 0xffff) | KEY_2 : (text & 0xff) | KEY_1)
}

/** The nibbles that a bucket accepts at each position of a fingerprint, as bits, and the share of the text it accepts. */
interface Bucket {
  readonly low: number[]
  readonly high: number[]
  share: number
}

type Nibbles = Pick<Bucket, 'low' | 'high'>

/** Twin of the kernel's `fillMasks`. */
export function fillMasks(tables: Tables, fingerprints: readonly number[]): void {
  if (fingerprints.length === 0) return
  const { u8, read } = tables
  const nibbles = fingerprints.map((index) => nibblesOf(tables, index))
  const share = sharesOf(tables)
  let high = false
  let buckets = fillBuckets(nibbles, share, high)
  if (buckets.reduce((sum, bucket) => sum + shareOf(bucket, undefined, share, high), 0) * GROUP > FALSE_GROUPS) {
    high = true
    buckets = fillBuckets(nibbles, share, high)
  }
  tables.write(PLAN.masksHigh, Number(high))
  const masks = read(PLAN.masks)
  u8.fill(0, masks, masks + FINGERPRINT * 32)
  for (let position = 0; position < FINGERPRINT; position++) {
    for (let nibble = 0; nibble < 16; nibble++) {
      buckets.forEach((bucket, index) => {
        u8[masks + position * 32 + nibble]! |= ((bucket.low[position]! >>> nibble) & 1) << index
        u8[masks + position * 32 + 16 + nibble]! |= ((bucket.high[position]! >>> nibble) & 1) << index
      })
      if (!looksHigh(position, high)) u8[masks + position * 32 + 16 + nibble] = 255
    }
    for (let byte = 0; byte < 256; byte++) {
      const low = u8[masks + position * 32 + (byte & 15)]!
      u8[read(PLAN.classes) + byte * 4 + position] = low & u8[masks + position * 32 + 16 + (byte >>> 4)]!
    }
  }
}

/** High nibbles are compared at the last two positions only. */
const looksHigh = (position: number, high: boolean): boolean => high && position >= 2

/** The nibbles of a needle at each position of its fingerprint: all before its first byte, two high ones for a folded letter. */
function nibblesOf({ u8, needle }: Tables, index: number): Nibbles {
  const low: number[] = []
  const high: number[] = []
  for (let position = 0; position < FINGERPRINT; position++) {
    const offset = needle(index, NEEDLE.key) + position - (FINGERPRINT - 1)
    const byte = u8[needle(index, NEEDLE.bytes) + offset]!
    const capital = needle(index, NEEDLE.flags) & FLAG.fold && isLetter(byte) ? 1 << ((byte - 0x20) >>> 4) : 0
    low.push(offset < 0 ? ALL_NIBBLES : 1 << (byte & 15))
    high.push(offset < 0 ? ALL_NIBBLES : (1 << (byte >>> 4)) | capital)
  }
  return { low, high }
}

/** How often each byte and each low nibble occurs, as a share of the text. */
interface Shares {
  readonly bytes: Float64Array
  readonly low: Float64Array
}

function sharesOf(tables: Tables): Shares {
  let total = 0
  for (let byte = 0; byte < 256; byte++) total += occurrences(tables, byte)
  const bytes = new Float64Array(256)
  const low = new Float64Array(16)
  for (let byte = 0; byte < 256; byte++) {
    bytes[byte] = occurrences(tables, byte) / total
    low[byte & 15]! += bytes[byte]!
  }
  return { bytes, low }
}

function fillBuckets(fingerprints: readonly Nibbles[], shares: Shares, high: boolean): Bucket[] {
  const none = () => Array.from({ length: FINGERPRINT }, () => 0)
  const buckets = Array.from({ length: BUCKETS }, (): Bucket => ({ low: none(), high: none(), share: 0 }))
  fingerprints.forEach((fingerprint, order) => {
    const bucket =
      order < WEIGHED_FINGERPRINTS ? bestBucket(buckets, fingerprint, shares, high) : buckets[order % BUCKETS]!
    for (let position = 0; position < FINGERPRINT; position++) {
      bucket.low[position]! |= fingerprint.low[position]!
      bucket.high[position]! |= fingerprint.high[position]!
    }
  })
  return buckets
}

/** The bucket whose share of the text grows least with this fingerprint. */
function bestBucket(buckets: readonly Bucket[], fingerprint: Nibbles, shares: Shares, high: boolean): Bucket {
  let best = buckets[0]!
  let bestShare = 0
  let least = Number.POSITIVE_INFINITY
  for (const bucket of buckets) {
    const share = shareOf(bucket, fingerprint, shares, high)
    if (share - bucket.share < least) {
      least = share - bucket.share
      best = bucket
      bestShare = share
    }
  }
  best.share = bestShare
  return best
}

/** The share of the text that a bucket accepts, including `fingerprint` if there is one. */
function shareOf(bucket: Bucket, fingerprint: Nibbles | undefined, shares: Shares, high: boolean): number {
  let product = 1
  for (let position = 0; position < FINGERPRINT; position++) {
    const lows = bucket.low[position]! | (fingerprint?.low[position] ?? 0)
    const highs = bucket.high[position]! | (fingerprint?.high[position] ?? 0)
    product *= looksHigh(position, high) ? bytesShare(shares.bytes, lows, highs) : nibblesShare(shares.low, 0, lows)
  }
  return product
}

function nibblesShare(shares: Float64Array, row: number, nibbles: number): number {
  let sum = 0
  for (let nibble = 0; nibble < 16; nibble++) if ((nibbles >>> nibble) & 1) sum += shares[row * 16 + nibble]!
  return sum
}

function bytesShare(shares: Float64Array, lows: number, highs: number): number {
  let sum = 0
  for (let row = 0; row < 16; row++) if ((highs >>> row) & 1) sum += nibblesShare(shares, row, lows)
  return sum
}
