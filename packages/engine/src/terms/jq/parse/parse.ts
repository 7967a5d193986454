import { TermError } from '../../condition.js'
import type { AssignOperator, BinaryOperator, JqNode, JqParam, JqPattern } from './ast.js'
import { accept, advance, type Cursor, expect, type Grammar, nested, peek, unexpected } from './cursor.js'
import { tokenize } from './lexer.js'
import { parsePatterns } from './patterns.js'
import { parsePostfix, parseVariableName } from './terms.js'

const GRAMMAR: Grammar = { pipe: parsePipe, tried: parseTried, fieldValue: parseFieldValue, fold: parseFold }

/**
 * Parses a filter of jq 1.7. Throws `TermError` with the offset of what is wrong.
 *
 * @example
 * parseJq('.level == "error" and (.msg | test("timeout"))')
 */
export function parseJq(filter: string): JqNode {
  const cursor: Cursor = { tokens: tokenize(filter), next: 0, level: 0, folding: false, filter, grammar: GRAMMAR }
  if (peek(cursor).kind === 'end') throw new TermError('jq-empty', 'the filter is empty', 0)
  refuseModules(cursor)
  const node = parsePipe(cursor)
  if (peek(cursor).kind !== 'end') throw unexpected(cursor)
  return node
}

function refuseModules(cursor: Cursor): void {
  const { kind, text, at } = peek(cursor)
  if (kind !== 'keyword') return
  if (text === 'import' || text === 'include' || text === 'module') {
    throw new TermError('jq-module', `${text} is not possible: a filter cannot use modules`, at)
  }
}

function parsePipe(cursor: Cursor): JqNode {
  return nested(cursor, () => {
    const { folding } = cursor
    cursor.folding = false
    const node = parsePiped(cursor, LOWEST)
    cursor.folding = folding
    return node
  })
}

/** Expressions of this level and above with `|` between them. */
function parsePiped(cursor: Cursor, lowest: number): JqNode {
  const stages = [parseBinary(cursor, lowest)]
  const bars: number[] = []
  for (let { at } = peek(cursor); accept(cursor, '|'); at = peek(cursor).at) {
    bars.push(at)
    stages.push(parseBinary(cursor, lowest))
  }
  return stages.reduceRight((right, left, i) => ({ type: 'pipe', at: bars[i]!, left, right }))
}

interface Operator {
  readonly level: number
  readonly associates: 'left' | 'right' | 'none'
  readonly build: (at: number, left: JqNode, right: JqNode) => JqNode
}

const LOWEST = 1
const ABOVE_COMMA = 2
const MULTIPLICATIVE = 8

const joined =
  (type: 'comma' | 'and' | 'or' | 'alternative'): Operator['build'] =>
  (at, left, right) => ({ type, at, left, right })
const binary =
  (operator: BinaryOperator): Operator['build'] =>
  (at, left, right) => ({ type: 'binary', at, operator, left, right })
const assign =
  (operator: AssignOperator): Operator['build'] =>
  (at, left, right) => ({ type: 'assign', at, operator, left, right })

const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  [',', { level: LOWEST, associates: 'left', build: joined('comma') }],
  ['//', { level: ABOVE_COMMA, associates: 'right', build: joined('alternative') }],
  ['=', { level: 3, associates: 'none', build: assign('') }],
  ...(['|', '//', '+', '-', '*', '/', '%'] as const).map((operator): [string, Operator] => [
    `${operator}=`,
    { level: 3, associates: 'none', build: assign(operator) },
  ]),
  ['or', { level: 4, associates: 'left', build: joined('or') }],
  ['and', { level: 5, associates: 'left', build: joined('and') }],
  ...(['==', '!=', '<', '<=', '>', '>='] as const).map((operator): [string, Operator] => [
    operator,
    { level: 6, associates: 'none', build: binary(operator) },
  ]),
  ['+', { level: 7, associates: 'left', build: binary('+') }],
  ['-', { level: 7, associates: 'left', build: binary('-') }],
  ...(['*', '/', '%'] as const).map((operator): [string, Operator] => [
    operator,
    { level: MULTIPLICATIVE, associates: 'left', build: binary(operator) },
  ]),
])

/** Operators of this level and above, by precedence climbing. */
function parseBinary(cursor: Cursor, lowest: number): JqNode {
  let left = parseOperand(cursor)
  let refused = 0
  for (;;) {
    const token = peek(cursor)
    const operator = token.kind === 'operator' || token.kind === 'keyword' ? OPERATORS.get(token.text) : undefined
    if (operator === undefined || operator.level < lowest) return left
    if (operator.level === refused) throw unexpected(cursor, 'put one side into parentheses')
    advance(cursor)
    const right = parseBinary(cursor, operator.associates === 'right' ? operator.level : operator.level + 1)
    left = operator.build(token.at, left, right)
    refused = operator.associates === 'none' ? operator.level : 0
  }
}

/** An operand: a term, or one of the forms that extend as far to the right as they can. */
function parseOperand(cursor: Cursor): JqNode {
  const { kind, text, at } = peek(cursor)
  if (kind === 'operator' && text === '-') {
    advance(cursor)
    return { type: 'negate', at, body: nested(cursor, () => parseBinary(cursor, MULTIPLICATIVE)) }
  }
  if (kind === 'keyword' && text === 'def') return nested(cursor, parseDefinition)
  if (kind === 'keyword' && text === 'label') return parseLabel(cursor)
  const term = parsePostfix(cursor)
  if (cursor.folding || !accept(cursor, 'as')) return term
  const patterns = parsePatterns(cursor)
  expect(cursor, '|', 'as')
  return { type: 'bind', at, source: term, patterns, body: parsePipe(cursor) }
}

function parseTried(cursor: Cursor): JqNode {
  return nested(cursor, () => {
    const { kind, text, at } = peek(cursor)
    if (kind !== 'operator' || text !== '-') return parseOperand(cursor)
    advance(cursor)
    return { type: 'negate', at, body: parseTried(cursor) }
  })
}

function parseLabel(cursor: Cursor): JqNode {
  const { at } = advance(cursor)
  const name = parseVariableName(cursor, 'label')
  expect(cursor, '|', 'label')
  return { type: 'label', at, name, body: parsePipe(cursor) }
}

function parseDefinition(cursor: Cursor): JqNode {
  const { at } = advance(cursor)
  const { kind, text: name } = peek(cursor)
  if (kind !== 'name' && kind !== 'keyword') throw unexpected(cursor, 'def needs a name')
  advance(cursor)
  const params = accept(cursor, '(') ? parseParams(cursor) : []
  expect(cursor, ':', 'def')
  const body = parsePipe(cursor)
  expect(cursor, ';', 'def')
  return { type: 'def', at, name, params, body, rest: parsePipe(cursor) }
}

function parseParams(cursor: Cursor): JqParam[] {
  const params: JqParam[] = []
  do {
    const { kind, text: name } = peek(cursor)
    if (kind !== 'name' && kind !== 'variable' && kind !== 'keyword')
      throw unexpected(cursor, 'a parameter needs a name')
    advance(cursor)
    params.push({ name, byValue: kind === 'variable' })
  } while (accept(cursor, ';'))
  expect(cursor, ')', 'def')
  return params
}

/** An expression without commas, up to the `as` that follows it. */
function parseSource(cursor: Cursor): JqNode {
  const { folding } = cursor
  cursor.folding = true
  const source = parseBinary(cursor, ABOVE_COMMA)
  cursor.folding = folding
  return source
}

function parseFieldValue(cursor: Cursor): JqNode {
  return nested(cursor, () => parsePiped(cursor, ABOVE_COMMA))
}

function parseFold(cursor: Cursor): JqNode {
  const { at, text } = advance(cursor)
  const source = parseSource(cursor)
  expect(cursor, 'as', text)
  const patterns: readonly JqPattern[] = parsePatterns(cursor)
  expect(cursor, '(', text)
  const start = parsePipe(cursor)
  expect(cursor, ';', text)
  const update = parsePipe(cursor)
  const extract = text === 'foreach' && accept(cursor, ';') ? parsePipe(cursor) : null
  expect(cursor, ')', text)
  if (text === 'reduce') return { type: 'reduce', at, source, patterns, start, update }
  return { type: 'foreach', at, source, patterns, start, update, extract }
}
