import { rangesHave } from './charset.js'
import { ASSERT, MATCH, type Program, SPLIT, TAKE } from './program.js'
import { placesBetween } from './simulate.js'
import { readCode } from './text.js'

/** Where the first group begins and ends; -1 for a group that took no part. */
export interface Bounds {
  readonly start: number
  readonly end: number
}

/** Ways through the program, the best first: each an instruction and the bounds noted on the way to it. */
interface Ways {
  readonly pcs: Int32Array
  readonly starts: Int32Array
  readonly ends: Int32Array
  size: number
}

/** A search under way. */
interface Search {
  readonly program: Program
  /** Those that wait for a character. */
  readonly waiting: Ways
  /** Those still to be followed, the best last. Every instruction is followed once and leaves at most one more than it took. */
  readonly stack: Ways
  /** The position at which an instruction was last visited, plus one. */
  readonly seen: Int32Array
  best: Bounds | undefined
}

const createWays = (length: number): Ways => ({
  pcs: new Int32Array(length),
  starts: new Int32Array(length),
  ends: new Int32Array(length),
  size: 0,
})

function push(ways: Ways, pc: number, start: number, end: number): void {
  const at = ways.size++
  ways.pcs[at] = pc
  ways.starts[at] = start
  ways.ends[at] = end
}

/**
 * The bounds of the first group in the leftmost match, of several the one that a backtracking search would find first;
 * `undefined` without a match. Follows all ways at once, in time proportional to the text and to the program.
 */
export function captureFirst(program: Program, text: string): Bounds | undefined {
  const { op, out, arg, sets } = program
  const waiting = createWays(op.length)
  const search: Search = {
    program,
    waiting,
    stack: createWays(op.length + 1),
    seen: new Int32Array(op.length),
    best: undefined,
  }
  const reached = createWays(op.length)
  let before = -1
  for (let at = 0; ; ) {
    const code = at < text.length ? readCode(text, at) : -1
    followAll(search, reached, at, placesBetween(before, code))
    if (code < 0 || (search.best && waiting.size === 0)) return search.best
    reached.size = 0
    for (let i = 0; i < waiting.size; i++) {
      const pc = waiting.pcs[i]!
      if (rangesHave(sets[arg[pc]!]!, code)) push(reached, out[pc]!, waiting.starts[i]!, waiting.ends[i]!)
    }
    before = code
    at += code > 0xffff ? 2 : 1
  }
}

/** Follows every way up to the next character; without a match so far, a new one starts behind them. */
function followAll(search: Search, reached: Ways, at: number, places: number): void {
  search.waiting.size = 0
  for (let i = 0; i < reached.size; i++) {
    push(search.stack, reached.pcs[i]!, reached.starts[i]!, reached.ends[i]!)
    if (follow(search, at, places)) return
  }
  if (search.best) return
  push(search.stack, search.program.start, -1, -1)
  follow(search, at, places)
}

/** Follows what is on the stack. Says whether it led to the end of the program: then everything after it is worse. */
function follow(search: Search, at: number, places: number): boolean {
  const { waiting, stack, seen } = search
  const { op, out, arg } = search.program
  while (stack.size > 0) {
    const top = --stack.size
    const pc = stack.pcs[top]!
    const start = stack.starts[top]!
    const end = stack.ends[top]!
    if (seen[pc] === at + 1) continue
    seen[pc] = at + 1
    const kind = op[pc]
    if (kind === MATCH) {
      search.best = { start, end }
      stack.size = 0
      return true
    }
    if (kind === TAKE) {
      push(waiting, pc, start, end)
    } else if (kind === SPLIT) {
      push(stack, arg[pc]!, start, end)
      push(stack, out[pc]!, start, end)
    } else if (kind === ASSERT) {
      if ((arg[pc]! & places) !== 0) push(stack, out[pc]!, start, end)
    } else {
      push(stack, out[pc]!, arg[pc] === 0 ? at : start, arg[pc] === 0 ? end : at)
    }
  }
  return false
}
