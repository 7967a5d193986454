import { rangesHave } from './charset.js'
import { LINE_END, LINE_START, type Program, TAKE, TEXT_END, TEXT_START, WORD_EDGE, WORD_INSIDE } from './program.js'
import { isWordCode, readCode } from './text.js'
import { ALL_PLACES, createThreads } from './threads.js'

/** The places that hold between two characters; -1 stands for either end of the text. */
export function placesBetween(before: number, after: number): number {
  let places = isWordCode(before) === isWordCode(after) ? WORD_INSIDE : WORD_EDGE
  if (before < 0) places |= TEXT_START | LINE_START
  else if (before === 10) places |= LINE_START
  if (after < 0) places |= TEXT_END | LINE_END
  else if (after === 10) places |= LINE_END
  return places
}

/**
 * Runs a program on a text directly, in time proportional to the text and to the program: what remains when the automaton
 * would have too many states to be worth keeping.
 */
export function simulate(program: Program, text: string): boolean {
  const { op, out, arg, sets, start } = program
  const threads = createThreads(program)
  const reached = new Int32Array(op.length)
  let count = 0
  let before = -1
  for (let at = 0; ; ) {
    const code = at < text.length ? readCode(text, at) : -1
    const places = placesBetween(before, code)
    threads.clear()
    for (let i = 0; i < count; i++) if (threads.follow(reached[i]!, places, ALL_PLACES)) return true
    if (threads.follow(start, places, ALL_PLACES)) return true
    if (code < 0) return false
    count = 0
    for (let i = 0; i < threads.size; i++) {
      const pc = threads.list[i]!
      if (op[pc] === TAKE && rangesHave(sets[arg[pc]!]!, code)) reached[count++] = out[pc]!
    }
    before = code
    at += code > 0xffff ? 2 : 1
  }
}
