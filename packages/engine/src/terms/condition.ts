/** How a condition examines an entry. */
export type ConditionKind = 'literal' | 'regex' | 'jq'

/** A string that an entry must contain, byte for byte in UTF-8, or, with `fold`, with ASCII letters in either case. */
export interface Needle {
  readonly text: string
  readonly fold: boolean
}

/** One way to meet a condition. */
export interface Alternative {
  /** Strings that occur in the entry from left to right without overlapping. There is at least one, and none is empty. */
  readonly needles: readonly Needle[]
  /** The fewest bytes between the end of needle i - 1 and the start of needle i: 0 for `.*`, 1 for `.+`. The first is 0. */
  readonly gaps: readonly number[]
  /** Finding the needles in this order decides the condition; otherwise its full test must still run. */
  readonly exact: boolean
}

/**
 * What an entry must contain for a condition to be met: one of the alternatives. `null` when nothing is required, so that
 * every entry has to be tested. A folded needle with a `k` or an `s` says nothing about an entry that contains U+212A or
 * U+017F (which Unicode folds to those letters): there the full test of the condition decides.
 */
export type Plan = readonly Alternative[] | null

/** A condition of a rule, compiled: plain data that can be cached. */
export interface Condition {
  readonly kind: ConditionKind
  /** The literal, the pattern or the filter as written in the rule. */
  readonly text: string
  readonly plan: Plan
}

/** Raised for a pattern or filter that cannot be used; `offset` counts UTF-16 units from its start. */
export class TermError extends Error {
  override readonly name = 'TermError'
  readonly code: string
  readonly offset: number

  constructor(code: string, message: string, offset = 0) {
    super(message)
    this.code = code
    this.offset = offset
  }
}

/** The plan of a literal: an entry must contain it. */
export function literalPlan(text: string): Plan {
  return [{ needles: [{ text, fold: false }], gaps: [0], exact: true }]
}
