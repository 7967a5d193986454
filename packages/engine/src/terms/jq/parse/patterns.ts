import type { JqFieldPattern, JqPattern } from './ast.js'
import { accept, advance, type Cursor, expect, nested, peek, sees, unexpected } from './cursor.js'
import { parseStringTerm } from './terms.js'

/** What follows `as`: one pattern, or several with `?//` between them. */
export function parsePatterns(cursor: Cursor): JqPattern[] {
  const patterns = [parsePattern(cursor)]
  while (accept(cursor, '?//')) patterns.push(parsePattern(cursor))
  return patterns
}

function parsePattern(cursor: Cursor): JqPattern {
  return nested(cursor, () => {
    if (peek(cursor).kind === 'variable') return { type: 'name', name: advance(cursor).text }
    if (accept(cursor, '[')) return { type: 'array', items: parseList(cursor, parsePattern, ']') }
    if (accept(cursor, '{')) return { type: 'object', fields: parseList(cursor, parseField, '}') }
    throw unexpected(cursor, 'as needs a $name, [ or {')
  })
}

function parseList<T>(cursor: Cursor, parse: (cursor: Cursor) => T, close: string): T[] {
  const items: T[] = []
  do items.push(parse(cursor))
  while (accept(cursor, ','))
  expect(cursor, close, 'the pattern')
  return items
}

function parseField(cursor: Cursor): JqFieldPattern {
  const { kind, text, at } = peek(cursor)
  if (kind === 'variable') {
    advance(cursor)
    const key = { type: 'literal', at, value: text } as const
    return sees(cursor, ':') ? { key, name: text, value: parseFieldValue(cursor) } : { key, name: text }
  }
  if (kind === 'name' || kind === 'keyword') {
    advance(cursor)
    return { key: { type: 'literal', at, value: text }, value: parseFieldValue(cursor) }
  }
  if (kind === 'string' || kind === 'format') return { key: parseStringTerm(cursor), value: parseFieldValue(cursor) }
  expect(cursor, '(', 'a field of the pattern')
  const key = cursor.grammar.pipe(cursor)
  expect(cursor, ')', 'a field of the pattern')
  return { key, value: parseFieldValue(cursor) }
}

function parseFieldValue(cursor: Cursor): JqPattern {
  expect(cursor, ':', 'a field of the pattern')
  return parsePattern(cursor)
}
