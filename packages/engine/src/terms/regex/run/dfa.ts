import { type Alphabet, kindOf } from './alphabet.js'
import { advance, createAutomaton, emptyAutomaton, FOUND, isFull, LIMITS } from './automaton.js'
import { readCode } from './places.js'
import type { Program } from './program.js'

/** If states last for fewer characters than this on average, making them costs more than it saves. */
const WORTHWHILE = 10

/**
 * Makes a search for `program` that runs an automaton over the text: one look-up per character, up to the first position
 * where a match is certain. It returns `undefined` if the text needs too many states: then another search must decide.
 */
export function createDfa(
  program: Program,
  alphabet: Alphabet,
  limits = LIMITS,
): (text: string) => boolean | undefined {
  const automaton = createAutomaton(program, alphabet, limits)
  const { pageOf, pages } = alphabet
  /** Characters of earlier texts that were read with the current states. */
  let earlier = 0
  return (text) => {
    let state = automaton.first
    let at = 0
    while (state > 0) {
      runAscii(text, at, state, automaton.table, pages)
      if (text.charCodeAt(run.at) >= 128) runWide(text, run.at, run.state, automaton.table, pageOf, pages)
      at = run.at
      state = run.state
      if (isFull(automaton)) {
        const worthwhile = earlier + at >= WORTHWHILE * automaton.states.length
        state = emptyAutomaton(automaton, state)
        earlier = -at
        if (!worthwhile) return undefined
      }
      const code = at < text.length ? readCode(text, at) : -1
      state = advance(automaton, state, code < 0 ? alphabet.size : kindOf(alphabet, code))
      at += code > 0xffff ? 2 : 1
    }
    earlier += at
    return state === FOUND
  }
}

/** Where a run stopped. One object for all runs: there may be a run for every character of a text. */
const run = { at: 0, state: 0 }

/**
 * Continues while the states are known and the text is ASCII: the loop in which all the time is spent. It is a separate
 * function that uses only its arguments, because the compiler makes that 1.3 times faster than `runWide`.
 */
function runAscii(text: string, from: number, start: number, table: Int32Array, pages: Uint16Array): void {
  let state = start
  let at = from
  for (const { length } = text; at < length; at++) {
    const unit = text.charCodeAt(at)
    if (unit >= 128) break
    const next = table[state + pages[unit]!]!
    if (next <= 0) break
    state = next
  }
  run.at = at
  run.state = state
}

/** The same for all characters except surrogate pairs, which the caller handles. */
function runWide(
  text: string,
  from: number,
  start: number,
  table: Int32Array,
  pageOf: Uint16Array,
  pages: Uint16Array,
): void {
  let state = start
  let at = from
  for (const { length } = text; at < length; at++) {
    const unit = text.charCodeAt(at)
    if ((unit & 0xf800) === 0xd800) break
    const next = table[state + pages[(pageOf[unit >> 8]! << 8) | (unit & 255)]!]!
    if (next <= 0) break
    state = next
  }
  run.at = at
  run.state = state
}
