/** The names of two strings that are nearly the same. */
export interface Alike {
  readonly names: readonly [string, string]
  readonly texts: readonly [string, string]
  /** From 0 (nothing in common) to 1. */
  readonly likeness: number
}

/**
 * Finds pairs of strings that have nearly everything in common.
 *
 * @example
 * findAlike(new Map([['a', 'The disk is full'], ['b', 'The disk is full now']]), wordsOf, 0.8)
 */
export function findAlike(
  texts: ReadonlyMap<string, string>,
  partsOf: (text: string) => ReadonlySet<string>,
  limit: number,
): Alike[] {
  const all = [...texts].map(([name, text]) => ({ name, text, parts: partsOf(text) }))
  return all.flatMap((a, index) =>
    all.slice(index + 1).flatMap((b): Alike[] => {
      const likeness = commonShare(a.parts, b.parts)
      return likeness < limit ? [] : [{ names: [a.name, b.name], texts: [a.text, b.text], likeness }]
    }),
  )
}

/** The size of the intersection, relative to the union. */
function commonShare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((part) => b.has(part)).length
  return common / Math.max(1, a.size + b.size - common)
}

/** Words without a meaning for the comparison. */
const SMALL_WORDS = new Set(
  'a an and are be because by for from has have in is it its no not of on or the to was with'.split(' '),
)

/** The words of a title that are compared. */
export function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.filter((word) => !SMALL_WORDS.has(word)))
}

/** Every sequence of three letters or digits of a condition, without its punctuation. */
export function trigramsOf(text: string): ReadonlySet<string> {
  const letters = text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
  return new Set(Array.from({ length: Math.max(1, letters.length - 2) }, (_, i) => letters.slice(i, i + 3)))
}
