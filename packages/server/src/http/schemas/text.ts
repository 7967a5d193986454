/**
 * At least one character that is not a blank. More is for onboarding to judge: it takes away blanks of the clipboard first, and
 * tells a bad token before a bad value.
 */
export const NOT_BLANK = '\\S'

/** What is said of a value that does not match. A pattern without words here would be told as a pattern: a test sees to that. */
export const PATTERN_WORDS: Readonly<Record<string, string>> = {
  [NOT_BLANK]: 'is blank',
}
