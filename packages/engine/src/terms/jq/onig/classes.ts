import { type CharacterSet, type Inside, OnigError } from './node.js'
import type { OnigReader } from './reader.js'

const LETTERS = '\\p{L}\\p{M}'
const WORD = `${LETTERS}\\p{Nd}\\p{Pc}`
const SPACE_RE2 = '\\t\\n\\v\\f\\r\\x{85}\\p{Z}'
const SPACE_JS = '\\t\\n\\v\\f\\r\\u0085\\p{Z}'

const both = (inside: string): Inside => ({ re2: inside, js: inside })

/** The classes of one letter, by the lower-case letter. */
export const LETTER_CLASSES: Readonly<Record<string, Inside>> = {
  d: both('\\p{Nd}'),
  w: both(WORD),
  s: { re2: SPACE_RE2, js: SPACE_JS },
}

/** The classes with names, as `[:name:]` and, most of them, as `\p{Name}`. */
const NAMED_CLASSES: Readonly<Record<string, Inside>> = {
  alnum: both(`${LETTERS}\\p{Nd}`),
  alpha: both(LETTERS),
  ascii: { re2: '\\x00-\\x7f', js: '\\0-\\x7f' },
  blank: both('\\t\\p{Zs}'),
  cntrl: both('\\p{Cc}'),
  digit: both('\\p{Nd}'),
  graph: both('\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Co}'),
  lower: both('\\p{Ll}'),
  print: both('\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Co}\\p{Zs}'),
  punct: both('\\p{P}$+<=>\\^`\\|~'),
  space: { re2: SPACE_RE2, js: SPACE_JS },
  upper: both('\\p{Lu}'),
  word: both(WORD),
  xdigit: both('0-9a-fA-F'),
}

const CATEGORIES: Readonly<Record<string, string>> = {
  letter: 'L',
  mark: 'M',
  number: 'N',
  punctuation: 'P',
  symbol: 'S',
  separator: 'Z',
  other: 'C',
}

/** `\p{…}`. The reader stands behind the `p` or `P`. */
export function readProperty(reader: OnigReader, inverted: boolean): CharacterSet {
  const match = reader.take(/\{(\^?)([^}]*)\}/y)
  if (match === undefined) throw new OnigError('invalid character property name', reader.at)
  const name = match[2]!.replace(/[ _-]/g, '')
  const set = property(name)
  if (set === undefined) throw new OnigError(`invalid character property name {${match[2]}}`, reader.at)
  return { ...set, negated: inverted !== (match[1] === '^') }
}

function property(name: string): Inside | undefined {
  const lower = name.toLowerCase()
  if (lower === 'any') return { re2: '\\x00-\\x{10ffff}', js: '\\0-\\u{10ffff}' }
  const named = NAMED_CLASSES[lower]
  if (named !== undefined) return named
  const category =
    CATEGORIES[lower] ?? (/^[lmnpszc][a-z]?$/i.test(name) ? lower[0]!.toUpperCase() + lower.slice(1) : '')
  if (category !== '') return isKnown(`\\p{${category}}`) ? both(`\\p{${category}}`) : undefined
  const script = name[0] === undefined ? '' : name[0].toUpperCase() + lower.slice(1)
  return isKnown(`\\p{Script=${script}}`) ? { re2: `\\p{${script}}`, js: `\\p{Script=${script}}` } : undefined
}

function isKnown(source: string): boolean {
  try {
    new RegExp(source, 'u')
    return true
  } catch {
    return false
  }
}

/** What one part of a bracket expression stands for: a character, or a set. */
type Part = number | CharacterSet

/** `[…]`. The reader stands behind the opening bracket. */
export function readBracket(reader: OnigReader): CharacterSet {
  const start = reader.at
  const negated = reader.accept('^')
  const parts: Inside[] = []
  const outside: Inside[] = []
  for (let first = true; first || !reader.accept(']'); first = false) {
    if (reader.ended) throw new OnigError('premature end of char-class', start)
    if (first && reader.peek() === ']' && !reader.text.includes(']', reader.at + 1)) {
      throw new OnigError('empty char-class', start)
    }
    const from = readPart(reader)
    if (typeof from !== 'number') {
      ;(from.negated ? outside : parts).push(from)
      continue
    }
    const to = reader.peek() === '-' && reader.peek(1) !== ']' && reader.peek(1) !== '' ? readRangeEnd(reader) : from
    if (to < from) throw new OnigError('empty range in char class', reader.at)
    parts.push({
      re2: to === from ? codeRe2(from) : `${codeRe2(from)}-${codeRe2(to)}`,
      js: to === from ? codeJs(from) : `${codeJs(from)}-${codeJs(to)}`,
    })
  }
  return { re2: parts.map((part) => part.re2).join(''), js: parts.map((part) => part.js).join(''), negated, outside }
}

function readRangeEnd(reader: OnigReader): number {
  reader.at++
  const to = readPart(reader)
  if (typeof to !== 'number') throw new OnigError('char-class value at end of range', reader.at)
  return to
}

function readPart(reader: OnigReader): Part {
  const posix = reader.take(/\[:(\^?)([a-zA-Z]+):\]/y)
  if (posix !== undefined) {
    const set = NAMED_CLASSES[posix[2]!]
    if (set === undefined) throw new OnigError('invalid POSIX bracket type', reader.at)
    return { ...set, negated: posix[1] === '^' }
  }
  if (!reader.accept('\\')) return reader.next()
  const letter = reader.peek()
  const set = LETTER_CLASSES[letter.toLowerCase()]
  if (set !== undefined) {
    reader.at++
    return { ...set, negated: letter !== letter.toLowerCase() }
  }
  if (letter === 'p' || letter === 'P') {
    reader.at++
    return readProperty(reader, letter === 'P')
  }
  if (letter === 'b') {
    reader.at++
    return 8
  }
  return reader.nextEscaped()
}

export function codeRe2(code: number): string {
  return /[A-Za-z0-9]/.test(String.fromCodePoint(code)) ? String.fromCodePoint(code) : `\\x{${code.toString(16)}}`
}

function codeJs(code: number): string {
  return /[A-Za-z0-9]/.test(String.fromCodePoint(code)) ? String.fromCodePoint(code) : `\\u{${code.toString(16)}}`
}
