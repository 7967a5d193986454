import type { Alternative, ConditionKind } from '../../terms/condition.js'
import type { CompiledRule, Extract, NegateTerm, PositiveTerm, RulesWarning } from '../compiled.js'

export const FORMAT = 'omen-rules'

/** Raised whenever the stored form, or what a plan means, changes: an older cache is then thrown away. */
export const FORMAT_VERSION = 1

/** Compiled rules as JSON can hold them. Durations are nanoseconds in decimal. */
export interface StoredRules {
  readonly format: typeof FORMAT
  readonly formatVersion: typeof FORMAT_VERSION
  readonly fingerprint: string
  readonly version?: string
  readonly warnings: readonly RulesWarning[]
  readonly conditions: readonly StoredCondition[]
  readonly rules: readonly StoredRule[]
}

/** The plan of a literal follows from its text and is left out. */
export interface StoredCondition {
  readonly kind: ConditionKind
  readonly text: string
  readonly plan?: readonly Alternative[] | null
}

export interface StoredRule extends Omit<CompiledRule, 'window' | 'terms' | 'negate'> {
  readonly window: string
  readonly terms: readonly StoredTerm[]
  readonly negate: readonly StoredNegate[]
}

/** `extract` is left out where it is empty, as it nearly always is. */
export interface StoredTerm extends Omit<PositiveTerm, 'extract'> {
  readonly extract?: readonly Extract[]
}

export interface StoredNegate extends Omit<NegateTerm, 'window' | 'slide'> {
  readonly window: string
  readonly slide: string
}
