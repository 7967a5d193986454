import { type CharSet, MAX_CODE, setRanges, WORD_RANGES } from '../parse/charset.js'
import { caseForms } from '../parse/fold.js'
import type { AssertionPlace, RegexNode } from '../parse/node.js'

/** Instructions of a program. */
export const MATCH = 0
/** Takes a character of set `arg` and continues at `out`. */
export const TAKE = 1
/** Continues at `out` or, with lower priority, at `arg`. */
export const SPLIT = 2
/** Continues at `out` if one of the places `arg` (one bit each) holds. */
export const ASSERT = 3
/** Stores the position in slot `arg` and continues at `out`. */
export const SAVE = 4

/** Bits for the places of assertions. */
export const TEXT_START = 1
export const TEXT_END = 2
export const LINE_START = 4
export const LINE_END = 8
export const WORD_EDGE = 16
export const WORD_INSIDE = 32
export const LINE_START_NOT_END = 64
export const BEFORE_FINAL_NEWLINE = 128
export const NOT_BEFORE_NEWLINE = 256
export const SEARCH_START = 512

export const ALL_PLACES = 1023

const PLACE_BITS: Readonly<Record<AssertionPlace, number>> = {
  'text-start': TEXT_START,
  'text-end': TEXT_END,
  'line-start': LINE_START,
  'line-end': LINE_END,
  'word-edge': WORD_EDGE,
  'word-inside': WORD_INSIDE,
  'line-start-not-end': LINE_START_NOT_END,
  'before-final-newline': BEFORE_FINAL_NEWLINE,
  'not-before-newline': NOT_BEFORE_NEWLINE,
  'search-start': SEARCH_START,
}

/** A pattern as a nondeterministic automaton. */
export interface Program {
  readonly op: Uint8Array
  readonly out: Int32Array
  readonly arg: Int32Array
  readonly start: number
  /** The sets of characters that TAKE instructions refer to, as tidy ranges. */
  readonly sets: readonly (readonly number[])[]
  /** All places that are asserted somewhere. */
  readonly places: number
  /** The word characters, as tidy ranges. Those of ASCII are always letters, digits and `_`. */
  readonly words: readonly number[]
  /** Two for each group that is captured: where it begins and ends. */
  readonly slots: number
}

/** A program that is being written, from its end to its beginning: what comes next is always known. */
interface Draft {
  readonly op: number[]
  readonly out: number[]
  readonly arg: number[]
  readonly sets: (readonly number[])[]
  /** The index of a set, by its ranges and, for the copies of a class, by the class itself. */
  readonly setIndex: Map<string | CharSet, number>
  readonly options: ProgramOptions
}

export interface ProgramOptions {
  /** The groups whose bounds are captured: group `groups[i]` in slots 2i and 2i + 1. */
  readonly groups: readonly number[]
  /** Word characters, as tidy ranges. */
  readonly words: readonly number[]
  /**
   * What a repetition does when its body matches the empty string. Go drops that round; Oniguruma keeps what its groups
   * have captured and leaves the repetition.
   */
  readonly emptyRound: 'drop' | 'leave'
}

const GO: ProgramOptions = { groups: [], words: WORD_RANGES, emptyRound: 'drop' }

/** Compiles a tree, by default for Go's semantics and without captures. */
export function compileProgram(node: RegexNode, options: Partial<ProgramOptions> = {}): Program {
  const all: ProgramOptions = { ...GO, ...options }
  const draft: Draft = { op: [MATCH], out: [0], arg: [0], sets: [], setIndex: new Map(), options: all }
  const start = write(draft, node, 0, 0)
  return {
    op: Uint8Array.from(draft.op),
    out: Int32Array.from(draft.out),
    arg: Int32Array.from(draft.arg),
    start,
    sets: draft.sets,
    places: draft.op.reduce((places, op, at) => (op === ASSERT ? places | draft.arg[at]! : places), 0),
    words: all.words,
    slots: 2 * all.groups.length,
  }
}

function emit(draft: Draft, op: number, out: number, arg: number): number {
  draft.op.push(op)
  draft.out.push(out)
  draft.arg.push(arg)
  return draft.op.length - 1
}

/**
 * Writes a node and returns its entry. It continues at `moved` after it has taken a character, and at `next` otherwise:
 * the two differ inside a repetition that has to know whether a round was empty.
 */
function write(draft: Draft, node: RegexNode, next: number, moved: number): number {
  switch (node.kind) {
    case 'empty':
      return next
    case 'assertion':
      return emit(draft, ASSERT, next, PLACE_BITS[node.place])
    case 'any':
      return emit(draft, TAKE, moved, addSet(draft, node.newline ? ANY : NOT_NEWLINE))
    case 'class':
      return emit(draft, TAKE, moved, addClass(draft, node.set))
    case 'literal':
      return writeLiteral(draft, node.text, node.fold, moved)
    case 'group':
      return writeGroup(draft, node, next, moved)
    case 'concat':
      return writeConcat(draft, node.nodes, next, moved)
    case 'alternate':
      return writeAlternate(draft, node.nodes, next, moved)
    case 'repeat':
      return writeRepeat(draft, node, next, moved)
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

function writeGroup(
  draft: Draft,
  { index, node }: Extract<RegexNode, { kind: 'group' }>,
  next: number,
  moved: number,
): number {
  const slot = 2 * draft.options.groups.indexOf(index)
  if (slot < 0) return write(draft, node, next, moved)
  const end = emit(draft, SAVE, next, slot + 1)
  const movedEnd = moved === next ? end : emit(draft, SAVE, moved, slot + 1)
  return emit(draft, SAVE, write(draft, node, end, movedEnd), slot)
}

function writeConcat(draft: Draft, nodes: readonly RegexNode[], next: number, moved: number): number {
  let entry = next
  let movedEntry = moved
  for (let i = nodes.length - 1; i >= 0; i--) {
    const same = entry === movedEntry
    entry = write(draft, nodes[i]!, entry, movedEntry)
    // The first node is only entered before anything was taken.
    if (same || i === 0) movedEntry = entry
    else movedEntry = write(draft, nodes[i]!, movedEntry, movedEntry)
  }
  return entry
}

function writeAlternate(draft: Draft, nodes: readonly RegexNode[], next: number, moved: number): number {
  return nodes
    .map((node) => write(draft, node, next, moved))
    .reduceRight((others, entry) => emit(draft, SPLIT, entry, others))
}

type Repeat = Extract<RegexNode, { kind: 'repeat' }>

function writeRepeat(draft: Draft, repeat: Repeat, next: number, moved: number): number {
  if (draft.options.emptyRound === 'leave' && mayBeEmpty(repeat.node)) return writeLeaving(draft, repeat, next, moved)
  if (next === moved) return writeCopies(draft, repeat, next)
  // The body takes a character, so that only what precedes it can be empty.
  const { node, min, max, greedy } = repeat
  if (max === 0) return next
  const rest = writeCopies(draft, { ...repeat, min: Math.max(min - 1, 0), max: max - 1 }, moved)
  const entry = write(draft, node, rest, rest)
  return min > 0 ? entry : writeSplit(draft, entry, next, greedy)
}

/** `x{2,4}` is written as xx(x(x)?)?, `x{2,}` as xx+. */
function writeCopies(draft: Draft, { node, min, max, greedy }: Repeat, next: number): number {
  let entry = next
  let copies = min
  if (max === Infinity && min === 0) {
    entry = writeStar(draft, node, greedy, next)
  } else if (max === Infinity) {
    entry = writePlus(draft, node, greedy, next)
    copies -= 1
  } else {
    for (let more = min; more < max; more++) entry = writeSplit(draft, write(draft, node, entry, entry), next, greedy)
  }
  for (; copies > 0; copies--) entry = write(draft, node, entry, entry)
  return entry
}

/** Repeats a body that may be empty; a round that was empty leaves the repetition. */
function writeLeaving(draft: Draft, repeat: Repeat, next: number, moved: number): number {
  const { node, min, max, greedy } = repeat
  if (max === 0) return next
  let again = moved
  if (max === Infinity) {
    again = emit(draft, SPLIT, moved, moved)
    const body = write(draft, node, moved, again)
    if (greedy) draft.out[again] = body
    else draft.arg[again] = body
    if (min <= 1 && next === moved) return min === 0 ? again : body
  } else {
    for (let round = max; round > Math.max(min, 1); round--) {
      again = writeSplit(draft, write(draft, node, moved, again), moved, greedy)
    }
  }
  for (let round = min; round > 1; round--) again = write(draft, node, moved, again)
  const first = write(draft, node, next, again)
  return min > 0 ? first : writeSplit(draft, first, next, greedy)
}

/** The body is preferred if the repetition is greedy, the exit otherwise. */
function writeSplit(draft: Draft, body: number, exit: number, greedy: boolean): number {
  return greedy ? emit(draft, SPLIT, body, exit) : emit(draft, SPLIT, exit, body)
}

function writePlus(draft: Draft, node: RegexNode, greedy: boolean, next: number): number {
  const loop = emit(draft, SPLIT, next, next)
  const body = write(draft, node, loop, loop)
  if (greedy) draft.out[loop] = body
  else draft.arg[loop] = body
  return body
}

/** A body that may be empty is repeated as (x+)?, so that an empty round is tried in the same order as in Go. */
function writeStar(draft: Draft, node: RegexNode, greedy: boolean, next: number): number {
  if (mayBeEmpty(node)) return writeSplit(draft, writePlus(draft, node, greedy, next), next, greedy)
  const loop = emit(draft, SPLIT, next, next)
  const body = write(draft, node, loop, loop)
  if (greedy) draft.out[loop] = body
  else draft.arg[loop] = body
  return loop
}

/** Whether a node can match the empty string. */
export function mayBeEmpty(node: RegexNode): boolean {
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
