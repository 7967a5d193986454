/** A stream of numbers that is the same on every machine for the same seed. */
export interface Random {
  /** 32 random bits as a signed number, which V8 keeps out of the heap. */
  bits(): number
  /** A whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number
  pick<T>(list: readonly T[]): T
  /** Picks the item of rank r with a weight of 1/r, like words in a language: lists go from common to rare. */
  skewed<T>(list: readonly T[]): T
}

/**
 * Creates a seeded generator: a counter and a mixing function. Consecutive numbers decide about one line, so they must not
 * depend on each other (in a xorshift, a small number follows a small number). Only integer arithmetic, additions and
 * divisions are used, so that the sequence does not depend on how a platform computes `Math.pow`.
 *
 * ```ts
 * createRandom(7).below(6) + 1 // the same die every time
 * ```
 */
export function createRandom(seed: number): Random {
  let counter = Math.imul(seed, 0x85ebca6b)
  const bits = () => {
    counter = (counter + 0x9e3779b9) | 0
    let mixed = Math.imul(counter ^ (counter >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return mixed ^ (mixed >>> 15)
  }
  const fraction = () => (bits() >>> 0) / 2 ** 32
  const below = (limit: number) => Math.floor(fraction() * limit)
  return {
    bits,
    below,
    pick: (list) => list[below(list.length)]!,
    skewed: (list) => list[rankOf(fraction(), harmonic(list.length))]!,
  }
}

/** Running sums of 1/r, scaled to end at 1; computed once per length. */
const sumsByLength = new Map<number, Float64Array>()

function harmonic(length: number): Float64Array {
  const known = sumsByLength.get(length)
  if (known) return known
  const sums = new Float64Array(length)
  let total = 0
  for (let r = 1; r <= length; r++) {
    total += 1 / r
    sums[r - 1] = total
  }
  for (let i = 0; i < length; i++) sums[i] = sums[i]! / total
  sumsByLength.set(length, sums)
  return sums
}

/** The first index whose running sum exceeds `at`. */
function rankOf(at: number, sums: Float64Array): number {
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (sums[middle]! > at) high = middle
    else low = middle + 1
  }
  return low
}
