import { numberFromText } from '../values/number-text.js'
import type { JqField, JqNode, NodeOf } from './ast.js'
import { accept, advance, type Cursor, expect, nested, peek, sees, unexpected } from './cursor.js'

/** A term with what follows it: `.a`, `[0]`, `[]`, `[1:2]`, `."a"` and `?`. */
export function parsePostfix(cursor: Cursor): JqNode {
  let node = parseTerm(cursor)
  for (;;) {
    const next = parseSuffix(cursor, node)
    if (next === undefined) return node
    node = next
  }
}

function parseSuffix(cursor: Cursor, target: JqNode): JqNode | undefined {
  const { kind, text, at } = peek(cursor)
  if (kind === 'field') {
    advance(cursor)
    return index(cursor, target, { type: 'literal', at, value: text })
  }
  if (kind !== 'operator') return undefined
  if (text === '[') return parseBrackets(cursor, target)
  if (text === '?') {
    advance(cursor)
    return { type: 'try', at, body: target, handler: null }
  }
  if (text === '?//') return splitOptional(cursor, target)
  if (text !== '.') return undefined
  advance(cursor)
  if (sees(cursor, '[')) return parseBrackets(cursor, target)
  return index(cursor, target, parseStringTerm(cursor))
}

/** `?//` outside a pattern is a `?` followed by a `//`. */
function splitOptional(cursor: Cursor, target: JqNode): JqNode {
  const { at } = peek(cursor)
  const tokens = [...cursor.tokens]
  tokens.splice(cursor.next, 1, { kind: 'operator', text: '//', at: at + 1 })
  cursor.tokens = tokens
  return { type: 'try', at, body: target, handler: null }
}

function index(cursor: Cursor, target: JqNode, key: JqNode): NodeOf<'index'> {
  return { type: 'index', at: key.at, target, key, optional: accept(cursor, '?') }
}

function parseBrackets(cursor: Cursor, target: JqNode): JqNode {
  const { at } = advance(cursor)
  if (accept(cursor, ']')) return { type: 'iterate', at, target, optional: accept(cursor, '?') }
  const from = sees(cursor, ':') ? null : cursor.grammar.pipe(cursor)
  if (from !== null && accept(cursor, ']')) return index(cursor, target, from)
  expect(cursor, ':', '[')
  const to = from !== null && sees(cursor, ']') ? null : cursor.grammar.pipe(cursor)
  expect(cursor, ']', '[')
  return { type: 'slice', at, target, from, to, optional: accept(cursor, '?') }
}

function parseTerm(cursor: Cursor): JqNode {
  const { kind, text, at } = peek(cursor)
  switch (kind) {
    case 'number':
      advance(cursor)
      return { type: 'literal', at, value: numberFromText(text) }
    case 'field':
      advance(cursor)
      return index(cursor, { type: 'identity', at }, { type: 'literal', at, value: text })
    case 'variable':
      advance(cursor)
      return text === '__loc__'
        ? { type: 'location', at, line: lineOf(cursor, at) }
        : { type: 'variable', at, name: text }
    case 'string':
      return parseStringTerm(cursor)
    case 'format':
      if (cursor.tokens[cursor.next + 1]!.kind === 'string') return parseStringTerm(cursor)
      advance(cursor)
      return { type: 'format', at, name: text }
    case 'name':
      return parseCall(cursor)
    case 'keyword':
      return nested(cursor, parseKeyword)
    default:
      return nested(cursor, parseSymbol)
  }
}

function lineOf(cursor: Cursor, at: number): number {
  return cursor.filter.slice(0, at).split('\n').length
}

const CONSTANTS: ReadonlyMap<string, null | boolean> = new Map([
  ['null', null],
  ['true', true],
  ['false', false],
])

function parseCall(cursor: Cursor): JqNode {
  const { text: name, at } = advance(cursor)
  const args: JqNode[] = []
  if (accept(cursor, '(')) {
    do args.push(cursor.grammar.pipe(cursor))
    while (accept(cursor, ';'))
    expect(cursor, ')', `the call of ${name}`)
  }
  const constant = args.length === 0 ? CONSTANTS.get(name) : undefined
  return constant === undefined ? { type: 'call', at, name, args } : { type: 'literal', at, value: constant }
}

function parseKeyword(cursor: Cursor): JqNode {
  const { text, at } = peek(cursor)
  switch (text) {
    case 'if':
      return parseIf(cursor)
    case 'reduce':
    case 'foreach':
      return cursor.grammar.fold(cursor)
    case 'try': {
      advance(cursor)
      const body = cursor.grammar.tried(cursor)
      return { type: 'try', at, body, handler: accept(cursor, 'catch') ? cursor.grammar.tried(cursor) : null }
    }
    case 'break':
      advance(cursor)
      return { type: 'break', at, name: parseVariableName(cursor, 'break') }
    default:
      throw unexpected(cursor)
  }
}

export function parseVariableName(cursor: Cursor, within: string): string {
  if (peek(cursor).kind !== 'variable') throw unexpected(cursor, `${within} needs a $name`)
  return advance(cursor).text
}

/** `if` or `elif`, with everything up to the `end`. */
function parseIf(cursor: Cursor): JqNode {
  const { at } = advance(cursor)
  const condition = cursor.grammar.pipe(cursor)
  expect(cursor, 'then', 'if')
  const then = cursor.grammar.pipe(cursor)
  if (sees(cursor, 'elif')) return { type: 'if', at, condition, then, else: nested(cursor, parseIf) }
  const otherwise = accept(cursor, 'else') ? cursor.grammar.pipe(cursor) : null
  expect(cursor, 'end', 'if')
  return { type: 'if', at, condition, then, else: otherwise }
}

function parseSymbol(cursor: Cursor): JqNode {
  const { text, at } = peek(cursor)
  switch (text) {
    case '.':
      advance(cursor)
      if (peek(cursor).kind === 'string' || peek(cursor).kind === 'format') {
        return index(cursor, { type: 'identity', at }, parseStringTerm(cursor))
      }
      return { type: 'identity', at }
    case '..':
      advance(cursor)
      return { type: 'recurse', at }
    case '(': {
      advance(cursor)
      const body = cursor.grammar.pipe(cursor)
      expect(cursor, ')', '(')
      return body
    }
    case '[': {
      advance(cursor)
      if (accept(cursor, ']')) return { type: 'array', at, body: null }
      const body = cursor.grammar.pipe(cursor)
      expect(cursor, ']', '[')
      return { type: 'array', at, body }
    }
    case '{':
      return parseObject(cursor)
    default:
      throw unexpected(cursor)
  }
}

/** A string, or a format with its string. */
export function parseStringTerm(cursor: Cursor): JqNode {
  const { at } = peek(cursor)
  const format = peek(cursor).kind === 'format' ? advance(cursor).text : 'text'
  const token = peek(cursor)
  if (token.kind !== 'string') throw unexpected(cursor, 'a string must follow')
  advance(cursor)
  const parts = token.parts!.map((part) => {
    if (typeof part === 'string') return part
    const { level, filter, grammar } = cursor
    const inner: Cursor = { tokens: part, next: 0, level, folding: false, filter, grammar }
    const node = grammar.pipe(inner)
    if (peek(inner).kind !== 'end') throw unexpected(inner)
    return node
  })
  if (parts.length === 1) return { type: 'literal', at, value: token.parts![0] as string }
  return { type: 'string', at, format, parts }
}

function parseObject(cursor: Cursor): JqNode {
  const { at } = advance(cursor)
  const fields: JqField[] = []
  while (!sees(cursor, '}')) {
    fields.push(parseObjectField(cursor))
    if (!accept(cursor, ',')) break
  }
  expect(cursor, '}', 'the object')
  return { type: 'object', at, fields }
}

function parseObjectField(cursor: Cursor): JqField {
  const { kind, text, at } = peek(cursor)
  const name: JqNode = { type: 'literal', at, value: text }
  if (kind === 'variable') {
    advance(cursor)
    const value: JqNode =
      text === '__loc__' ? { type: 'location', at, line: lineOf(cursor, at) } : { type: 'variable', at, name: text }
    return sees(cursor, ':') ? { key: value, value: parseObjectValue(cursor) } : { key: name, value }
  }
  if (kind === 'name' || kind === 'keyword') {
    advance(cursor)
    return { key: name, value: sees(cursor, ':') ? parseObjectValue(cursor) : null }
  }
  if (kind === 'string' || kind === 'format') {
    return { key: parseStringTerm(cursor), value: sees(cursor, ':') ? parseObjectValue(cursor) : null }
  }
  expect(cursor, '(', 'a key of the object, unless it is a name or a string,')
  const key = cursor.grammar.pipe(cursor)
  expect(cursor, ')', 'a key of the object')
  return { key, value: parseObjectValue(cursor) }
}

function parseObjectValue(cursor: Cursor): JqNode {
  expect(cursor, ':', 'a key of the object')
  return cursor.grammar.fieldValue(cursor)
}
