import { type CharSet, MAX_CODE, setRanges } from './charset.js'
import { caseForms } from './fold.js'
import type { AssertionPlace, RegexNode } from './node.js'

/** Instructions of a program. */
export const MATCH = 0
/** Takes a character of set `arg` and goes on at `out`. */
export const TAKE = 1
/** Goes on at `out` or, with lower priority, at `arg`. */
export const SPLIT = 2
/** Goes on at `out` where the places `arg` (one bit each) hold. */
export const ASSERT = 3
/** Notes the position in slot `arg` and goes on at `out`. */
export const SAVE = 4

/** Bits for the places of assertions. */
export const TEXT_START = 1
export const TEXT_END = 2
export const LINE_START = 4
export const LINE_END = 8
export const WORD_EDGE = 16
export const WORD_INSIDE = 32

const PLACE_BITS: Readonly<Record<AssertionPlace, number>> = {
  'text-start': TEXT_START,
  'text-end': TEXT_END,
  'line-start': LINE_START,
  'line-end': LINE_END,
  'word-edge': WORD_EDGE,
  'word-inside': WORD_INSIDE,
}

/** A pattern as a machine that may be in several places at once. */
export interface Program {
  readonly op: Uint8Array
  readonly out: Int32Array
  readonly arg: Int32Array
  readonly start: number
  /** Tidy ranges of the sets of characters that TAKE instructions name. */
  readonly sets: readonly (readonly number[])[]
  /** All places that are asserted somewhere. */
  readonly places: number
}

/** A program that is being written, from its end to its beginning: what comes next is always known. */
interface Draft {
  readonly op: number[]
  readonly out: number[]
  readonly arg: number[]
  readonly sets: (readonly number[])[]
  /** Where a set has gone, by its ranges in words and, for the copies of a class, by itself. */
  readonly setIndex: Map<string | CharSet, number>
  readonly captures: boolean
}

/** Compiles a tree. With `captures`, the bounds of the first group are noted in slots 0 and 1. */
export function compileProgram(node: RegexNode, captures: boolean): Program {
  const draft: Draft = { op: [MATCH], out: [0], arg: [0], sets: [], setIndex: new Map(), captures }
  const start = write(draft, node, 0)
  return {
    op: Uint8Array.from(draft.op),
    out: Int32Array.from(draft.out),
    arg: Int32Array.from(draft.arg),
    start,
    sets: draft.sets,
    places: draft.op.reduce((places, op, at) => (op === ASSERT ? places | draft.arg[at]! : places), 0),
  }
}

function emit(draft: Draft, op: number, out: number, arg: number): number {
  draft.op.push(op)
  draft.out.push(out)
  draft.arg.push(arg)
  return draft.op.length - 1
}

/** Writes a node that goes on at `next`, and gives its entry. */
function write(draft: Draft, node: RegexNode, next: number): number {
  switch (node.kind) {
    case 'empty':
      return next
    case 'assertion':
      return emit(draft, ASSERT, next, PLACE_BITS[node.place])
    case 'any':
      return emit(draft, TAKE, next, addSet(draft, node.newline ? ANY : NOT_NEWLINE))
    case 'class':
      return emit(draft, TAKE, next, addClass(draft, node.set))
    case 'literal':
      return writeLiteral(draft, node.text, node.fold, next)
    case 'group':
      return writeGroup(draft, node, next)
    case 'concat':
      return node.nodes.reduceRight((entry, child) => write(draft, child, entry), next)
    case 'alternate':
      return writeAlternate(draft, node.nodes, next)
    case 'repeat':
      return writeRepeat(draft, node, next)
  }
}

const ANY: readonly number[] = [0, MAX_CODE]
const NOT_NEWLINE: readonly number[] = [0, 9, 11, MAX_CODE]

function addSet(draft: Draft, ranges: readonly number[]): number {
  const key = ranges.join()
  const known = draft.setIndex.get(key)
  if (known !== undefined) return known
  draft.setIndex.set(key, draft.sets.length)
  return draft.sets.push(ranges) - 1
}

function addClass(draft: Draft, set: CharSet): number {
  const index = draft.setIndex.get(set) ?? addSet(draft, setRanges(set))
  draft.setIndex.set(set, index)
  return index
}

function writeLiteral(draft: Draft, text: string, fold: boolean, next: number): number {
  const ranges = [...text].map((character) => {
    const code = character.codePointAt(0)!
    return fold ? caseForms(code).flatMap((form) => [form, form]) : [code, code]
  })
  return ranges.reduceRight((entry, range) => emit(draft, TAKE, entry, addSet(draft, range)), next)
}

function writeGroup(draft: Draft, node: Extract<RegexNode, { kind: 'group' }>, next: number): number {
  if (!draft.captures || node.index !== 1) return write(draft, node.node, next)
  const end = emit(draft, SAVE, next, 1)
  return emit(draft, SAVE, write(draft, node.node, end), 0)
}

function writeAlternate(draft: Draft, nodes: readonly RegexNode[], next: number): number {
  return nodes.map((node) => write(draft, node, next)).reduceRight((others, entry) => emit(draft, SPLIT, entry, others))
}

type Repeat = Extract<RegexNode, { kind: 'repeat' }>

/** `x{2,4}` is written as xx(x(x)?)?, `x{2,}` as xx+. */
function writeRepeat(draft: Draft, { node, min, max, greedy }: Repeat, next: number): number {
  let entry = next
  let copies = min
  if (max === Infinity && min === 0) {
    entry = writeStar(draft, node, greedy, next)
  } else if (max === Infinity) {
    entry = writePlus(draft, node, greedy, next)
    copies -= 1
  } else {
    for (let more = min; more < max; more++) entry = writeSplit(draft, write(draft, node, entry), next, greedy)
  }
  for (; copies > 0; copies--) entry = write(draft, node, entry)
  return entry
}

/** The body is preferred where the repetition is greedy, the way out where it is not. */
function writeSplit(draft: Draft, body: number, way: number, greedy: boolean): number {
  return greedy ? emit(draft, SPLIT, body, way) : emit(draft, SPLIT, way, body)
}

function writePlus(draft: Draft, node: RegexNode, greedy: boolean, next: number): number {
  const loop = emit(draft, SPLIT, next, next)
  const body = write(draft, node, loop)
  if (greedy) draft.out[loop] = body
  else draft.arg[loop] = body
  return body
}

/** A body that may be empty is repeated as (x+)?, so that an empty round comes in the order in which Go tries it. */
function writeStar(draft: Draft, node: RegexNode, greedy: boolean, next: number): number {
  if (mayBeEmpty(node)) return writeSplit(draft, writePlus(draft, node, greedy, next), next, greedy)
  const loop = emit(draft, SPLIT, next, next)
  const body = write(draft, node, loop)
  if (greedy) draft.out[loop] = body
  else draft.arg[loop] = body
  return loop
}

function mayBeEmpty(node: RegexNode): boolean {
  switch (node.kind) {
    case 'empty':
    case 'assertion':
      return true
    case 'group':
      return mayBeEmpty(node.node)
    case 'concat':
      return node.nodes.every(mayBeEmpty)
    case 'alternate':
      return node.nodes.some(mayBeEmpty)
    case 'repeat':
      return node.min === 0 || mayBeEmpty(node.node)
    default:
      return false
  }
}
