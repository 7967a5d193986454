import type { TermError } from '../../condition.js'
import { MAX_CODE } from './charset.js'
import { type Cursor, errorSince, LINEAR, takeCode, takeMatch } from './cursor.js'

const SINGLE_ESCAPES: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 }

const OCTAL = /0[0-7]{0,2}|[1-7][0-7]{1,2}/y
const HEX_PAIR = /x([0-9A-Fa-f]{2})/y
const HEX_BRACES = /x\{([0-9A-Fa-f]+)\}/y

const BACK_REFERENCE = ['regex-back-reference', `back-reference % is not supported: ${LINEAR}`] as const

/** Escapes of other dialects, and the error for each of them. */
const FOREIGN_ESCAPES: Readonly<Record<string, readonly [code: string, message: string]>> = {
  ...Object.fromEntries([...'123456789kg'].map((letter) => [letter, BACK_REFERENCE])),
  C: ['regex-escape', '% (a single byte) is not supported: a pattern matches whole characters'],
  Z: ['regex-escape', '% is not supported: the end of the text is \\z'],
  E: ['regex-escape', '% without \\Q before it'],
  x: ['regex-escape', '% is not a character: write \\x41 or \\x{10FFFF}, at most 10FFFF'],
  u: ['regex-escape', '% is not supported: write \\x{20AC} for a character by its number'],
}

/**
 * Takes one escaped character, such as `\n`, `\x{20AC}` or `\.`, and returns its code point. The cursor is at the
 * backslash. The caller has handled escapes for classes and places, which are not characters.
 */
export function takeEscapedCode(cursor: Cursor): number {
  const start = cursor.offset
  cursor.offset += 1
  if (cursor.offset >= cursor.pattern.length) {
    const message = 'trailing backslash: nothing follows it (\\\\ is a backslash)'
    throw errorSince(cursor, start, 'regex-trailing-backslash', message)
  }
  const numbered = takeNumberedCode(cursor)
  if (numbered !== undefined) return numbered
  const code = takeCode(cursor)
  const single = SINGLE_ESCAPES[String.fromCodePoint(code)]
  if (single !== undefined) return single
  if (code < 0x80 && !/[0-9A-Za-z]/.test(String.fromCharCode(code))) return code
  throw unknownEscape(cursor, start, code)
}

function takeNumberedCode(cursor: Cursor): number | undefined {
  const octal = takeMatch(cursor, OCTAL)
  if (octal) return Number.parseInt(octal[0], 8)
  const start = cursor.offset
  const hex = takeMatch(cursor, HEX_PAIR) ?? takeMatch(cursor, HEX_BRACES)
  if (!hex) return undefined
  const code = Number.parseInt(hex[1]!, 16)
  if (code <= MAX_CODE) return code
  throw errorSince(cursor, start - 1, 'regex-escape', '% is not a character: the highest is \\x{10FFFF}')
}

function unknownEscape(cursor: Cursor, start: number, code: number): TermError {
  const [kind, message] = FOREIGN_ESCAPES[String.fromCodePoint(code)] ?? [
    'regex-escape',
    '% is not a known escape: punctuation, \\a \\f \\n \\r \\t \\v, \\x{…}, \\123, \\d \\s \\w, \\p{…}, \\b \\B \\A \\z and \\Q…\\E are',
  ]
  return errorSince(cursor, start, kind, message)
}

/** Takes the text between `\Q` and `\E`, or the end of the pattern. The cursor is after `\Q`. */
export function takeQuoted(cursor: Cursor): string {
  const found = cursor.pattern.indexOf('\\E', cursor.offset)
  const end = found < 0 ? cursor.pattern.length : found
  const text = cursor.pattern.slice(cursor.offset, end)
  cursor.offset = found < 0 ? end : end + 2
  return text
}
