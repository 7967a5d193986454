import { rangesHave } from '../parse/charset.js'
import { placesAt, readCode, utf8Length } from './places.js'
import { ASSERT, MATCH, type Program, SPLIT, TAKE } from './program.js'

/** Finds the first match from `start` on: the contents of the program's slots, with -1 for a group that did not take part. */
export type Search = (text: string, start: number) => Int32Array | undefined

/** The first two need slots 0 and 1 to hold the bounds of the whole match. */
export interface SearchOptions {
  /** The match with the most bytes in UTF-8 counts instead of the first one; of several, the first. */
  readonly longest?: boolean
  /** An empty match does not count: the search goes on with the next way to match at the same position. */
  readonly notEmpty?: boolean
  /** Is called with the number of instructions that were run, and may throw to stop the search. */
  readonly spend?: (steps: number) => void
}

/** Ways through the program, the best first: each an instruction and the slots as they were stored on the way to it. */
interface Ways {
  readonly pcs: Int32Array
  readonly bounds: Int32Array
  size: number
}

/** A search in progress. */
interface Progress {
  readonly program: Program
  readonly options: SearchOptions
  readonly text: string
  readonly start: number
  /** Ways that wait for a character. */
  readonly waiting: Ways
  /** Ways to follow, the best last. Every instruction is followed once and adds at most one more than it removes. */
  readonly stack: Ways
  /** The position at which an instruction was last visited, plus one. */
  readonly seen: Int32Array
  /** The slots of the way that is being followed. */
  readonly bounds: Int32Array
  best: Int32Array | undefined
}

const createWays = (length: number, slots: number): Ways => ({
  pcs: new Int32Array(length),
  bounds: new Int32Array(length * slots),
  size: 0,
})

/** Adds a way with the slots that are found in `from` at `offset`. */
function push(ways: Ways, pc: number, slots: number, from: Int32Array, offset: number): void {
  const at = ways.size++
  ways.pcs[at] = pc
  for (let slot = 0; slot < slots; slot++) ways.bounds[at * slots + slot] = from[offset + slot]!
}

/** Makes a search that follows all ways at once, in time proportional to the text and to the program. */
export function createCapture(program: Program, options: SearchOptions = {}): Search {
  return (text, start) => {
    const { op, out, arg, sets, slots } = program
    const waiting = createWays(op.length, slots)
    const progress: Progress = {
      program,
      options,
      text,
      start,
      waiting,
      stack: createWays(op.length + 1, slots),
      seen: new Int32Array(op.length),
      bounds: new Int32Array(slots),
      best: undefined,
    }
    const reached = createWays(op.length, slots)
    for (let at = start; ; ) {
      followAll(progress, reached, at)
      const code = at < text.length ? readCode(text, at) : -1
      if (code < 0 || (progress.best && !options.longest && waiting.size === 0)) return progress.best
      options.spend?.(waiting.size + 1)
      reached.size = 0
      for (let i = 0; i < waiting.size; i++) {
        const pc = waiting.pcs[i]!
        if (rangesHave(sets[arg[pc]!]!, code)) push(reached, out[pc]!, slots, waiting.bounds, i * slots)
      }
      at += code > 0xffff ? 2 : 1
    }
  }
}

/** Follows every way up to the next character; as long as there is no match, a new way begins with the lowest priority. */
function followAll(progress: Progress, reached: Ways, at: number): void {
  const { program, options, text, start, stack, waiting } = progress
  const { slots } = program
  const places = placesAt(program, text, at, start)
  waiting.size = 0
  for (let i = 0; i < reached.size; i++) {
    push(stack, reached.pcs[i]!, slots, reached.bounds, i * slots)
    if (follow(progress, at, places)) return
  }
  if (progress.best && !options.longest) return
  push(stack, program.start, slots, progress.bounds.fill(-1), 0)
  follow(progress, at, places)
}

/** Follows what is on the stack. Returns whether it led to a match: every way after it has a lower priority. */
function follow(progress: Progress, at: number, places: number): boolean {
  const { waiting, stack, seen, bounds, options } = progress
  const { op, out, arg, slots } = progress.program
  while (stack.size > 0) {
    const top = --stack.size
    const pc = stack.pcs[top]!
    if (seen[pc] === at + 1) continue
    seen[pc] = at + 1
    const offset = top * slots
    const kind = op[pc]
    if (kind === MATCH) {
      if (options.notEmpty && stack.bounds[offset] === at) continue
      if (options.longest) {
        keepLongest(progress, stack.bounds.slice(offset, offset + slots))
        continue
      }
      progress.best = stack.bounds.slice(offset, offset + slots)
      stack.size = 0
      return true
    }
    if (kind === TAKE) {
      push(waiting, pc, slots, stack.bounds, offset)
      continue
    }
    for (let slot = 0; slot < slots; slot++) bounds[slot] = stack.bounds[offset + slot]!
    if (kind === SPLIT) {
      push(stack, arg[pc]!, slots, bounds, 0)
      push(stack, out[pc]!, slots, bounds, 0)
    } else if (kind === ASSERT) {
      if ((arg[pc]! & places) !== 0) push(stack, out[pc]!, slots, bounds, 0)
    } else {
      bounds[arg[pc]!] = at
      push(stack, out[pc]!, slots, bounds, 0)
    }
  }
  return false
}

/** A way from an earlier position reaches every instruction first, so that a shorter match never hides a longer one. */
function keepLongest(progress: Progress, found: Int32Array): void {
  const { text, best, options } = progress
  const length = utf8Length(text, found[0]!, found[1]!)
  options.spend?.(length)
  if (best && length <= utf8Length(text, best[0]!, best[1]!)) return
  progress.best = found
}
