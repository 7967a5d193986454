import type { CompiledRule } from './compiled.js'
import { base58, sha256 } from './digest.js'
import type { ConditionKey } from './pool.js'

/** The fields that decide when a rule fires and with which entries. */
type RuleContent = Pick<CompiledRule, 'kind' | 'source' | 'window' | 'terms' | 'negate'>

/** 128 bits: as long as the ids in use, and too long for two rules to share one by chance. */
const ID_BYTES = 16
const ID_LENGTH = 22

/** The id of a rule whose document gives none. It stays the same when the rule is improved. */
export function deriveRuleId(creId: string): string {
  return digest(['rule id', creId])
}

/**
 * The hash of a rule whose document gives none: the same on every machine, and different after any change that can change
 * a detection. Comments, quoting, the order of keys, anchors and the names of terms do not matter.
 */
export function deriveRuleHash(creId: string, rule: RuleContent, conditions: readonly ConditionKey[]): string {
  return digest(['rule hash', creId, content(rule, conditions)])
}

/** Changes when anything that can change a detection does, the order of the rules included. */
export function fingerprintOf(rules: readonly CompiledRule[], conditions: readonly ConditionKey[]): string {
  return digest(['rules', rules.map((rule) => [rule.cre.id, rule.ruleId, rule.ruleHash, content(rule, conditions)])])
}

/** The fingerprint of merged rules, from the fingerprints of what was merged. */
export function mergedFingerprint(fingerprints: readonly string[]): string {
  return digest(['parts', fingerprints])
}

/** The rule as nested lists, with its conditions in place of their numbers. Changing this changes every derived hash. */
function content({ kind, source, window, terms, negate }: RuleContent, conditions: readonly ConditionKey[]): unknown {
  const condition = (number: number) => [conditions[number]!.kind, conditions[number]!.text]
  return [
    kind,
    source,
    String(window),
    terms.map((term) => [
      ...condition(term.condition),
      term.count,
      term.extract.map(({ name, kind, text }) => [name, kind, text]),
    ]),
    negate.map((term) => [
      ...condition(term.condition),
      String(term.window),
      String(term.slide),
      term.anchor,
      term.absolute,
    ]),
  ]
}

function digest(value: unknown): string {
  return base58(sha256(JSON.stringify(value)).subarray(0, ID_BYTES), ID_LENGTH)
}
