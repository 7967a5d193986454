import { type Alphabet, hasMember } from './alphabet.js'
import {
  ALL_PLACES,
  ASSERT,
  BEFORE_FINAL_NEWLINE,
  LINE_END,
  LINE_START,
  LINE_START_NOT_END,
  NOT_BEFORE_NEWLINE,
  type Program,
  SEARCH_START,
  TAKE,
  TEXT_END,
  TEXT_START,
  WORD_EDGE,
  WORD_INSIDE,
} from './program.js'
import { createThreads, type Threads } from './simulate.js'

/**
 * Places that are decided by what precedes them. `LINE_START_NOT_END` is one of them, and `BEFORE_FINAL_NEWLINE` is the end
 * of the text, because a program that asserts either of them runs here only on texts that do not end in a line feed.
 */
const ANY_LINE_START = LINE_START | LINE_START_NOT_END
const DECIDED_BEFORE = TEXT_START | SEARCH_START | ANY_LINE_START

/** How much an automaton may keep before it is emptied. */
export interface Limits {
  readonly states: number
  readonly cells: number
  /** Instructions remembered in all states together. */
  readonly remembered: number
}

/** A table of 1 MiB, which fits into the processor's cache, and 2 MiB for the states. */
export const LIMITS: Limits = { states: 2000, cells: 1 << 18, remembered: 1 << 19 }

/** Entries of the table that are not states. */
export const UNKNOWN = 0
/** The text matches, whatever follows. */
export const FOUND = -1
/** No text that continues from here matches. */
export const NEVER = -2

/** The character before was a word character; a bit beside those of the places. */
const AFTER_WORD = ALL_PLACES + 1

/** Where the program waits, and what preceded it, as far as a waiting assertion depends on it. */
interface State {
  readonly waiting: Int32Array
  readonly context: number
}

/** The state with the number 0, which means `UNKNOWN`. */
const NO_STATE: State = { waiting: new Int32Array(0), context: 0 }

/**
 * A deterministic automaton that grows as it is used. Its states are the sets of instructions at which a program may wait,
 * and their numbers are the offsets of their rows in the table, which has a column for each kind of character and one for the end.
 */
export interface Automaton {
  readonly program: Program
  readonly alphabet: Alphabet
  readonly stride: number
  readonly maxStates: number
  readonly maxRemembered: number
  readonly threads: Threads
  readonly ids: Map<string, number>
  readonly states: State[]
  table: Int32Array
  remembered: number
  /** The state at the start of a text, or `FOUND` or `NEVER`. */
  first: number
}

export function createAutomaton(program: Program, alphabet: Alphabet, limits: Limits): Automaton {
  const stride = alphabet.size + 1
  const automaton: Automaton = {
    program,
    alphabet,
    stride,
    maxStates: Math.min(limits.states, Math.floor(limits.cells / stride)),
    maxRemembered: limits.remembered,
    threads: createThreads(program),
    ids: new Map(),
    states: [],
    table: new Int32Array(16 * stride),
    remembered: 0,
    first: UNKNOWN,
  }
  emptyAutomaton(automaton)
  return automaton
}

export const isFull = ({ states, maxStates, remembered, maxRemembered }: Automaton): boolean =>
  states.length >= maxStates || remembered > maxRemembered

/** Forgets all states except the first one and `kept`, whose new number is returned. */
export function emptyAutomaton(automaton: Automaton, kept = UNKNOWN): number {
  const { threads, states, ids, table, stride, program } = automaton
  const { waiting, context } = states[kept / stride] ?? NO_STATE
  states.length = 0
  states.push(NO_STATE)
  ids.clear()
  table.fill(UNKNOWN)
  automaton.remembered = 0
  threads.clear()
  automaton.first = threads.follow(program.start, DECIDED_BEFORE, DECIDED_BEFORE)
    ? FOUND
    : intern(automaton, DECIDED_BEFORE)
  threads.clear()
  for (const pc of waiting) threads.list[threads.size++] = pc
  return kept === UNKNOWN ? UNKNOWN : intern(automaton, context)
}

/** The successor of `state` for a character of kind `kind`: a state, `FOUND` or `NEVER`. */
export function advance(automaton: Automaton, state: number, kind: number): number {
  const cell = state + kind
  const known = automaton.table[cell]!
  if (known !== UNKNOWN) return known
  const next = step(automaton, automaton.states[state / automaton.stride]!, kind)
  automaton.table[cell] = next
  return next
}

function step(automaton: Automaton, state: State, kind: number): number {
  const { alphabet, threads, program } = automaton
  const from = passAssertions(automaton, state, kind)
  if (!from) return FOUND
  if (kind === alphabet.size) return NEVER
  const holdsBefore = alphabet.isNewline[kind] === 1 ? ANY_LINE_START : 0
  const members = alphabet.members[kind]!
  threads.clear()
  for (const pc of from) {
    if (program.op[pc] !== TAKE || !hasMember(members, program.arg[pc]!)) continue
    if (threads.follow(program.out[pc]!, holdsBefore, DECIDED_BEFORE)) return FOUND
  }
  // A match may also begin after this character.
  if (threads.follow(program.start, holdsBefore, DECIDED_BEFORE)) return FOUND
  return intern(automaton, holdsBefore | (alphabet.isWord[kind] === 1 ? AFTER_WORD : 0))
}

const hasAssertion = ({ op }: Program, waiting: Int32Array): boolean => waiting.some((pc) => op[pc] === ASSERT)

/** Where the program waits once the assertions know what comes next; `undefined` if the program matches. */
function passAssertions({ program, alphabet, threads }: Automaton, state: State, kind: number): Int32Array | undefined {
  const { waiting, context } = state
  if (!hasAssertion(program, waiting)) return waiting
  const holds = (context & DECIDED_BEFORE) | placesAhead(alphabet, kind, (context & AFTER_WORD) !== 0)
  threads.clear()
  for (const pc of waiting) if (threads.follow(pc, holds, ALL_PLACES)) return undefined
  return threads.list.slice(0, threads.size)
}

function placesAhead({ size, isWord, isNewline }: Alphabet, kind: number, afterWord: boolean): number {
  if (kind === size)
    return TEXT_END | BEFORE_FINAL_NEWLINE | LINE_END | NOT_BEFORE_NEWLINE | (afterWord ? WORD_EDGE : WORD_INSIDE)
  const word = afterWord === (isWord[kind] === 1) ? WORD_INSIDE : WORD_EDGE
  return word | (isNewline[kind] === 1 ? LINE_END : NOT_BEFORE_NEWLINE)
}

/** The state in which the threads wait now. */
function intern(automaton: Automaton, before: number): number {
  const { threads, program, ids, states, stride } = automaton
  const waiting = threads.list.slice(0, threads.size).sort()
  if (waiting.length === 0 && (program.places & ANY_LINE_START) === 0) return NEVER
  const context = hasAssertion(program, waiting) ? before : 0
  const key = `${context} ${waiting.join()}`
  const known = ids.get(key)
  if (known !== undefined) return known
  const id = (states.push({ waiting, context }) - 1) * stride
  ids.set(key, id)
  automaton.remembered += waiting.length
  if (id + stride > automaton.table.length) automaton.table = grow(automaton.table)
  return id
}

function grow(table: Int32Array): Int32Array {
  const larger = new Int32Array(2 * table.length)
  larger.set(table)
  return larger
}
