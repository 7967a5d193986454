import { TermError } from '../../condition.js'

/** A position in a pattern. The parsers move `offset`, which counts UTF-16 units, past what they have parsed. */
export interface Cursor {
  readonly pattern: string
  /** The offset of the last `:]`, or -1: searching for one that does not exist every time would take quadratic time. */
  readonly lastNamedEnd: number
  offset: number
}

/** Whether the rest of the pattern starts with `text`. */
export const looksAt = (cursor: Cursor, text: string): boolean => cursor.pattern.startsWith(text, cursor.offset)

/** The code point at the cursor, which must not be at the end. */
export const peekCode = (cursor: Cursor): number => cursor.pattern.codePointAt(cursor.offset)!

/** Takes one code point, or `-1` at the end. */
export function takeCode(cursor: Cursor): number {
  if (cursor.offset >= cursor.pattern.length) return -1
  const code = peekCode(cursor)
  cursor.offset += code > 0xffff ? 2 : 1
  return code
}

/** Takes the match of a sticky expression at the cursor. */
export function takeMatch(cursor: Cursor, sticky: RegExp): RegExpExecArray | undefined {
  sticky.lastIndex = cursor.offset
  const match = sticky.exec(cursor.pattern)
  if (!match) return undefined
  cursor.offset = sticky.lastIndex
  return match
}

/** An error about the text from `start` to the cursor, which replaces `%` in the message. */
export function errorSince(cursor: Cursor, start: number, code: string, message: string): TermError {
  const culprit = cursor.pattern.slice(start, cursor.offset)
  return new TermError(
    code,
    message.replace('%', () => excerpt(culprit)),
    start,
  )
}

/** Why constructs of other dialects are not supported. */
export const LINEAR = 'RE2 patterns match in linear time'

/** Long enough to recognise, short enough for one line. */
const LONGEST_EXCERPT = 40

const excerpt = (text: string): string => (text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT)}…` : text)
