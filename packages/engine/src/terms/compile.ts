import { type Condition, type ConditionKind, literalPlan, TermError } from './condition.js'
import { parseRegex } from './regex/parse/parse.js'
import { planRegex } from './regex/plan/plan.js'

/** No sensible condition comes near this; a longer one would only slow down the scanner. */
const MAX_LENGTH = 65_536

/** A lone surrogate has no form in UTF-8. */
const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * Compiles a condition, or throws (jq: rejects with) a `TermError` that says what is wrong and where. Only jq is
 * asynchronous: its parser is loaded with the first filter.
 *
 * ```ts
 * const { plan } = await compileCondition('regex', 'timeout|refused') // two exact alternatives
 * ```
 */
export function compileCondition(kind: ConditionKind, text: string): Condition | Promise<Condition> {
  if (text === '') throw new TermError('empty', `an empty ${kind} matches everything`)
  if (text.length > MAX_LENGTH) throw new TermError('too-long', `longer than ${MAX_LENGTH} characters`)
  return COMPILERS[kind](text)
}

const COMPILERS: Readonly<Record<ConditionKind, (text: string) => Condition | Promise<Condition>>> = {
  literal: compileLiteral,
  regex: (text) => ({ kind: 'regex', text, plan: planRegex(parseRegex(text)) }),
  jq: async (text) => {
    const { compileJq, parseJq, planJq } = await import('./jq/index.js')
    // Functions that do not exist and patterns that cannot be used are found only when the filter is compiled.
    compileJq(text)
    return { kind: 'jq', text, plan: planJq(parseJq(text)) }
  },
}

/**
 * What the author of a valid condition should know about it: undefined if there is nothing.
 *
 * ```ts
 * await findFlaw('jq', '.msg | @bas64 == "eA=="')   // the format @bas64 does not exist: …
 * ```
 */
export async function findFlaw(kind: ConditionKind, text: string): Promise<TermError | undefined> {
  return kind === 'jq' ? (await import('./jq/index.js')).findJqFlaw(text) : undefined
}

function compileLiteral(text: string): Condition {
  const lone = text.search(LONE_SURROGATE)
  if (lone !== -1)
    throw new TermError('not-unicode', 'it contains half a character (a lone surrogate), which no entry does', lone)
  return { kind: 'literal', text, plan: literalPlan(text) }
}
