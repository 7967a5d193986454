import { casedCodes, caseForms } from './fold.js'
import { propertyRanges } from './unicode.js'

export const MAX_CODE = 0x10ffff

const ASCII_LETTERS = Array.from({ length: 52 }, (_, i) => (i < 26 ? 0x41 + i : 0x61 + i - 26))

/** A Unicode category or script inside a class, such as `\p{Greek}`. */
export interface Property {
  readonly name: string
  readonly negated: boolean
  /** Characters that have it in another case count too. */
  readonly fold: boolean
}

/** A set of characters: those in one of the ranges or with one of the properties, or with `negated` all others. */
export interface CharSet {
  /** First and last code point of each range: sorted, disjoint, not adjacent. */
  readonly ranges: readonly number[]
  readonly properties: readonly Property[]
  readonly negated: boolean
}

/** Sorts ranges and joins those that overlap or touch. */
export function tidyRanges(ranges: readonly number[]): readonly number[] {
  if (ranges.length <= 2) return ranges
  const order: number[] = []
  for (let i = 0; i < ranges.length; i += 2) order.push(i)
  order.sort((a, b) => ranges[a]! - ranges[b]!)
  const tidy: number[] = []
  for (const i of order) {
    const low = ranges[i]!
    const high = ranges[i + 1]!
    const last = tidy.length - 1
    if (last > 0 && low <= tidy[last]! + 1) tidy[last] = Math.max(tidy[last]!, high)
    else tidy.push(low, high)
  }
  return tidy
}

/** The complement of tidy ranges. */
export function invertRanges(ranges: readonly number[]): readonly number[] {
  const inverse: number[] = []
  let next = 0
  for (let i = 0; i < ranges.length; i += 2) {
    if (ranges[i]! > next) inverse.push(next, ranges[i]! - 1)
    next = ranges[i + 1]! + 1
  }
  if (next <= MAX_CODE) inverse.push(next, MAX_CODE)
  return inverse
}

/** Whether tidy ranges contain the code point: a binary search for the last range that starts at or before it. */
export function rangesHave(ranges: readonly number[], code: number): boolean {
  let low = 0
  let high = ranges.length >> 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (ranges[2 * middle]! <= code) low = middle + 1
    else high = middle
  }
  return low > 0 && code <= ranges[2 * low - 1]!
}

/** The ranges together with every other case of their characters. */
export function foldRanges(ranges: readonly number[]): readonly number[] {
  const tidy = tidyRanges(ranges)
  const ascii = (tidy.at(-1) ?? 0) < 0x80
  const folded = [...tidy]
  for (const code of ascii ? ASCII_LETTERS : casedCodes()) {
    if (rangesHave(tidy, code)) for (const form of caseForms(code)) folded.push(form, form)
  }
  return tidyRanges(folded)
}

/** The ranges of all characters in the set. */
export function setRanges(set: CharSet): readonly number[] {
  const all =
    set.properties.length === 0 ? set.ranges : tidyRanges([...set.ranges, ...set.properties.flatMap(rangesOf)])
  return set.negated ? invertRanges(all) : all
}

const foldedProperties = new Map<string, readonly number[]>()

function rangesOf({ name, negated, fold }: Property): readonly number[] {
  const ranges = fold ? (foldedProperties.get(name) ?? foldRanges(propertyRanges(name))) : propertyRanges(name)
  if (fold) foldedProperties.set(name, ranges)
  return negated ? invertRanges(ranges) : ranges
}

const range = (text: string): readonly number[] => {
  const ranges: number[] = []
  for (let i = 0; i < text.length; i += 2) ranges.push(text.charCodeAt(i), text.charCodeAt(i + 1))
  return tidyRanges(ranges)
}

/** Word characters: those of ASCII, as in Go. */
export const WORD_RANGES = range('09AZ__az')

/** `\d`, `\s` and `\w`: ASCII only, as in Go. A capital letter negates. */
export const PERL_CLASSES: Readonly<Record<string, readonly number[]>> = {
  d: range('09'),
  s: range('\t\n\f\r  '),
  w: WORD_RANGES,
}

/** Classes such as `[:alpha:]`: ASCII only. `[:^alpha:]` negates. */
export const POSIX_CLASSES: Readonly<Record<string, readonly number[]>> = {
  alnum: range('09AZaz'),
  alpha: range('AZaz'),
  ascii: range('\x00\x7f'),
  blank: range('\t\t  '),
  cntrl: range('\x00\x1f\x7f\x7f'),
  digit: range('09'),
  graph: range('!~'),
  lower: range('az'),
  print: range(' ~'),
  punct: range('!/:@[`{~'),
  space: range('\t\r  '),
  upper: range('AZ'),
  word: WORD_RANGES,
  xdigit: range('09AFaf'),
}
