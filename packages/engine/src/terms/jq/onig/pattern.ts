import { RE2JS } from 're2js'
import { spend } from '../budget.js'
import { createBacktracker } from './backtrack.js'
import { OnigError, type OnigNode, type OnigPattern } from './node.js'
import { parseOnig } from './parse.js'
import { toRe2 } from './to-re2.js'

/** A pattern ready to search with. */
export interface Matcher {
  /** The name of each group. */
  readonly names: readonly (string | null)[]
  readonly test: (text: string) => boolean
  /** The bounds of the first match from `start` on and of its groups, in UTF-16 units; -1 for a group without. */
  readonly search: (text: string, start: number) => readonly number[] | null
}

const FLAGS = 'gimnpslx'

/** Compiles a pattern with jq's flags (`g` and `n` are the caller's). Throws `OnigError`. */
export function createMatcher(pattern: string, flags: string): Matcher {
  const unknown = [...flags].find((flag) => !FLAGS.includes(flag))
  if (unknown !== undefined || flags.includes('m')) throw new OnigError(`${flags} is not a valid modifier string`, 0)
  const parsed = parseOnig(pattern, {
    fold: flags.includes('i'),
    extended: flags.includes('x'),
    dotAll: flags.includes('p'),
    lines: false,
  })
  const literal = literalOf(parsed.node)
  if (literal !== undefined) return literalMatcher(literal)
  return chooseMatcher(flags.includes('l') ? longest(parsed) : parsed)
}

/** `l`: of alternatives, the longest comes first. True of plain ones; anything deeper is left as it is. */
function longest(pattern: OnigPattern): OnigPattern {
  const { node } = pattern
  if (node.type !== 'either') return pattern
  const width = (item: OnigNode): number => (item.type === 'text' ? item.text.length : 0)
  return { ...pattern, node: { ...node, items: [...node.items].sort((a, b) => width(b) - width(a)) } }
}

function literalOf(node: OnigNode): string | undefined {
  return node.type === 'text' && !node.fold ? node.text : undefined
}

function literalMatcher(literal: string): Matcher {
  return {
    names: [],
    test: (text) => text.includes(literal),
    search: (text, start) => {
      spend(1 + (text.length >>> 6))
      const at = text.indexOf(literal, start)
      return at < 0 ? null : [at, at + literal.length]
    },
  }
}

/**
 * RE2 where it can do what the pattern says about this text, because it takes time in proportion to the text whatever
 * the pattern; else the backtracking matcher.
 */
function chooseMatcher(parsed: OnigPattern): Matcher {
  const source = toRe2(parsed.node)
  const edges = uses(parsed.node, 'word-edge') || uses(parsed.node, 'no-word-edge')
  const ends = uses(parsed.node, 'semi-end') || uses(parsed.node, 'line-start')
  let linear: RE2JS | undefined
  let refused = false
  let backtracker: ReturnType<typeof createBacktracker> | undefined
  const isLinear = (text: string): boolean => {
    spend(1 + (text.length >>> 3))
    if (source === undefined || refused || (ends && text.endsWith('\n')) || (edges && !isAscii(text))) return false
    linear ??= compileLinear(source)
    refused = linear === undefined
    return !refused
  }
  const backtrack = (text: string, start: number): number[] | null => {
    backtracker ??= createBacktracker(parsed)
    return backtracker(text, start)
  }
  return {
    names: parsed.names,
    test: (text) => (isLinear(text) ? linear!.test(text) : backtrack(text, 0) !== null),
    search: (text, start) =>
      isLinear(text) ? searchLinear(linear!, text, start, parsed.names.length) : backtrack(text, start),
  }
}

/** RE2 does not know every script that a property may name, and refuses repetitions of repetitions that are too many. */
function compileLinear(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source)
  } catch {
    return undefined
  }
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false
  return true
}

function searchLinear(pattern: RE2JS, text: string, start: number, groups: number): number[] | null {
  const matcher = pattern.matcher(text)
  if (!matcher.find(start)) return null
  const bounds: number[] = []
  for (let i = 0; i <= groups; i++) bounds.push(matcher.start(i), matcher.end(i))
  return bounds
}

function uses(node: OnigNode, anchor: string): boolean {
  switch (node.type) {
    case 'anchor':
      return node.anchor === anchor
    case 'sequence':
    case 'either':
      return node.items.some((item) => uses(item, anchor))
    case 'repeat':
    case 'group':
    case 'atomic':
    case 'look':
      return uses(node.body, anchor)
    default:
      return false
  }
}
