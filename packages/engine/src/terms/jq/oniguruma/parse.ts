import { TermError } from '../../condition.js'
import {
  addFragment,
  type Branches,
  captureFragment,
  closeBranches,
  type Fragment,
  fragmentOf,
  openBranches,
  repeatFragment,
} from '../../regex/parse/fragments.js'
import type { AssertionPlace, RegexNode } from '../../regex/parse/node.js'
import { mayBeEmpty } from '../../regex/run/program.js'
import { setOf, takeBracket, takeClassEscape } from './classes.js'
import { OnigReader, syntaxError } from './reader.js'
import {
  UNSUPPORTED_ESCAPES,
  UNSUPPORTED_GROUPS,
  unsupported,
  unsupportedCall,
  unsupportedReference,
} from './unsupported.js'

/** How the pattern is parsed from some point on. */
interface OnigOptions {
  /** `i`: letters match in any case. */
  readonly fold: boolean
  /** `x`: white space and comments are skipped. */
  readonly extended: boolean
  /** `s`, and `p` of jq: `.` matches a line feed too. */
  readonly dotAll: boolean
  /** `m`: `^` and `$` match at every line. */
  readonly lines: boolean
}

/** A pattern in Oniguruma's syntax (the variant of Perl, which jq uses), as a tree of the engine's regexes. */
export interface OnigPattern {
  readonly node: RegexNode
  /** The name of each group, or null. Group 1 is the first. */
  readonly names: readonly (string | null)[]
}

interface Parsing {
  readonly reader: OnigReader
  readonly names: (string | null)[]
  /** All groups of the pattern, those not yet read included. */
  readonly groupCount: number
  options: OnigOptions
  level: number
}

const MAX_LEVEL = 200
const MAX_REPEAT = 100_000
const LONGEST = 65_536

/**
 * Parses a pattern with jq's flags. Throws a `TermError`: its code is `regex-syntax` if jq refuses the pattern too, and
 * another one if the pattern cannot be matched in linear time.
 *
 * @example
 * parseOnig('(?<code>\\d+)', '').names // ['code']
 * parseOnig('a(?=b)', '')             // TermError: look-ahead (?=…) is not supported: …
 */
export function parseOnig(text: string, flags: string): OnigPattern {
  if (text.length > LONGEST) throw new TermError('regex-too-long', `longer than ${LONGEST} characters`, LONGEST)
  const parsing: Parsing = {
    reader: new OnigReader(text),
    names: [],
    groupCount: countGroups(text),
    options: {
      fold: flags.includes('i'),
      extended: flags.includes('x'),
      dotAll: flags.includes('p'),
      lines: false,
    },
    level: 0,
  }
  const { node } = parseAlternatives(parsing)
  if (!parsing.reader.ended) throw syntaxError('unmatched close parenthesis', parsing.reader.at)
  return { node, names: parsing.names }
}

/** Counts the groups, which decides whether `\10` is a back-reference or a character. */
function countGroups(text: string): number {
  const bare = text.replace(/\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:[a-z^]+:\]|[^\]\\])*\]/g, '')
  return bare.match(/\((?!\?(?!<[A-Za-z_]|'))/g)?.length ?? 0
}

/** Parses up to the end of the group. `(?i)` also applies to the alternatives after the one in which it appears. */
function parseAlternatives(parsing: Parsing): Fragment {
  if (++parsing.level > MAX_LEVEL) throw syntaxError('too deep nest level', parsing.reader.at)
  const { options } = parsing
  const branches = openBranches()
  parseSequence(parsing, branches)
  while (parsing.reader.accept('|')) {
    branches.done.push(branches.open.splice(0))
    parseSequence(parsing, branches)
  }
  parsing.options = options
  parsing.level--
  return closeBranches(branches)
}

function parseSequence(parsing: Parsing, branches: Branches): void {
  const { reader } = parsing
  for (;;) {
    skipIgnored(parsing)
    if (reader.ended || reader.peek() === '|' || reader.peek() === ')') return
    const start = reader.at
    if (acceptOptions(parsing)) {
      branches.open.push(EMPTY)
      continue
    }
    const quoted = acceptQuoted(parsing)
    if (quoted === '') continue
    if (quoted !== undefined) addQuoted(parsing, branches, quoted)
    else addFragment(branches, parseRepeated(parsing, parseAtom(parsing)), start)
  }
}

/** Skips comments and, with `x`, white space. */
function skipIgnored({ reader, options }: Parsing): void {
  const ignored = options.extended
    ? /(?:[ \t\r\n\f\v]|#[^\n]*|\(\?#(?:[^)\\]|\\[\s\S])*\))+/y
    : /(?:\(\?#(?:[^)\\]|\\[\s\S])*\))+/y
  reader.take(ignored)
}

/** `*`, `+`, `?`, `{2}`, `{2,}` or `{2,3}`. */
const REPETITION = /[*+?]|\{([0-9]+)(?:(,)([0-9]*))?\}/y

/** Parses the repetitions of an atom. */
function parseRepeated(parsing: Parsing, atom: Fragment): Fragment {
  const { reader } = parsing
  let fragment = atom
  for (;;) {
    skipIgnored(parsing)
    const start = reader.at
    const match = reader.take(REPETITION)
    if (match === undefined) return fragment
    if (isUnrepeatable(fragment.node)) throw syntaxError('target of repeat operator is invalid', start)
    const [min, max] = countsOf(match)
    if (min > MAX_REPEAT || (max !== Infinity && max > MAX_REPEAT)) throw syntaxError('too big number range', start)
    if (max < min) throw syntaxError('too big number range: the minimum is greater than the maximum', start)
    const lazy = reader.accept('?')
    if (!lazy && reader.accept('+')) {
      throw unsupported(`possessive repetition ${match[0]}+`, `write ${match[0]} without the +`, start)
    }
    const repeated = repeatFragment(fragment, min, max, !lazy, false)
    // The program has a second copy of a body that may be empty, and another one for each such body around it.
    fragment = mayBeEmpty(fragment.node) ? { ...repeated, size: 4 * repeated.size } : repeated
  }
}

/** Oniguruma does not repeat an assertion, nor alternatives of which one is an assertion. */
const isUnrepeatable = (node: RegexNode): boolean =>
  node.kind === 'assertion' || (node.kind === 'alternate' && node.nodes.some(isUnrepeatable))

function countsOf(match: RegExpExecArray): [min: number, max: number] {
  if (match[0] === '*') return [0, Infinity]
  if (match[0] === '+') return [1, Infinity]
  if (match[0] === '?') return [0, 1]
  const min = Number(match[1])
  if (match[2] === undefined) return [min, min]
  return [min, match[3] === '' ? Infinity : Number(match[3])]
}

const EMPTY = fragmentOf({ kind: 'empty' })

const assertion = (place: AssertionPlace): Fragment => fragmentOf({ kind: 'assertion', place })

function parseAtom(parsing: Parsing): Fragment {
  const { reader, options } = parsing
  if (reader.take(REPETITION)) throw syntaxError('target of repeat operator is not specified', reader.at - 1)
  const character = reader.peek()
  if (!'([.^$\\'.includes(character)) return literal(reader.next(), options)
  reader.at++
  switch (character) {
    case '(':
      return parseGroup(parsing)
    case '[':
      return fragmentOf({ kind: 'class', set: takeBracket(reader, options.fold) })
    case '.':
      return fragmentOf({ kind: 'any', newline: options.dotAll })
    case '^':
      return assertion(options.lines ? 'line-start-not-end' : 'text-start')
    case '$':
      return assertion(options.lines ? 'line-end' : 'before-final-newline')
    default:
      return parseEscape(parsing)
  }
}

function literal(code: number, { fold }: OnigOptions): Fragment {
  const isSurrogate = code >= 0xd800 && code <= 0xdfff
  if (isSurrogate) return fragmentOf({ kind: 'class', set: setOf([code, code], false) })
  return fragmentOf({ kind: 'literal', text: String.fromCodePoint(code), fold })
}

const PLACES: Readonly<Record<string, AssertionPlace>> = {
  A: 'text-start',
  Z: 'before-final-newline',
  z: 'text-end',
  G: 'search-start',
  b: 'word-edge',
  B: 'word-inside',
}

function parseEscape(parsing: Parsing): Fragment {
  const { reader, options } = parsing
  const letter = reader.peek()
  const set = takeClassEscape(reader)
  if (set !== undefined) return fragmentOf({ kind: 'class', set })
  if (Object.hasOwn(PLACES, letter)) {
    reader.at++
    return assertion(PLACES[letter]!)
  }
  if (Object.hasOwn(UNSUPPORTED_ESCAPES, letter)) throw unsupported(...UNSUPPORTED_ESCAPES[letter]!, reader.at - 1)
  if (reader.accept('N')) return fragmentOf({ kind: 'any', newline: false })
  if (reader.accept('O')) return fragmentOf({ kind: 'any', newline: true })
  if (reader.accept('R')) return LINE_BREAK
  refuseReference(parsing)
  return literal(reader.nextEscaped(), options)
}

/** Takes the text between `\Q` and `\E`, or the end of the pattern. */
function acceptQuoted({ reader }: Parsing): string | undefined {
  if (!reader.accept('\\Q')) return undefined
  const end = reader.text.indexOf('\\E', reader.at)
  const text = reader.text.slice(reader.at, end < 0 ? undefined : end)
  reader.at = end < 0 ? reader.text.length : end + 2
  return text
}

/** Adds quoted text. A repetition after it concerns only its last character. */
function addQuoted(parsing: Parsing, branches: Branches, text: string): void {
  const atoms = Array.from(text, (character) => literal(character.codePointAt(0)!, parsing.options))
  const last = atoms.pop()!
  for (const atom of atoms) branches.open.push(atom)
  addFragment(branches, parseRepeated(parsing, last), parsing.reader.at)
}

/** `\R`: a line break. A carriage return with a line feed after it is always taken together with it. */
const LINE_BREAK: Fragment = (() => {
  const branches = openBranches()
  const carriageReturn = fragmentOf({ kind: 'literal', text: '\r', fold: false })
  branches.done.push([fragmentOf({ kind: 'literal', text: '\r\n', fold: false })])
  branches.done.push([carriageReturn, assertion('not-before-newline')])
  branches.open.push(fragmentOf({ kind: 'class', set: setOf([10, 12, 0x85, 0x85, 0x2028, 0x2029], false) }))
  return closeBranches(branches)
})()

/** Refuses `\1`, `\k<name>` and `\g<name>`, of which the backslash has been read. */
function refuseReference({ reader, groupCount }: Parsing): void {
  const start = reader.at - 1
  const named = reader.take(/(k|g)(?:<[^>]*>|'[^']*')/y)
  if (named?.[1] === 'g') throw unsupportedCall(`\\${named[0]}`, start)
  if (named) throw unsupportedReference(`\\${named[0]}`, start)
  const digits = /[1-9][0-9]?/y
  digits.lastIndex = reader.at
  const number = Number(digits.exec(reader.text)?.[0] ?? 0)
  if (number === 0 || (number > 9 && number > groupCount)) return
  if (number > groupCount) throw syntaxError('invalid backref number/name', reader.at)
  throw unsupportedReference(`\\${number}`, start)
}

/** Parses a group, of which the opening parenthesis has been read. */
function parseGroup(parsing: Parsing): Fragment {
  const { reader } = parsing
  const start = reader.at - 1
  for (const [opening, construct, instead] of UNSUPPORTED_GROUPS) {
    if (reader.text.startsWith(opening, start)) throw unsupported(construct, instead, start)
  }
  const call = reader.take(/\?(?:R|&[^)]*|[+-]?[0-9]+)\)/y)
  if (call !== undefined) throw unsupportedCall(`(${call[0]}`, start)
  if (reader.accept('?:')) return parseRestOfGroup(parsing)
  const name = reader.take(/\?(?:<([A-Za-z_][^>]*)>|'([A-Za-z_][^']*)')/y)
  if (name === undefined && reader.peek() === '?') return parseOptions(parsing)
  const index = parsing.names.push(name === undefined ? null : (name[1] ?? name[2]!))
  return captureFragment(parseRestOfGroup(parsing), index)
}

function parseRestOfGroup(parsing: Parsing): Fragment {
  const body = parseAlternatives(parsing)
  if (!parsing.reader.accept(')')) throw syntaxError('end pattern with unmatched parenthesis', parsing.reader.at)
  return body
}

const OPTION_NAMES: Readonly<Record<string, keyof OnigOptions>> = { i: 'fold', x: 'extended', s: 'dotAll', m: 'lines' }

/** Takes `(?i)`, which applies up to the end of the group around it. */
function acceptOptions(parsing: Parsing): boolean {
  const match = parsing.reader.take(/\(\?([imsx]*)(?:-([imsx]*))?\)/y)
  if (match === undefined) return false
  parsing.options = changedOptions(parsing.options, match)
  return true
}

/** Parses `(?i:…)`, of which the opening parenthesis has been read. */
function parseOptions(parsing: Parsing): Fragment {
  const { reader, options } = parsing
  const match = reader.take(/\?([imsx]*)(?:-([imsx]*))?:/y)
  if (match === undefined) throw syntaxError('undefined group option', reader.at)
  parsing.options = changedOptions(options, match)
  const body = parseRestOfGroup(parsing)
  parsing.options = options
  // Unlike `(?:^)`, `(?i:^)` can be repeated.
  return isUnrepeatable(body.node) ? { ...body, node: { kind: 'concat', nodes: [body.node] } } : body
}

function changedOptions(options: OnigOptions, [, on, off]: RegExpExecArray): OnigOptions {
  const changed = { ...options }
  for (const letter of on!) changed[OPTION_NAMES[letter]!] = true
  for (const letter of off ?? '') changed[OPTION_NAMES[letter]!] = false
  return changed
}
