import type { RegexNode } from '../../regex/parse/node.js'
import { createSearcher } from '../../regex/run/search.js'
import { spend } from '../evaluation.js'
import { wordRanges } from './classes.js'
import { parseOnig } from './parse.js'
import { syntaxError } from './reader.js'

/** A pattern that is ready for searching. */
export interface Matcher {
  /** The name of each group, or null. */
  readonly names: readonly (string | null)[]
  readonly test: (text: string) => boolean
  /** The bounds of the first match from `start` on and of its groups, in UTF-16 units; -1 for a group that did not take part. */
  readonly search: (text: string, start: number) => ArrayLike<number> | undefined
}

const FLAGS = 'ginpslx'

/**
 * Compiles a pattern with jq's flags, of which `g` concerns only the caller. Throws the `TermError` of `parseOnig`.
 *
 * @example
 * createMatcher('a+', 'i').search('bAa', 0) // [1, 3]
 */
export function createMatcher(pattern: string, flags: string): Matcher {
  if ([...flags].some((flag) => !FLAGS.includes(flag))) {
    throw syntaxError(`${flags} is not a valid modifier string`, 0)
  }
  const { node, names } = parseOnig(pattern, flags)
  const literal = node.kind === 'literal' && !node.fold ? node.text : undefined
  if (literal !== undefined) return literalMatcher(literal)
  const notEmpty = flags.includes('n')
  const { test, search } = createSearcher(node, names.length, {
    words: usesWords(node) ? wordRanges() : [],
    emptyRound: 'leave',
    longest: flags.includes('l'),
    notEmpty,
    // An instruction of a search takes about an eighth of the time of a step of the interpreter.
    spend: (instructions) => spend(1 + (instructions >>> 3)),
  })
  return {
    names,
    test: notEmpty ? (text) => search(text, 0) !== undefined : test,
    search,
  }
}

function usesWords(node: RegexNode): boolean {
  switch (node.kind) {
    case 'assertion':
      return node.place === 'word-edge' || node.place === 'word-inside'
    case 'concat':
    case 'alternate':
      return node.nodes.some(usesWords)
    case 'group':
    case 'repeat':
      return usesWords(node.node)
    default:
      return false
  }
}

function literalMatcher(literal: string): Matcher {
  return {
    names: [],
    test: (text) => text.includes(literal),
    search: (text, start) => {
      spend(1 + (text.length >>> 6))
      const at = text.indexOf(literal, start)
      return at < 0 ? undefined : [at, at + literal.length]
    },
  }
}
