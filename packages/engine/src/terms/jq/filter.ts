import { TermError } from '../condition.js'
import { FOR_AUTHOR } from './compile/author-checks.js'
import type { Code, Emit } from './compile/code.js'
import { doubt } from './compile/compare.js'
import { compile } from './compile/compile.js'
import { type Budget, clock, Halt, LimitReached, refill } from './evaluation.js'
import { parseJq } from './parse/parse.js'
import { needsOf } from './plan/needs.js'
import { hasSpecialNumbers, type Needs, parseDocument } from './values/document.js'
import { toText } from './values/formats.js'
import { isTruthy, JqError, type Value } from './values/value.js'

/** `limit`: the filter exceeded its budget of time or memory. */
export type JqOutcome = 'match' | 'no match' | 'limit'

export interface JqOptions {
  /** What `now` gives, in seconds since 1970. Without it, `now` is 0. */
  readonly now?: () => number
  /** The budget of one evaluation, given the length of the entry. */
  readonly budget?: (length: number) => Budget
}

export interface JqFilter {
  /** Whether an entry meets the filter. Text that is not JSON does not. */
  matches(text: string): JqOutcome
  /** The first output: a string as it is, anything else as compact JSON; `undefined` for null, none, or an error before. */
  first(text: string): string | undefined
}

const EVERYTHING: Needs = { keys: true, numbers: true }
const MIB = 1024 * 1024

/** A few milliseconds of work, and more for a longer entry, because filters usually visit all of it. */
function defaultBudget(length: number): Budget {
  // The depth is a third of what the smallest stack (about 1 MB in browsers and in Node's main thread) was measured to hold.
  return { steps: 500_000 + 20 * length, bytes: 64 * MIB, depth: 500 }
}

/**
 * Compiles a filter. Throws a `TermError` if it is not valid.
 *
 * @example
 * const filter = compileJq('.level == "error" and (.msg | test("timeout"))')
 * filter.matches('{"level":"error","msg":"read timeout"}') // 'match'
 */
export function compileJq(filter: string, options: JqOptions = {}): JqFilter {
  const { now, budget = defaultBudget } = options
  const node = parseJq(filter)
  const { needs, code } = safely(filter, () => ({ needs: needsOf(node), code: compile(node, null) }))
  const start = (length: number): void => {
    refill(budget(length))
    doubt.raised = false
    clock.seconds = now === undefined ? 0 : now()
  }
  return {
    matches: (text) => {
      const input = parseDocument(text, needs)
      if (input === undefined) return 'no match'
      start(text.length)
      const outcome = decide(code, input)
      if (!doubt.raised || needs.numbers || !hasSpecialNumbers(text)) return outcome
      start(text.length)
      return decide(code, parseDocument(text, EVERYTHING)!)
    },
    first: (text) => {
      const input = parseDocument(text, EVERYTHING)
      if (input === undefined) return undefined
      start(text.length)
      return firstText(code, input)
    },
  }
}

/**
 * What jq accepts in a filter that compiles, but no author means: a function that does not exist in one that is never called, a
 * format that does not exist, `input` and others that need more than one entry. Undefined if there is nothing.
 *
 * @example
 * findJqFlaw('def isOld: .age > limt; .level == "error"')?.message
 * // 'the function limt/0 does not exist; did you mean limit/2? (isOld/0 is never called)'
 */
export function findJqFlaw(filter: string): TermError | undefined {
  const node = parseJq(filter)
  try {
    safely(filter, () => compile(node, FOR_AUTHOR))
    return undefined
  } catch (error) {
    if (error instanceof TermError) return error
    throw error
  }
}

/** A filter may be nested so deeply, or so long, that compiling it exceeds the stack. */
function safely<T>(filter: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new TermError('jq-size', `the filter is too long or too deeply nested (${filter.length} characters)`)
  }
}

/**
 * A filter is met if an output is neither null nor false and no error ends the evaluation. All outputs count, so an error
 * after such an output means that the filter is not met.
 */
function decide(code: Code, input: Value): JqOutcome {
  let met = false
  const ended = evaluate(code, input, (value) => {
    met ||= isTruthy(value) && !isNothing(value)
    return true
  })
  if (ended === 'limit') return 'limit'
  return met && ended === 'done' ? 'match' : 'no match'
}

function firstText(code: Code, input: Value): string | undefined {
  let text: string | undefined
  const ended = evaluate(code, input, (value) => {
    text = isNothing(value) ? undefined : toText(value)
    return false
  })
  return ended === 'limit' ? undefined : text
}

/** An output is JSON, in which NaN is null. */
function isNothing(value: Value): boolean {
  return value === null || Number.isNaN(value)
}

/** Runs a filter and says how it ended. */
function evaluate(code: Code, input: Value, emit: Emit): 'done' | 'error' | 'limit' {
  try {
    if (code.one !== undefined) {
      const value = code.one(input, null)
      if (value !== undefined) emit(value, null)
    } else {
      code.each(input, null, null, emit)
    }
    return 'done'
  } catch (error) {
    if (error instanceof JqError) return 'error'
    if (error instanceof Halt) return error.failed ? 'error' : 'done'
    // A stack smaller than expected, or a value nested more deeply than functions on values can follow.
    if (error instanceof LimitReached || error instanceof RangeError) return 'limit'
    throw error
  }
}
