import { rangesHave } from '../parse/charset.js'
import { placesAt, readCode } from './places.js'
import { ALL_PLACES, ASSERT, MATCH, type Program, SAVE, SPLIT, TAKE } from './program.js'

/**
 * The instructions at which a program waits at one position of the text: those that take a character, and assertions that
 * wait for what comes next. `list` contains each at most once.
 */
export interface Threads {
  readonly list: Int32Array
  size: number
  /** Empties the list. */
  clear(): void
  /**
   * Follows the program from `pc` up to where it has to wait. Of the places in `decided`, those in `holds` hold; the
   * other assertions wait. Says whether the program reaches its end.
   */
  follow(pc: number, holds: number, decided: number): boolean
}

export function createThreads({ op, out, arg }: Program): Threads {
  const list = new Int32Array(op.length)
  /** The round in which an instruction was last visited. */
  const seen = new Uint32Array(op.length)
  /** Each instruction is followed once in a round and leaves at most one more than it took. */
  const stack = new Int32Array(op.length + 1)
  let round = 1
  const threads: Threads = {
    list,
    size: 0,
    clear() {
      threads.size = 0
      round += 1
      if (round <= 0xffff_ffff) return
      seen.fill(0)
      round = 1
    },
    follow(pc, holds, decided) {
      let depth = 1
      let matched = false
      stack[0] = pc
      while (depth > 0) {
        const at = stack[--depth]!
        if (seen[at] === round) continue
        seen[at] = round
        const kind = op[at]
        if (kind === MATCH) {
          matched = true
        } else if (kind === SPLIT) {
          stack[depth++] = arg[at]!
          stack[depth++] = out[at]!
        } else if (kind === SAVE || (kind === ASSERT && (arg[at]! & holds) !== 0)) {
          stack[depth++] = out[at]!
        } else if (kind === TAKE || (arg[at]! & decided) === 0) {
          list[threads.size++] = at
        }
      }
      return matched
    },
  }
  return threads
}

/**
 * Runs a program on a text directly, in time proportional to the text and to the program: used when the automaton would
 * have too many states to be worth keeping. `spend` is called with the number of instructions that were run, and may throw
 * to stop the search.
 */
export function simulate(program: Program, text: string, spend?: (steps: number) => void): boolean {
  const { op, out, arg, sets, start } = program
  const threads = createThreads(program)
  const reached = new Int32Array(op.length)
  let count = 0
  for (let at = 0; ; ) {
    const places = placesAt(program, text, at, 0)
    threads.clear()
    for (let i = 0; i < count; i++) if (threads.follow(reached[i]!, places, ALL_PLACES)) return true
    if (threads.follow(start, places, ALL_PLACES)) return true
    if (at >= text.length) return false
    const code = readCode(text, at)
    spend?.(threads.size + 1)
    count = 0
    for (let i = 0; i < threads.size; i++) {
      const pc = threads.list[i]!
      if (op[pc] === TAKE && rangesHave(sets[arg[pc]!]!, code)) reached[count++] = out[pc]!
    }
    at += code > 0xffff ? 2 : 1
  }
}
