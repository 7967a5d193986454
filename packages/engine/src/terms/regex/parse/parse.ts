import { TermError } from '../../condition.js'
import { takeClass, takeClassEscape } from './classes.js'
import { type Cursor, errorSince, looksAt, takeCode, takeMatch } from './cursor.js'
import { takeEscapedCode, takeQuoted } from './escapes.js'
import {
  addFragment,
  type Branches,
  captureFragment,
  checkLimits,
  closeBranches,
  fragmentOf,
  openBranches,
  repeatFragment,
} from './fragments.js'
import { type Flags, takeGroupOpening } from './groups.js'
import type { AssertionPlace, RegexNode } from './node.js'

/** A longer pattern is an accident or an attack. */
const MAX_PATTERN_LENGTH = 65_536

/** `.` also matches line breaks (docs/rule-language.md); the rest is as in Go. */
const FIRST_FLAGS: Flags = { fold: false, multiline: false, dotall: true, lazy: false }

/** A group that has not been closed yet; the whole pattern is the outermost one. */
interface OpenGroup {
  readonly start: number
  /** The number of a capturing group, 0 for others. */
  readonly index: number
  /** The flags that apply again after it. */
  readonly outerFlags: Flags
  readonly branches: Branches
}

interface Parser extends Cursor {
  flags: Flags
  readonly groups: OpenGroup[]
  captures: number
  /** Where the repetition begins that has just been read, or -1: a second one on top of it is an error. */
  repetition: number
}

/**
 * Reads a regular expression in Go's syntax (`regexp/syntax` with the flags of `regexp.Compile`), except that `.` also
 * matches line breaks unless `(?-s)` says otherwise. Throws a `TermError` that says what is wrong and where.
 *
 * ```ts
 * parseRegex('40[34]|timeout') // { kind: 'alternate', nodes: […] }
 * parseRegex('a(?=b)')         // TermError: look-ahead (?= is not supported: …
 * ```
 */
export function parseRegex(pattern: string): RegexNode {
  checkText(pattern)
  const parser: Parser = {
    pattern,
    lastNamedEnd: pattern.lastIndexOf(':]'),
    offset: 0,
    flags: FIRST_FLAGS,
    groups: [],
    captures: 0,
    repetition: -1,
  }
  openGroup(parser, 0, 0, FIRST_FLAGS)
  while (parser.offset < pattern.length) {
    const { offset } = parser
    const repeated = takeRepetition(parser)
    parser.repetition = repeated ? offset : -1
    if (!repeated) takeItem(parser)
  }
  const group = parser.groups.pop()!
  if (parser.groups.length > 0) throw new TermError('regex-unclosed-group', 'missing closing )', group.start)
  const whole = closeBranches(group.branches)
  checkLimits(whole, 0)
  return whole.node
}

function checkText(pattern: string): void {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    const message = `the pattern has ${pattern.length} characters: at most ${MAX_PATTERN_LENGTH} are allowed`
    throw new TermError('regex-too-long', message, MAX_PATTERN_LENGTH)
  }
  const half = /\p{Surrogate}/u.exec(pattern)
  if (half) throw new TermError('regex-text', 'the pattern contains half a character (a lone surrogate)', half.index)
}

/** What each character of the syntax means. */
const ITEMS: Readonly<Record<string, (parser: Parser) => void>> = {
  '(': takeGroup,
  ')': closeGroup,
  '|': takeBar,
  '[': (parser) => add(parser, { kind: 'class', set: takeClass(parser, parser.flags.fold) }),
  '.': (parser) => takeNode(parser, { kind: 'any', newline: parser.flags.dotall }),
  '^': (parser) => takePlace(parser, parser.flags.multiline ? 'line-start' : 'text-start'),
  $: (parser) => takePlace(parser, parser.flags.multiline ? 'line-end' : 'text-end'),
  '\\': takeEscape,
}

const PLACES: Readonly<Record<string, AssertionPlace>> = {
  A: 'text-start',
  z: 'text-end',
  b: 'word-edge',
  B: 'word-inside',
}

/** Text without any syntax in it. */
const PLAIN = /[^\\^$.|?*+()[{]+/y

function takeItem(parser: Parser): void {
  const take = ITEMS[parser.pattern[parser.offset]!]
  if (take) take(parser)
  else if (!takePlain(parser)) addCode(parser, takeCode(parser))
}

/** Takes text up to the next syntax. Its last character becomes a separate node: a repetition after it concerns only that one. */
function takePlain(parser: Parser): boolean {
  const text = takeMatch(parser, PLAIN)?.[0]
  if (text === undefined) return false
  const last = text.length - (text.codePointAt(text.length - 2)! > 0xffff ? 2 : 1)
  if (last > 0) addText(parser, text.slice(0, last))
  addText(parser, text.slice(last))
  return true
}

function add(parser: Parser, node: RegexNode): void {
  addFragment(parser.groups.at(-1)!.branches, fragmentOf(node), parser.offset)
}

function addText(parser: Parser, text: string): void {
  add(parser, { kind: 'literal', text, fold: parser.flags.fold })
}

/** A surrogate that is written as a number stays apart: two of them must not become one character. */
function addCode(parser: Parser, code: number): void {
  const surrogate = code >= 0xd800 && code <= 0xdfff
  if (surrogate) add(parser, { kind: 'class', set: { ranges: [code, code], properties: [], negated: false } })
  else addText(parser, String.fromCodePoint(code))
}

function takeNode(parser: Parser, node: RegexNode): void {
  parser.offset += 1
  add(parser, node)
}

function takePlace(parser: Parser, place: AssertionPlace): void {
  takeNode(parser, { kind: 'assertion', place })
}

function takeEscape(parser: Parser): void {
  const letter = parser.pattern[parser.offset + 1] ?? ''
  const place = Object.hasOwn(PLACES, letter) ? PLACES[letter] : undefined
  if (place) {
    parser.offset += 2
    add(parser, { kind: 'assertion', place })
  } else if (letter === 'Q') {
    parser.offset += 2
    for (const character of takeQuoted(parser)) addText(parser, character)
  } else {
    const set = takeClassEscape(parser, parser.flags.fold)
    if (set) add(parser, { kind: 'class', set })
    else addCode(parser, takeEscapedCode(parser))
  }
}

function openGroup(parser: Parser, start: number, index: number, flags: Flags): void {
  parser.groups.push({ start, index, outerFlags: parser.flags, branches: openBranches() })
  parser.flags = flags
}

function takeGroup(parser: Parser): void {
  const start = parser.offset
  const opening = takeGroupOpening(parser, parser.flags)
  if (opening.kind === 'flags') parser.flags = opening.flags
  else if (opening.kind === 'group') openGroup(parser, start, 0, opening.flags)
  else openGroup(parser, start, ++parser.captures, parser.flags)
}

function closeGroup(parser: Parser): void {
  if (parser.groups.length === 1) {
    const message = 'unexpected ): no group is open here (\\) is a parenthesis)'
    throw new TermError('regex-unopened-group', message, parser.offset)
  }
  parser.offset += 1
  const group = parser.groups.pop()!
  parser.flags = group.outerFlags
  const inner = closeBranches(group.branches)
  const fragment = group.index === 0 ? inner : captureFragment(inner, group.index)
  addFragment(parser.groups.at(-1)!.branches, fragment, group.start)
}

function takeBar(parser: Parser): void {
  parser.offset += 1
  const { branches } = parser.groups.at(-1)!
  branches.done.push(branches.open.splice(0))
}

const COUNTS: Readonly<Record<string, readonly [min: number, max: number]>> = {
  '*': [0, Infinity],
  '+': [1, Infinity],
  '?': [0, 1],
}

/** Without leading zeros: `{01}` is just text. */
const BRACES = /\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}/y

/** The most copies that a repetition, or repetitions within each other, may require. */
const MAX_COPIES = 1000

function takeCounts(parser: Parser): readonly [min: number, max: number] | undefined {
  const simple = COUNTS[parser.pattern[parser.offset]!]
  if (simple) {
    parser.offset += 1
    return simple
  }
  const start = parser.offset
  const braces = looksAt(parser, '{') ? takeMatch(parser, BRACES) : undefined
  if (!braces) return undefined
  const min = Number(braces[1])
  const max = braces[2] === undefined ? min : Number(braces[3] ?? Infinity)
  if (min > max) {
    const message = 'the repetition % is reversed: its minimum is greater than its maximum'
    throw errorSince(parser, start, 'regex-repeat-count', message)
  }
  if (min > MAX_COPIES || Number(braces[3] ?? 0) > MAX_COPIES) throw tooManyCopies(parser, start)
  return [min, max]
}

function tooManyCopies(parser: Parser, start: number): TermError {
  const message = `the repetition % makes more than ${MAX_COPIES} copies, counting repetitions within repetitions`
  return errorSince(parser, start, 'regex-repeat-count', message)
}

/** Takes `*`, `+`, `?` or `{…}`, each with an optional `?` after it, and applies it to the node before it. */
function takeRepetition(parser: Parser): boolean {
  const start = parser.offset
  const braces = looksAt(parser, '{')
  const counts = takeCounts(parser)
  if (!counts) return false
  const inverted = looksAt(parser, '?')
  if (inverted) parser.offset += 1
  if (parser.repetition >= 0) {
    const message = 'the repetition % repeats a repetition: put the inner one into (?:…)'
    throw errorSince(parser, parser.repetition, 'regex-repeat-nested', message)
  }
  const { open } = parser.groups.at(-1)!.branches
  const inner = open.pop()
  if (!inner) throw errorSince(parser, start, 'regex-repeat-nothing', 'there is nothing before % to repeat')
  const [min, max] = counts
  const repeated = repeatFragment(inner, min, max, parser.flags.lazy === inverted, braces)
  if (repeated.copies > MAX_COPIES && (min >= 2 || (max >= 2 && max !== Infinity))) throw tooManyCopies(parser, start)
  addFragment(parser.groups.at(-1)!.branches, repeated, start)
  return true
}
