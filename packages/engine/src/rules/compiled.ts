import type { Condition } from '../terms/condition.js'

/** The description record of a rule, with the field names of the report. Absent fields stay absent. */
export interface CreRecord {
  readonly id: string
  readonly severity?: number
  readonly title?: string
  readonly category?: string
  readonly tags?: readonly string[]
  readonly author?: string
  readonly description?: string
  readonly impact?: string
  readonly impact_score?: number
  readonly cause?: string
  readonly mitigation?: string
  readonly mitigation_score?: number
  readonly references?: readonly string[]
  readonly reports?: number
  readonly applications?: readonly CreApplication[]
}

/** The labels of `cre.severity`, from 0. A rule without a severity counts as critical. */
export const SEVERITY_LABELS = ['critical', 'high', 'medium', 'low', 'info'] as const

/** The label of a severity. */
export function severityLabel(severity: number | undefined): (typeof SEVERITY_LABELS)[number] {
  return SEVERITY_LABELS[severity ?? 0] ?? 'info'
}

export interface CreApplication {
  readonly name: string
  readonly version?: string
  readonly process_name?: string
  readonly process_path?: string
  readonly container_name?: string
  readonly image_url?: string
  readonly repo_url?: string
}

/** A value to take from an entry that met a condition: the first group of `regex`, or the first output of `jq`. */
export interface Extract {
  readonly name: string
  readonly kind: 'regex' | 'jq'
  readonly text: string
}

/** A positive condition with its multiplicity: identical conditions of a rule are one term (docs/rule-language.md, section 3). */
export interface PositiveTerm {
  /** Index into `CompiledRules.conditions`. */
  readonly condition: number
  readonly count: number
  readonly extract: readonly Extract[]
}

/** A negate entry. Durations are nanoseconds. */
export interface NegateTerm {
  readonly condition: number
  readonly window: bigint
  readonly slide: bigint
  readonly anchor: number
  readonly absolute: boolean
}

export interface CompiledRule {
  readonly cre: CreRecord
  readonly ruleId: string
  readonly ruleHash: string
  /** `event.source`: the type of data that the rule is about. */
  readonly source: string
  readonly kind: 'set' | 'sequence'
  /** Nanoseconds; 0n for a set of one condition. */
  readonly window: bigint
  readonly terms: readonly PositiveTerm[]
  readonly negate: readonly NegateTerm[]
}

/** A warning about a document that still loads. */
export interface RulesWarning {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly creId?: string
  readonly message: string
}

/** Rules ready to run. Made by `compileRules`, or restored from the cache by `importRules`. */
export interface CompiledRules {
  readonly rules: readonly CompiledRule[]
  /** Every distinct condition of all rules, once. */
  readonly conditions: readonly Condition[]
  /** The package version of a document's footer, where there is one. */
  readonly version?: string
  readonly warnings: readonly RulesWarning[]
  /** Notes for the author of the documents, such as keys without a meaning. Absent in rules from a cache. */
  readonly lint?: readonly RulesWarning[]
  /** Changes when anything that can change a detection does: snapshots are tied to it. */
  readonly fingerprint: string
}
