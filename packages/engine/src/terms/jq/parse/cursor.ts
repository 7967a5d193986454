import { TermError } from '../../condition.js'
import type { JqNode } from './ast.js'
import type { Token } from './lexer.js'

/** Parsers of the expressions inside terms and patterns. `parse.ts` has them, and terms and patterns do not import it. */
export interface Grammar {
  /** A whole expression, down to `|`. */
  readonly pipe: (cursor: Cursor) => JqNode
  /** The body of `try`, or of `catch`: everything but binary operators. */
  readonly tried: (cursor: Cursor) => JqNode
  /** A value in an object: everything that needs no comma. */
  readonly fieldValue: (cursor: Cursor) => JqNode
  /** `reduce` or `foreach`. */
  readonly fold: (cursor: Cursor) => JqNode
}

/** Where the parser is: a list of tokens that ends with an `end`, and how deeply it is nested. */
export interface Cursor {
  tokens: readonly Token[]
  next: number
  level: number
  /** Set where `as` belongs to a `reduce` or `foreach` around, and not to the term before it. */
  folding: boolean
  readonly filter: string
  readonly grammar: Grammar
}

// Each level takes about five stack frames of the parser: far below the limit of any stack, and more than anyone writes.
const MAX_LEVEL = 250

export function peek(cursor: Cursor): Token {
  return cursor.tokens[cursor.next]!
}

export function advance(cursor: Cursor): Token {
  const token = peek(cursor)
  if (token.kind !== 'end') cursor.next++
  return token
}

/** Whether the next token is this operator or keyword. */
export function sees(cursor: Cursor, text: string): boolean {
  const token = peek(cursor)
  return token.text === text && (token.kind === 'operator' || token.kind === 'keyword')
}

export function accept(cursor: Cursor, text: string): boolean {
  if (!sees(cursor, text)) return false
  cursor.next++
  return true
}

export function expect(cursor: Cursor, text: string, within: string): Token {
  if (!sees(cursor, text)) throw unexpected(cursor, `${within} needs ${text}`)
  return advance(cursor)
}

/** Runs a part of the parser one level deeper. */
export function nested<T>(cursor: Cursor, parse: (cursor: Cursor) => T): T {
  if (++cursor.level > MAX_LEVEL) throw new TermError('jq-syntax', 'the filter is too deeply nested', peek(cursor).at)
  const result = parse(cursor)
  cursor.level--
  return result
}

/** The error for a token that is not allowed here. */
export function unexpected(cursor: Cursor, wanted = ''): TermError {
  const token = peek(cursor)
  const before = cursor.tokens[cursor.next - 1]
  const found = token.kind === 'end' && token.text === '' ? 'end of the filter' : describe(cursor, token)
  const after = before === undefined ? '' : ` after ${describe(cursor, before)}`
  return new TermError('jq-syntax', `unexpected ${found}${after}${wanted === '' ? '' : `; ${wanted}`}`, token.at)
}

function describe(cursor: Cursor, token: Token): string {
  if (token.kind === 'string') return 'a string'
  if (token.kind === 'field') return `.${token.text}`
  if (token.kind === 'variable') return `$${token.text}`
  return token.kind === 'format' ? `@${token.text}` : token.text || cursor.filter.slice(token.at, token.at + 1)
}
