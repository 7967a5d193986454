import { TermError } from '../../condition.js'
import type { RegexNode } from './node.js'

/** The maximum height of a tree: Go's limit, with which a recursive walk fits on the stack. */
export const MAX_HEIGHT = 1000

/**
 * How many instructions a pattern may compile to. Go allows some 3 million and counts them only roughly; this is far more
 * than anyone writes by hand and limits the memory of a hostile pattern to a few megabytes.
 */
const MAX_SIZE = 1 << 18

/** A node with what the limits apply to. */
export interface Fragment {
  readonly node: RegexNode
  readonly height: number
  /** The number of instructions that the node compiles to, counted as in Go. */
  readonly size: number
  /** The product of `{n,m}` counts on the worst path down. */
  readonly copies: number
}

/** The branches of a group that is being parsed. */
export interface Branches {
  readonly done: Fragment[][]
  /** The branch after the last bar. */
  readonly open: Fragment[]
}

export const openBranches = (): Branches => ({ done: [], open: [] })

/** A fragment of a node without children. */
export function fragmentOf(node: RegexNode): Fragment {
  return { node, height: 1, size: node.kind === 'literal' ? node.text.length : 1, copies: 1 }
}

/** Adds a fragment to the open branch; `offset` is where an exceeded limit is reported. */
export function addFragment(branches: Branches, fragment: Fragment, offset: number): void {
  checkLimits(fragment, offset)
  branches.open.push(fragment)
}

/** Throws if a fragment exceeds a limit. */
export function checkLimits(fragment: Fragment, offset: number): void {
  if (fragment.height > MAX_HEIGHT) {
    throw new TermError(
      'regex-too-deep',
      `the pattern nests too deeply: at most ${MAX_HEIGHT} levels are allowed`,
      offset,
    )
  }
  if (fragment.size > MAX_SIZE) {
    throw new TermError(
      'regex-too-large',
      'the pattern is too large: its repetitions multiply to more than can be compiled',
      offset,
    )
  }
}

/** The fragment as a capturing group. */
export const captureFragment = (inner: Fragment, index: number): Fragment => ({
  node: { kind: 'group', index, node: inner.node },
  height: inner.height + 1,
  size: inner.size + 2,
  copies: inner.copies,
})

/** The fragment repeated. Only counts in braces multiply (`counted`). */
export function repeatFragment(inner: Fragment, min: number, max: number, greedy: boolean, counted: boolean): Fragment {
  const most = max === Infinity ? min : max
  return {
    node: { kind: 'repeat', node: inner.node, min, max, greedy },
    height: inner.height + 1,
    size: Math.max(1, max === Infinity ? Math.max(min, 1) * inner.size + 2 : max * inner.size + max - min),
    copies: counted ? countedCopies(inner, most, max) : inner.copies,
  }
}

/** Nothing below `{0}` counts, because nothing of it is kept. */
const countedCopies = (inner: Fragment, most: number, max: number): number =>
  max === 0 ? 1 : Math.max(most, 1) * inner.copies

/** Joins the branches into one fragment. */
export function closeBranches({ done, open }: Branches): Fragment {
  const branches = [...done, open].map(concatenate)
  return join('alternate', branches)
}

const EMPTY: Fragment = fragmentOf({ kind: 'empty' })

function concatenate(items: readonly Fragment[]): Fragment {
  return items.length === 0 ? EMPTY : join('concat', mergeLiterals(items))
}

/** `a`, `b`, `c` side by side become one literal `abc`. */
function mergeLiterals(items: readonly Fragment[]): readonly Fragment[] {
  if (items.length === 1) return items
  const merged: Fragment[] = []
  for (const item of items) {
    const last = merged.at(-1)?.node
    const { node } = item
    if (node.kind === 'literal' && last?.kind === 'literal' && last.fold === node.fold) {
      merged[merged.length - 1] = fragmentOf({ kind: 'literal', text: last.text + node.text, fold: node.fold })
    } else {
      merged.push(item)
    }
  }
  return merged
}

/** One node of `kind` over the fragments; children of the same kind are merged into it, so that they do not count as a level. */
function join(kind: 'concat' | 'alternate', parts: readonly Fragment[]): Fragment {
  if (parts.length === 1) return parts[0]!
  // `concat` copies whole arrays at once, which keeps (?:a|(?:a|(?:a|… from taking seconds.
  const none: readonly RegexNode[] = []
  const nodes = none.concat(...parts.map(({ node }) => (node.kind === kind ? node.nodes : node)))
  let height = 0
  let size = kind === 'alternate' ? parts.length - 1 : 0
  let copies = 1
  for (const part of parts) {
    height = Math.max(height, part.node.kind === kind ? part.height : part.height + 1)
    size += part.size
    copies = Math.max(copies, part.copies)
  }
  return { node: { kind, nodes }, height, size, copies }
}
