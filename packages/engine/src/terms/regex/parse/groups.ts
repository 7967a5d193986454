import { type Cursor, errorSince, LINEAR, looksAt, takeCode, takeMatch } from './cursor.js'

/** How the pattern is parsed from some point on. */
export interface Flags {
  /** `i`: letters in any case. */
  readonly fold: boolean
  /** `m`: `^` and `$` also at line breaks. */
  readonly multiline: boolean
  /** `s`: the dot takes line breaks too. */
  readonly dotall: boolean
  /** `U`: repetitions take as little as they can, and with `?` as much. */
  readonly lazy: boolean
}

const FLAG_LETTERS: Readonly<Record<string, keyof Flags>> = { i: 'fold', m: 'multiline', s: 'dotall', U: 'lazy' }

/** What an opening parenthesis begins. */
export type GroupOpening =
  | { readonly kind: 'capture' }
  | { readonly kind: 'group'; readonly flags: Flags }
  | { readonly kind: 'flags'; readonly flags: Flags }

/** Groups of other dialects, and the error for each of them. */
const FOREIGN_GROUPS: readonly (readonly [start: string, code: string, message: string])[] = [
  ['(?=', 'regex-look-around', `look-ahead (?= is not supported: ${LINEAR}`],
  ['(?!', 'regex-look-around', `negative look-ahead (?! is not supported: ${LINEAR}`],
  ['(?<=', 'regex-look-around', `look-behind (?<= is not supported: ${LINEAR}`],
  ['(?<!', 'regex-look-around', `negative look-behind (?<! is not supported: ${LINEAR}`],
  ['(?>', 'regex-group', `atomic group (?> is not supported: ${LINEAR}, with (?: too`],
  ['(?P=', 'regex-back-reference', `back-reference (?P= is not supported: ${LINEAR}`],
  ['(?P>', 'regex-group', 'recursion (?P> is not supported'],
  ['(?#', 'regex-group', 'comment (?# is not supported'],
  ['(?|', 'regex-group', 'branch reset (?| is not supported'],
  ["(?'", 'regex-group-name', "a named group is written (?P<name>…) or (?<name>…), not (?'name'…)"],
]

const NAME_START = /\(\?P?</y
const NAME = /([0-9A-Za-z_]+)>/y

/** Takes `(`, `(?:`, `(?P<name>`, `(?i:` or the whole of `(?i)`. The cursor is at the parenthesis. */
export function takeGroupOpening(cursor: Cursor, flags: Flags): GroupOpening {
  if (!looksAt(cursor, '(?')) {
    cursor.offset += 1
    return { kind: 'capture' }
  }
  const start = cursor.offset
  for (const [opening, code, message] of FOREIGN_GROUPS) {
    if (looksAt(cursor, opening)) throw errorSince(cursor, start, code, message)
  }
  if (takeMatch(cursor, NAME_START)) {
    if (takeMatch(cursor, NAME)) return { kind: 'capture' }
    throw errorSince(cursor, start, 'regex-group-name', 'the name after % must be letters, digits and _ up to a >')
  }
  cursor.offset += 2
  return takeFlags(cursor, start, flags)
}

function takeFlags(cursor: Cursor, start: number, before: Flags): GroupOpening {
  let flags = before
  let on = true
  let named = false
  for (;;) {
    const letter = String.fromCodePoint(Math.max(takeCode(cursor), 0))
    const flag = Object.hasOwn(FLAG_LETTERS, letter) ? FLAG_LETTERS[letter] : undefined
    if (flag) {
      flags = { ...flags, [flag]: on }
      named = true
    } else if (letter === '-' && on) {
      on = false
      named = false
    } else if ((letter === ':' || letter === ')') && (on || named)) {
      return { kind: letter === ':' ? 'group' : 'flags', flags }
    } else {
      const message = '% is not supported: after (? come flags (i, m, s, U, - to switch off) and : or )'
      throw errorSince(cursor, start, 'regex-flags', message)
    }
  }
}
