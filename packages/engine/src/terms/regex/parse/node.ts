import type { CharSet } from './charset.js'

/** Where an assertion holds. It matches no character. */
export type AssertionPlace =
  | 'text-start'
  | 'text-end'
  | 'line-start'
  | 'line-end'
  | 'word-edge'
  | 'word-inside'
  // Only in patterns of jq, which are written in Oniguruma's syntax.
  | 'line-start-not-end'
  | 'before-final-newline'
  | 'not-before-newline'
  | 'search-start'

/**
 * A pattern as a tree. Groups that do not capture have no node, flags are resolved into the nodes they concern, and a
 * concatenation is never a direct child of another one. The tree is at most `MAX_HEIGHT` high, so walks may recurse.
 */
export type RegexNode =
  | { readonly kind: 'empty' }
  /** A well-formed string; with `fold`, each character in any of its cases. */
  | { readonly kind: 'literal'; readonly text: string; readonly fold: boolean }
  /** The dot. */
  | { readonly kind: 'any'; readonly newline: boolean }
  | { readonly kind: 'class'; readonly set: CharSet }
  | { readonly kind: 'assertion'; readonly place: AssertionPlace }
  /** A capturing group; the first has the index 1. */
  | { readonly kind: 'group'; readonly index: number; readonly node: RegexNode }
  | { readonly kind: 'concat'; readonly nodes: readonly RegexNode[] }
  | { readonly kind: 'alternate'; readonly nodes: readonly RegexNode[] }
  /** `max` is `Infinity` where there is no limit. */
  | {
      readonly kind: 'repeat'
      readonly node: RegexNode
      readonly min: number
      readonly max: number
      readonly greedy: boolean
    }
