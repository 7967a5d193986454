import type { Needle } from '../../condition.js'
import type { RegexNode } from '../../regex/parse/node.js'

/** A string; an entry must contain at least one of several. */
interface Wanted extends Needle {
  /** The name of a field, which nearly every entry has, rather than its content. */
  readonly isKey: boolean
}

/**
 * What an entry must contain: one of some strings; nothing that is known (`ANYTHING`); or it cannot be met, whatever the
 * entry contains (`NEVER`, one of no strings).
 */
export type Requirement = readonly Wanted[] | null

export const ANYTHING: Requirement = null
export const NEVER: Requirement = []

// More strings than this are not selective.
const MAX_TEXTS = 64

/** What an entry must contain if it meets at least one of two requirements. */
export function either(a: Requirement, b: Requirement): Requirement {
  if (a === null || b === null) return null
  const all = [...a, ...b.filter((text) => !a.some((other) => other.text === text.text && other.fold === text.fold))]
  return all.length > MAX_TEXTS ? null : all
}

/** What an entry must contain if it meets both: the more selective one, because strings may occur in any order. */
export function both(a: Requirement, b: Requirement): Requirement {
  if (a === null || b === null) return a ?? b
  return rank(a) >= rank(b) ? a : b
}

/** The impossible is the most selective, then the content of fields; of the same kind, long strings, and few of them. */
function rank(texts: readonly Wanted[]): number {
  if (texts.length === 0) return Number.POSITIVE_INFINITY
  const shortest = Math.min(...texts.map(({ text }) => text.length))
  const content = shortest >= 3 && texts.every(({ isKey }) => !isKey)
  return (content ? 1000 : 0) + shortest - texts.length / (MAX_TEXTS + 1)
}

// What an encoder of JSON must or may write differently inside a string. (`\u` is an alternative of every plan.)
const UNSAFE = /[^ !#-%(-.0-;=?-[\]-~]+/

/** How a string was derived from the entry. */
export interface Manner {
  /** Its letters may have another case in the entry. */
  readonly fold: boolean
  /** It was printed from a value of any type (`tostring`): a number may be written differently there, and a missing value is `null`. */
  readonly printed: boolean
}

export const AS_WRITTEN: Manner = { fold: false, printed: false }

/** Requires a string that is part of a string of the entry, or the name of one of its fields. */
export function containing(text: string, isKey: boolean, { fold, printed }: Manner = AS_WRITTEN): Requirement {
  const parts = printed ? text.split(NOT_WORDS).filter(isOnlyFromStrings) : text.split(UNSAFE)
  const longest = parts.reduce((a, b) => (b.length > a.length ? b : a), '')
  return longest === '' ? ANYTHING : [{ text: longest, fold, isKey }]
}

/** What a printed value may contain although the entry does not: punctuation and numbers. Spaces are printed only within strings. */
const NOT_WORDS = /[^A-Za-z ]+/

/** A number may be printed with an `e`, and a missing value is printed as `null`. */
function isOnlyFromStrings(words: string): boolean {
  return words.length >= 2 && !'null'.includes(words.toLowerCase())
}

/** What a string must contain for a regular expression to match it. */
export function containingMatch(node: RegexNode, manner: Manner): Requirement {
  switch (node.kind) {
    case 'literal':
      // Only ASCII letters are folded by a needle.
      return containing(node.text, false, { ...manner, fold: manner.fold || node.fold })
    case 'concat':
      return node.nodes.map((item) => containingMatch(item, manner)).reduce(both, ANYTHING)
    case 'alternate':
      return node.nodes.map((item) => containingMatch(item, manner)).reduce(either, NEVER)
    case 'repeat':
      return node.min > 0 ? containingMatch(node.node, manner) : ANYTHING
    case 'group':
      return containingMatch(node.node, manner)
    default:
      return ANYTHING
  }
}
