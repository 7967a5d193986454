import { LETTER_CLASSES, readBracket, readProperty } from './classes.js'
import { type Anchor, OnigError, type OnigNode, type OnigPattern } from './node.js'
import { OnigReader } from './reader.js'

/** What the options in force do. */
interface OnigOptions {
  readonly fold: boolean
  readonly extended: boolean
  /** `.` matches a line feed too. */
  readonly dotAll: boolean
  /** `^` and `$` match at every line. */
  readonly lines: boolean
}

interface Parsing {
  readonly reader: OnigReader
  readonly names: (string | null)[]
  readonly named: Map<string, number[]>
  readonly groupCount: number
  options: OnigOptions
  level: number
}

const MAX_LEVEL = 200
const MAX_REPEAT = 100_000

/** Parses a pattern. Throws `OnigError`. */
export function parseOnig(text: string, options: OnigOptions): OnigPattern {
  const reader = new OnigReader(text)
  const parsing: Parsing = { reader, names: [], named: new Map(), groupCount: countGroups(text), options, level: 0 }
  const node = parseEither(parsing)
  if (!reader.ended) throw new OnigError('unmatched close parenthesis', reader.at)
  return { node, names: parsing.names }
}

/** How many groups there are, which decides whether `\10` is a reference or a character. */
function countGroups(text: string): number {
  const bare = text.replace(/\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:[a-z^]+:\]|[^\]\\])*\]/g, '')
  return bare.match(/\((?!\?(?!<[A-Za-z_]|'))/g)?.length ?? 0
}

function parseEither(parsing: Parsing): OnigNode {
  if (++parsing.level > MAX_LEVEL) throw new OnigError('too deep nest level', parsing.reader.at)
  const outer = parsing.options
  const items = [parseSequence(parsing)]
  while (parsing.reader.accept('|')) items.push(parseSequence(parsing))
  parsing.options = outer
  parsing.level--
  return items.length === 1 ? items[0]! : { type: 'either', items }
}

function parseSequence(parsing: Parsing): OnigNode {
  const { reader } = parsing
  const items: OnigNode[] = []
  for (;;) {
    skipExtended(parsing)
    if (reader.ended || reader.peek() === '|' || reader.peek() === ')') break
    const item = parseQuantified(parsing)
    const last = items[items.length - 1]
    if (item.type === 'text' && last?.type === 'text' && last.fold === item.fold) {
      items[items.length - 1] = { ...last, text: last.text + item.text }
    } else if (item.type !== 'empty') {
      items.push(item)
    }
  }
  if (items.length === 0) return { type: 'empty' }
  return items.length === 1 ? items[0]! : { type: 'sequence', items }
}

function skipExtended({ reader, options }: Parsing): void {
  if (options.extended) reader.take(/(?:[ \t\r\n\f\v]|#[^\n]*)+/y)
}

function parseQuantified(parsing: Parsing): OnigNode {
  const { reader } = parsing
  let node = parseAtom(parsing)
  for (;;) {
    skipExtended(parsing)
    const start = reader.at
    const match = reader.take(/[*+?]|\{([0-9]+)(?:(,)([0-9]*))?\}/y)
    if (match === undefined) return node
    if (node.type === 'anchor' || node.type === 'look')
      throw new OnigError('target of repeat operator is invalid', start)
    const [min, max] = bounds(match)
    if (min > MAX_REPEAT || (max !== Number.POSITIVE_INFINITY && max > MAX_REPEAT)) {
      throw new OnigError('too big number range', start)
    }
    if (max < min) throw new OnigError('too big number range: the least is above the most', start)
    // After an interval, a plus is one more quantifier.
    const mode = reader.accept('?') ? 'lazy' : match[1] === undefined && reader.accept('+') ? 'possessive' : 'greedy'
    node = { type: 'repeat', body: node, min, max, mode }
  }
}

function bounds(match: RegExpExecArray): [number, number] {
  if (match[0] === '*') return [0, Number.POSITIVE_INFINITY]
  if (match[0] === '+') return [1, Number.POSITIVE_INFINITY]
  if (match[0] === '?') return [0, 1]
  const min = Number(match[1])
  if (match[2] === undefined) return [min, min]
  return [min, match[3] === '' ? Number.POSITIVE_INFINITY : Number(match[3])]
}

function parseAtom(parsing: Parsing): OnigNode {
  const { reader, options } = parsing
  switch (reader.peek()) {
    case '(':
      reader.at++
      return parseGroup(parsing)
    case '[':
      reader.at++
      return { type: 'set', set: readBracket(reader), fold: options.fold }
    case '.':
      reader.at++
      return { type: 'any', newline: options.dotAll }
    case '^':
      reader.at++
      return { type: 'anchor', anchor: options.lines ? 'line-start' : 'start' }
    case '$':
      reader.at++
      return { type: 'anchor', anchor: options.lines ? 'line-end' : 'semi-end' }
    case '\\':
      reader.at++
      return parseEscape(parsing)
    case '*':
    case '+':
    case '?':
      throw new OnigError('target of repeat operator is not specified', reader.at)
    default:
      return character(reader.next(), options)
  }
}

function character(code: number, { fold }: OnigOptions): OnigNode {
  return { type: 'text', text: String.fromCodePoint(code), fold }
}

const ANCHORS: Readonly<Record<string, Anchor>> = {
  A: 'start',
  Z: 'semi-end',
  z: 'end',
  G: 'search-start',
  b: 'word-edge',
  B: 'no-word-edge',
}

const NEWLINE_SET = {
  re2: '\\n\\v\\f\\r\\x{85}\\x{2028}\\x{2029}',
  js: '\\n\\v\\f\\r\\u0085\\u2028\\u2029',
  negated: false,
}

function parseEscape(parsing: Parsing): OnigNode {
  const { reader, options } = parsing
  const letter = reader.peek()
  const set = LETTER_CLASSES[letter.toLowerCase()]
  if (set !== undefined) {
    reader.at++
    return { type: 'set', set: { ...set, negated: letter !== letter.toLowerCase() }, fold: false }
  }
  const anchor = ANCHORS[letter]
  if (anchor !== undefined) {
    reader.at++
    return { type: 'anchor', anchor }
  }
  if (letter === 'p' || letter === 'P') {
    if (reader.peek(1) !== '{') return character(reader.next(), options)
    reader.at++
    return { type: 'set', set: readProperty(reader, letter === 'P'), fold: options.fold }
  }
  if (reader.accept('Q')) return parseQuoted(parsing)
  if (reader.accept('K')) return { type: 'keep' }
  if (reader.accept('N')) return { type: 'any', newline: false }
  if (reader.accept('O')) return { type: 'any', newline: true }
  if (reader.accept('R')) return lineBreak()
  if (reader.accept('X')) return cluster()
  return parseReference(parsing) ?? character(reader.nextEscaped(), options)
}

function parseQuoted({ reader, options }: Parsing): OnigNode {
  const end = reader.text.indexOf('\\E', reader.at)
  const text = reader.text.slice(reader.at, end < 0 ? undefined : end)
  reader.at = end < 0 ? reader.text.length : end + 2
  return text === '' ? { type: 'empty' } : { type: 'text', text, fold: options.fold }
}

/** `\R`: a line break, of which a carriage return and a line feed are one. */
function lineBreak(): OnigNode {
  const pair: OnigNode = { type: 'text', text: '\r\n', fold: false }
  return { type: 'atomic', body: { type: 'either', items: [pair, { type: 'set', set: NEWLINE_SET, fold: false }] } }
}

/** `\X`: a character with what combines with it. */
function cluster(): OnigNode {
  const marks: OnigNode = { type: 'set', set: { re2: '\\p{M}', js: '\\p{M}', negated: false }, fold: false }
  const more: OnigNode = { type: 'repeat', body: marks, min: 0, max: Number.POSITIVE_INFINITY, mode: 'possessive' }
  const one: OnigNode = { type: 'sequence', items: [{ type: 'any', newline: true }, more] }
  return { type: 'atomic', body: { type: 'either', items: [{ type: 'text', text: '\r\n', fold: false }, one] } }
}

function parseReference(parsing: Parsing): OnigNode | undefined {
  const { reader, options, named, groupCount } = parsing
  const name = reader.take(/k(?:<([^>]+)>|'([^']+)')/y)
  if (name !== undefined) {
    const key = name[1] ?? name[2]!
    const groups = /^[0-9]+$/.test(key) ? [Number(key)] : named.get(key)
    if (groups === undefined) throw new OnigError(`undefined name <${key}> reference`, reader.at)
    return { type: 'reference', groups, fold: options.fold }
  }
  if (reader.peek() === 'g' && /['<]/.test(reader.peek(1))) {
    throw new OnigError('calls of groups (\\g) are not supported', reader.at)
  }
  const digits = /[1-9][0-9]?/y
  digits.lastIndex = reader.at
  const number = Number(digits.exec(reader.text)?.[0] ?? 0)
  if (number === 0 || (number > 9 && number > groupCount)) return undefined
  if (number > groupCount) throw new OnigError('invalid backref number/name', reader.at)
  reader.at += String(number).length
  return { type: 'reference', groups: [number], fold: options.fold }
}

const GROUPS: readonly { open: string; wrap: (body: OnigNode) => OnigNode }[] = [
  { open: '?:', wrap: (body) => body },
  { open: '?>', wrap: (body) => ({ type: 'atomic', body }) },
  { open: '?=', wrap: (body) => ({ type: 'look', body, ahead: true, negative: false }) },
  { open: '?!', wrap: (body) => ({ type: 'look', body, ahead: true, negative: true }) },
  { open: '?<=', wrap: (body) => ({ type: 'look', body, ahead: false, negative: false }) },
  { open: '?<!', wrap: (body) => ({ type: 'look', body, ahead: false, negative: true }) },
]

function parseGroup(parsing: Parsing): OnigNode {
  const { reader } = parsing
  if (reader.take(/\?#(?:[^)\\]|\\[\s\S])*\)/y) !== undefined) return { type: 'empty' }
  const plain = GROUPS.find(({ open }) => reader.accept(open))
  if (plain !== undefined) return plain.wrap(closed(parsing))
  const name = reader.take(/\?(?:<([A-Za-z_][^>]*)>|'([A-Za-z_][^']*)')/y)
  if (name === undefined && reader.peek() === '?') return parseOptions(parsing)
  const key = name === undefined ? null : (name[1] ?? name[2]!)
  parsing.names.push(key)
  const index = parsing.names.length
  if (key !== null) parsing.named.set(key, [...(parsing.named.get(key) ?? []), index])
  return { type: 'group', body: closed(parsing), index }
}

function closed(parsing: Parsing): OnigNode {
  const body = parseEither(parsing)
  if (!parsing.reader.accept(')')) throw new OnigError('end pattern with unmatched parenthesis', parsing.reader.at)
  return body
}

const OPTION_NAMES: Readonly<Record<string, keyof OnigOptions>> = { i: 'fold', x: 'extended', s: 'dotAll', m: 'lines' }

/** `(?i)`, which holds up to the end of the group around it, or `(?i:…)`. */
function parseOptions(parsing: Parsing): OnigNode {
  const { reader } = parsing
  const match = reader.take(/\?([imsx]*)(?:-([imsx]*))?([:)])/y)
  if (match === undefined) throw new OnigError('undefined group option', reader.at)
  const outer = parsing.options
  const changed = { ...outer }
  for (const letter of match[1]!) changed[OPTION_NAMES[letter]!] = true
  for (const letter of match[2] ?? '') changed[OPTION_NAMES[letter]!] = false
  parsing.options = changed
  if (match[3] === ')') return parseRest(parsing)
  const body = closed(parsing)
  parsing.options = outer
  return body
}

/** What follows `(?i)` up to the end of its group, alternatives included. */
function parseRest(parsing: Parsing): OnigNode {
  const { options } = parsing
  const items = [parseSequence(parsing)]
  while (parsing.reader.peek() === '|') {
    parsing.reader.at++
    parsing.options = options
    items.push(parseSequence(parsing))
  }
  return items.length === 1 ? items[0]! : { type: 'either', items }
}
