import { type CharSet, foldRanges, invertRanges, tidyRanges } from '../../regex/parse/charset.js'
import { classRanges } from '../../regex/parse/unicode.js'
import { type OnigReader, syntaxError } from './reader.js'

const WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}'
const SPACE = '\\t\\n\\v\\f\\r\\u0085\\p{Z}'
const GRAPH = '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Co}'

/** Classes with names, as in `[:alpha:]` and, except for `punct`, in `\p{Alpha}`. Written in JavaScript's syntax. */
const NAMED_CLASSES: Readonly<Record<string, string>> = {
  alnum: '\\p{Alphabetic}\\p{Nd}',
  alpha: '\\p{Alphabetic}',
  ascii: '\\0-\\x7f',
  blank: '\\t\\p{Zs}',
  cntrl: '\\p{Cc}',
  digit: '\\p{Nd}',
  graph: GRAPH,
  lower: '\\p{Lowercase}',
  print: `${GRAPH}\\p{Zs}`,
  punct: '\\p{P}\\p{S}',
  space: SPACE,
  upper: '\\p{Uppercase}',
  word: WORD,
  xdigit: '0-9a-fA-F',
}

const LETTER_CLASSES: Readonly<Record<string, string>> = { d: '\\p{Nd}', s: SPACE, w: WORD }

/** The word characters of `\w`, `\W` and `\b`: unlike `[\w]` and `[[:word:]]`, they include ²³¹¼½¾. */
export const wordRanges = (): readonly number[] => classRanges(`${WORD}\\u00b2\\u00b3\\u00b9\\u00bc-\\u00be`)

const CATEGORIES: Readonly<Record<string, string>> = {
  letter: 'L',
  mark: 'M',
  number: 'N',
  punctuation: 'P',
  symbol: 'S',
  separator: 'Z',
  other: 'C',
}

/** Makes the set of a class. Case folding comes before negation: `(?i)[^a]` matches neither `a` nor `A`. */
export function setOf(ranges: readonly number[], negated: boolean, fold = false): CharSet {
  return { ranges: fold ? foldRanges(ranges) : tidyRanges(ranges), properties: [], negated }
}

/** Takes `\d`, `\w`, `\s`, `\p{…}` or a negation of them outside brackets, of which the backslash has been read. */
export function takeClassEscape(reader: OnigReader): CharSet | undefined {
  // Without braces, `\p` is the letter.
  if (/[pP]/.test(reader.peek()) && reader.peek(1) !== '{') return undefined
  const isWord = /[wW]/.test(reader.peek())
  const negated = /[WPDS]/.test(reader.peek())
  const ranges = takeEscapedRanges(reader)
  if (ranges === undefined) return undefined
  return isWord ? setOf(wordRanges(), negated) : setOf(ranges, false)
}

function takeEscapedRanges(reader: OnigReader): readonly number[] | undefined {
  const letter = reader.peek()
  const members = LETTER_CLASSES[letter.toLowerCase()]
  if (members !== undefined) {
    reader.at++
    return inverted(classRanges(members), letter !== letter.toLowerCase())
  }
  if (letter !== 'p' && letter !== 'P') return undefined
  reader.at++
  return takeProperty(reader, letter === 'P')
}

const inverted = (ranges: readonly number[], invert: boolean): readonly number[] =>
  invert ? invertRanges(ranges) : ranges

/** Takes `{Name}` or `{^Name}`. */
function takeProperty(reader: OnigReader, invert: boolean): readonly number[] {
  const match = reader.take(/\{(\^?)([^}]*)\}/y)
  if (match === undefined) throw syntaxError('invalid character property name', reader.at)
  const members = property(match[2]!.replace(/[ _-]/g, ''))
  if (members === undefined) throw syntaxError(`invalid character property name {${match[2]}}`, reader.at)
  return inverted(classRanges(members), invert !== (match[1] === '^'))
}

function property(name: string): string | undefined {
  const lower = name.toLowerCase()
  if (lower === 'any') return '\\p{Any}'
  if (lower === 'punct') return '\\p{P}'
  if (Object.hasOwn(NAMED_CLASSES, lower)) return NAMED_CLASSES[lower]
  const short = /^[lmnpszc][a-z]?$/i.test(name) ? lower[0]!.toUpperCase() + lower.slice(1) : undefined
  const category = Object.hasOwn(CATEGORIES, lower) ? CATEGORIES[lower] : lower === 'lc' ? 'LC' : short
  const script = name === '' ? '' : name[0]!.toUpperCase() + lower.slice(1)
  const members = category === undefined ? `\\p{Script=${script}}` : `\\p{${category}}`
  return isKnown(members) ? members : undefined
}

function isKnown(source: string): boolean {
  try {
    new RegExp(source, 'u')
    return true
  } catch {
    return false
  }
}

/** Takes `[…]`, of which the opening bracket has been read. */
export function takeBracket(reader: OnigReader, fold: boolean): CharSet {
  const start = reader.at
  const negated = reader.accept('^')
  const ranges: number[] = []
  for (let first = true; first || !reader.accept(']'); first = false) {
    if (reader.ended) throw syntaxError('premature end of char-class', start)
    if (first && reader.peek() === ']' && !reader.text.includes(']', reader.at + 1)) {
      throw syntaxError('empty char-class', start)
    }
    const from = takeMember(reader)
    if (typeof from !== 'number') {
      for (const bound of from) ranges.push(bound)
      continue
    }
    const isRange = reader.peek() === '-' && reader.peek(1) !== ']' && reader.peek(1) !== ''
    const to = isRange ? takeRangeEnd(reader) : from
    if (to < from) throw syntaxError('empty range in char class', reader.at)
    ranges.push(from, to)
  }
  return setOf(ranges, negated, fold)
}

function takeRangeEnd(reader: OnigReader): number {
  reader.at++
  const to = takeMember(reader)
  if (typeof to !== 'number') throw syntaxError('char-class value at end of range', reader.at)
  return to
}

/** Takes a character, or a class within a class as ranges. */
function takeMember(reader: OnigReader): number | readonly number[] {
  const posix = reader.take(/\[:(\^?)([a-zA-Z]+):\]/y)
  if (posix !== undefined) {
    if (!Object.hasOwn(NAMED_CLASSES, posix[2]!)) throw syntaxError('invalid POSIX bracket type', reader.at)
    return inverted(classRanges(NAMED_CLASSES[posix[2]!]!), posix[1] === '^')
  }
  if (!reader.accept('\\')) return reader.next()
  const ranges = takeEscapedRanges(reader)
  if (ranges !== undefined) return ranges
  return reader.accept('b') ? 8 : reader.nextEscaped()
}
