import { rangesHave } from '../parse/charset.js'
import { placesAt, readCode } from './places.js'
import { ALL_PLACES, type Program, TAKE } from './program.js'
import { createThreads } from './threads.js'

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
