import { TermError } from '../../condition.js'

/** A place in a pattern. The parsers move `offset`, which counts UTF-16 units, past what they have read. */
export interface Cursor {
  readonly pattern: string
  /** Where the last `:]` stands, or -1: looking for one behind it every time would take quadratic time. */
  readonly lastNamedEnd: number
  offset: number
}

/** Whether the rest of the pattern starts with `text`. */
export const looksAt = (cursor: Cursor, text: string): boolean => cursor.pattern.startsWith(text, cursor.offset)

/** The code point at the cursor, which must not stand at the end. */
export const peekCode = (cursor: Cursor): number => cursor.pattern.codePointAt(cursor.offset)!

/** Takes one code point, or `-1` at the end. */
export function takeCode(cursor: Cursor): number {
  if (cursor.offset >= cursor.pattern.length) return -1
  const code = peekCode(cursor)
  cursor.offset += code > 0xffff ? 2 : 1
  return code
}

/** Takes what a sticky expression matches at the cursor. */
export function takeMatch(cursor: Cursor, sticky: RegExp): RegExpExecArray | undefined {
  sticky.lastIndex = cursor.offset
  const match = sticky.exec(cursor.pattern)
  if (!match) return undefined
  cursor.offset = sticky.lastIndex
  return match
}

/** An error about the text from `start` to the cursor, which goes into the message in place of `%`. */
export function errorSince(cursor: Cursor, start: number, code: string, message: string): TermError {
  const culprit = cursor.pattern.slice(start, cursor.offset)
  return new TermError(
    code,
    message.replace('%', () => excerpt(culprit)),
    start,
  )
}

/** Why what other dialects have is missing here. */
export const LINEAR = 'RE2 patterns match in linear time'

/** Long enough to recognise, short enough for one line. */
const LONGEST_EXCERPT = 40

const excerpt = (text: string): string => (text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT)}…` : text)
