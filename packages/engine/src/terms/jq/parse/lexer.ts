import { TermError } from '../../condition.js'

/**
 * A token. `text` is the name, the operator or the digits; a string is its pieces: text with its escapes undone, and the
 * tokens of each `\( … )`, ended by an `end` token.
 */
export interface Token {
  readonly kind: 'name' | 'field' | 'variable' | 'format' | 'number' | 'string' | 'operator' | 'keyword' | 'end'
  readonly text: string
  readonly at: number
  readonly parts?: readonly (string | readonly Token[])[]
}

const KEYWORDS: ReadonlySet<string> = new Set(
  'def if then elif else end as reduce foreach try catch label import include module and or __loc__ break'.split(' '),
)

const OPERATORS = ['?//', '//=', '|=', '+=', '-=', '*=', '/=', '%=', '==', '!=', '<=', '>=', '//', '..']
const SINGLE = '.[]{}()|,:;=<>+-*/%?$'
const SPACE_OR_COMMENT = /[ \t\r\n]+|#[^\n]*/y
const NUMBER = /(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y
const NAME = /(?:[a-zA-Z_][a-zA-Z_0-9]*::)*[a-zA-Z_][a-zA-Z_0-9]*/y
const FIELD = /\.([a-zA-Z_][a-zA-Z_0-9]*)/y
const FORMAT = /@([a-zA-Z0-9_]+)/y
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

// Deeper than anyone writes, and shallow enough for a recursive reader on every platform's stack.
const MAX_INTERPOLATIONS = 100

/** Splits a filter into tokens; the last one is always `end`. Throws `TermError`. */
export function tokenize(filter: string): Token[] {
  const reader: Reader = { text: filter, at: 0, level: 0 }
  return readTokens(reader, false)
}

interface Reader {
  readonly text: string
  at: number
  level: number
}

/** Reads tokens up to the end of the filter or, `inside` an interpolation, up to the parenthesis that closes it. */
function readTokens(reader: Reader, inside: boolean): Token[] {
  const tokens: Token[] = []
  let open = 0
  for (;;) {
    skipBlanks(reader)
    const at = reader.at
    if (at >= reader.text.length) {
      if (inside) throw new TermError('jq-syntax', 'the \\( of this string is not closed', at)
      tokens.push({ kind: 'end', text: '', at })
      return tokens
    }
    const token = readToken(reader)
    if (token.kind === 'operator' && token.text === '(') open++
    if (token.kind === 'operator' && token.text === ')' && open-- === 0 && inside) {
      tokens.push({ kind: 'end', text: ')', at })
      return tokens
    }
    tokens.push(token)
  }
}

function skipBlanks(reader: Reader): void {
  while (take(reader, SPACE_OR_COMMENT) !== undefined);
}

function take(reader: Reader, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = reader.at
  const match = pattern.exec(reader.text)
  if (match === null) return undefined
  reader.at = pattern.lastIndex
  return match
}

function readToken(reader: Reader): Token {
  const at = reader.at
  const first = reader.text[at]!
  if (first === '"') return readString(reader)
  const number = take(reader, NUMBER)
  if (number) return { kind: 'number', text: number[0], at }
  const field = take(reader, FIELD)
  if (field) return { kind: 'field', text: field[1]!, at }
  const format = take(reader, FORMAT)
  if (format) return { kind: 'format', text: format[1]!, at }
  const name = take(reader, NAME)
  if (name) return { kind: KEYWORDS.has(name[0]) ? 'keyword' : 'name', text: name[0], at }
  if (first === '$') return readVariable(reader)
  const operator = OPERATORS.find((text) => reader.text.startsWith(text, at)) ?? (SINGLE.includes(first) ? first : '')
  if (operator === '') {
    throw new TermError(
      'jq-syntax',
      `unexpected character ${JSON.stringify(String.fromCodePoint(reader.text.codePointAt(at)!))}`,
      at,
    )
  }
  reader.at += operator.length
  return { kind: 'operator', text: operator, at }
}

function readVariable(reader: Reader): Token {
  const at = reader.at++
  const name = take(reader, NAME)
  if (name === undefined) throw new TermError('jq-syntax', 'a variable name must follow $', at)
  return { kind: 'variable', text: name[0], at }
}

function readString(reader: Reader): Token {
  const at = reader.at++
  const parts: (string | readonly Token[])[] = []
  let text = ''
  for (;;) {
    const c = reader.text[reader.at]
    if (c === undefined) throw new TermError('jq-syntax', 'this string is not closed', at)
    reader.at++
    if (c === '"') break
    if (c !== '\\') {
      text += c
    } else if (reader.text[reader.at] === '(') {
      if (++reader.level > MAX_INTERPOLATIONS) throw new TermError('jq-syntax', 'too deeply nested', reader.at)
      reader.at++
      parts.push(text, readTokens(reader, true))
      reader.level--
      text = ''
    } else {
      text += readEscape(reader)
    }
  }
  parts.push(text)
  return { kind: 'string', text: '', at, parts }
}

function readEscape(reader: Reader): string {
  const at = reader.at - 1
  const c = reader.text[reader.at++] ?? ''
  const simple = ESCAPES[c]
  if (simple !== undefined) return simple
  const unit = c === 'u' ? readUnit(reader) : undefined
  if (unit === undefined) throw new TermError('jq-syntax', 'invalid escape in this string', at)
  if ((unit & 0xf800) !== 0xd800) return String.fromCharCode(unit)
  const low = reader.text.startsWith('\\u', reader.at) && (unit & 0xfc00) === 0xd800 ? readLow(reader) : undefined
  if (low === undefined) throw new TermError('jq-syntax', 'half of a surrogate pair in this string', at)
  return String.fromCharCode(unit, low)
}

function readLow(reader: Reader): number | undefined {
  reader.at += 2
  const low = readUnit(reader)
  return low !== undefined && (low & 0xfc00) === 0xdc00 ? low : undefined
}

function readUnit(reader: Reader): number | undefined {
  const digits = reader.text.slice(reader.at, reader.at + 4)
  if (!/^[0-9a-fA-F]{4}$/.test(digits)) return undefined
  reader.at += 4
  return Number.parseInt(digits, 16)
}
