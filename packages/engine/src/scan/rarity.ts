/** 2^16 counters: 128 KiB, small enough to stay in the second-level cache while the sample is counted. */
const COUNTERS = 1 << 16

/** Counted in code that is not yet optimised, before the first detection: 32 KiB cost 2 ms, 256 KiB say little more. */
const SAMPLE_BYTES = 32 * 1024

/**
 * Estimates how rare a byte string is in data like the sample: the higher, the rarer. Counts the four-byte windows of the
 * sample; a string is at most as common as its rarest window. Where the sample says nothing, the longer string wins.
 *
 * @example
 * const rarity = createRarity(sample)
 * rarity(encode('ztunnel')) > rarity(encode('error'))
 */
export function createRarity(sample: Uint8Array): (bytes: Uint8Array) => number {
  const fours = new Uint32Array(COUNTERS)
  const twos = new Uint32Array(COUNTERS)
  const length = Math.min(sample.length, SAMPLE_BYTES)
  for (let i = 0; i + 1 < length; i++) twos[pair(sample, i)]++
  for (let i = 0; i + 3 < length; i++) fours[hash(sample, i)]++

  return (bytes) => {
    let fewest = length
    if (bytes.length >= 4) {
      for (let i = 0; i + 4 <= bytes.length; i++) fewest = Math.min(fewest, fours[hash(bytes, i)])
    } else if (bytes.length >= 2) {
      for (let i = 0; i + 2 <= bytes.length; i++) fewest = Math.min(fewest, twos[pair(bytes, i)])
    }
    return (1 + Math.min(bytes.length, 32)) / (1 + fewest)
  }
}

// Letters count alike in either case: a needle may be folded, and an estimate needs no more.
const IGNORE_CASE = 0x20202020

function hash(bytes: Uint8Array, at: number): number {
  const window = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)
  return Math.imul(window | IGNORE_CASE, 0x9e3779b1) >>> 16
}

function pair(bytes: Uint8Array, at: number): number {
  return (bytes[at] | (bytes[at + 1] << 8) | IGNORE_CASE) & 0xffff
}
