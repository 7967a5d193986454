/**
 * At least one character that is not a blank. More is for onboarding to judge: it takes away blanks of the clipboard first, and
 * tells a bad token before a bad value.
 */
export const NOT_BLANK = '\\S'

/** A message as a part of another: what has an id stands in the document by itself. */
export function partOf<S extends { readonly $id: string }>({ $id: _, ...schema }: S): Omit<S, '$id' | 'examples'> {
  const { examples: __, ...part } = schema as typeof schema & { readonly examples?: unknown }
  return part as Omit<S, '$id' | 'examples'>
}

/** What is said of a value that does not match. A pattern without words here would be told as a pattern: a test sees to that. */
export const PATTERN_WORDS: Readonly<Record<string, string>> = {
  [NOT_BLANK]: 'is blank',
}
