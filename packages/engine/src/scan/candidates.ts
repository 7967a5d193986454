import type { Alternative, Condition, Needle } from '../terms/condition.js'
import { bytesMarks, ESCAPE_MARKS, formsOf } from './envelopes/forms.js'
import type { FilterNeedle } from './filter/filter.js'

/** An alternative of a condition, with its needles as indices of the filter's needles. */
export interface Candidate {
  /** Index into the scanned conditions. */
  readonly condition: number
  readonly needles: readonly number[]
  readonly gaps: readonly number[]
  readonly exact: boolean
}

/** The needles to search for, and the conditions that each of them may meet. */
export interface CandidateTable {
  readonly needles: readonly FilterNeedle[]
  /** For each needle the alternatives of which it is the rarest needle. */
  readonly byNeedle: readonly (readonly Candidate[])[]
  /** Conditions without needles: every entry is tested. */
  readonly always: readonly number[]
  /** Conditions that must be tested if a needle of `oddFolds` is found, because Unicode folds it to `k` or `s`. */
  readonly folded: readonly number[]
  /** The needles U+017F and U+212A, or none if `folded` is empty. */
  readonly oddFolds: readonly number[]
  /** The needles that announce a message whose needles may not be in the text: in JSON strings, and as bytes. */
  readonly escapeMarks: readonly number[]
  readonly bytesMarks: readonly number[]
}

const LONG_S = 'ſ'
const KELVIN = '\u212a'
const HAS_K_OR_S = /[ks]/i

const encoder = new TextEncoder()

/**
 * Chooses the needle that is rarest in the sample for each alternative of each condition, and lists all needles once. An
 * entry without any of the chosen needles meets none of the conditions except those in `always`, neither in its text nor,
 * unless it contains a mark, in a message inside. Without `escapes` this holds only for texts without backslashes.
 */
export function tabulateCandidates(
  conditions: readonly Condition[],
  sample: Uint8Array,
  escapes: boolean,
): CandidateTable {
  const rarity = createRarity(sample)
  const register = createRegister()
  const byNeedle: Candidate[][] = []
  const always: number[] = []
  const folded: number[] = []

  function add(condition: number, alternative: Alternative): void {
    const needles = alternative.needles.map((needle) => register.index(needle))
    const trigger = needles[rarest(alternative, rarity)]
    register.trigger(trigger)
    byNeedle[trigger] ??= []
    byNeedle[trigger].push({ condition, needles, gaps: alternative.gaps, exact: alternative.exact })
  }

  conditions.forEach(({ plan }, index) => {
    const alternatives = plan?.flatMap((alternative) => [alternative, ...formsOf(alternative, escapes)])
    if (alternatives === undefined || alternatives.some(({ needles }) => needles.length === 0)) {
      always.push(index)
      return
    }
    for (const alternative of alternatives) add(index, alternative)
    if (alternatives.some(foldsKOrS)) folded.push(index)
  })

  const triggers = (texts: readonly string[]) =>
    texts.map((text) => register.trigger(register.index({ text, fold: false })))
  const oddFolds = folded.length === 0 ? [] : triggers([LONG_S, KELVIN])
  const isSearched = always.length < conditions.length
  const marks = {
    escapeMarks: isSearched && escapes ? triggers(ESCAPE_MARKS) : [],
    bytesMarks: isSearched ? triggers(bytesMarks(escapes)) : [],
  }
  return {
    needles: register.needles,
    byNeedle: Array.from(register.needles, (_, index) => byNeedle[index] ?? []),
    always,
    folded,
    oddFolds,
    ...marks,
  }
}

function foldsKOrS(alternative: Alternative): boolean {
  return alternative.needles.some((needle) => needle.fold && HAS_K_OR_S.test(needle.text))
}

function rarest(alternative: Alternative, rarity: (bytes: Uint8Array) => number): number {
  let best = 0
  let bestRarity = -1
  alternative.needles.forEach((needle, index) => {
    const value = rarity(encodeNeedle(needle))
    if (value > bestRarity) {
      best = index
      bestRarity = value
    }
  })
  return best
}

function encodeNeedle(needle: Needle): Uint8Array {
  return encoder.encode(needle.fold ? lowerAscii(needle.text) : needle.text)
}

function createRegister() {
  const needles: FilterNeedle[] = []
  const known = new Map<string, number>()
  return {
    needles,
    index(needle: Needle): number {
      const key = needle.fold ? `i${lowerAscii(needle.text)}` : `=${needle.text}`
      let index = known.get(key)
      if (index === undefined) {
        index = needles.push({ bytes: encodeNeedle(needle), fold: needle.fold, trigger: false }) - 1
        known.set(key, index)
      }
      return index
    },
    /** Lets the filter report a needle; returns its index. */
    trigger(index: number): number {
      needles[index] = { ...needles[index]!, trigger: true }
      return index
    },
  }
}

/** The filter folds ASCII letters only. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** 2^16 counters: 128 KiB, small enough to stay in the second-level cache while the sample is counted. */
const COUNTERS = 1 << 16

/** Counting runs before the code is optimized: 32 KiB take 2 ms, and 256 KiB give little more information. */
const SAMPLE_BYTES = 32 * 1024

/**
 * Returns an estimate of how rare a byte string is in data like the sample: the higher, the rarer. It counts the four-byte
 * windows of the sample; a string is at most as common as its rarest window. Between equals the longer string is rarer.
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

// Both cases of a letter count as one: a needle may be folded, and an estimate needs no more.
const IGNORE_CASE = 0x20202020

function hash(bytes: Uint8Array, at: number): number {
  const window = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)
  return Math.imul(window | IGNORE_CASE, 0x9e3779b1) >>> 16
}

function pair(bytes: Uint8Array, at: number): number {
  return (bytes[at] | (bytes[at + 1] << 8) | IGNORE_CASE) & 0xffff
}
