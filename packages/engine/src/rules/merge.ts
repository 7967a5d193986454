import type { Condition } from '../terms/condition.js'
import type { CompiledRule, CompiledRules } from './compiled.js'
import { duplicateMessage } from './duplicates.js'
import { RulesError, type RulesProblem } from './error.js'
import { deriveRuleHash, deriveRuleId, mergedFingerprint } from './identity.js'
import { createConditionPool } from './pool.js'

/**
 * Merges rules that were compiled or restored separately, in load order. They run as if all documents had been
 * compiled at once; only the fingerprint differs. Throws a `RulesError` when they share a CRE id, rule id or rule hash.
 *
 * ```ts
 * const rules = mergeRules([importRules(bundled), await compileRules(custom)])
 * ```
 */
export function mergeRules(parts: readonly CompiledRules[]): CompiledRules {
  const pool = createConditionPool()
  const conditions: Condition[] = []
  const rules = parts.flatMap((part) => {
    const numbers = part.conditions.map((condition) => {
      const number = pool.intern(condition)
      conditions[number] ??= condition
      return number
    })
    return part.rules.map((rule) => renumber(rule, numbers))
  })
  const [first, ...others] = duplicatesIn(rules, conditions)
  if (first !== undefined) throw new RulesError([first, ...others])
  const version = parts.find((part) => part.version !== undefined)?.version
  return {
    rules,
    conditions,
    ...(version !== undefined && { version }),
    warnings: parts.flatMap((part) => part.warnings),
    lint: parts.flatMap((part) => part.lint ?? []),
    fingerprint: mergedFingerprint(parts.map((part) => part.fingerprint)),
  }
}

function renumber(rule: CompiledRule, numbers: readonly number[]): CompiledRule {
  const move = <T extends { readonly condition: number }>(term: T): T => ({
    ...term,
    condition: numbers[term.condition]!,
  })
  return { ...rule, terms: rule.terms.map(move), negate: rule.negate.map(move) }
}

function duplicatesIn(rules: readonly CompiledRule[], conditions: readonly Condition[]): RulesProblem[] {
  const seen = { hash: new Set<string>(), id: new Set<string>(), creId: new Set<string>() }
  return rules.flatMap((rule) => {
    const creId = rule.cre.id
    const isCopy = seen.creId.has(creId)
    const repeated = [
      isRepeated(seen.hash, rule.ruleHash) && !(isCopy && rule.ruleHash === deriveRuleHash(creId, rule, conditions)),
      isRepeated(seen.id, rule.ruleId) && !(isCopy && rule.ruleId === deriveRuleId(creId)),
      isRepeated(seen.creId, creId),
    ]
    return [rule.ruleHash, rule.ruleId, creId].filter((_, i) => repeated[i]).map((value) => duplicate(value, creId))
  })
}

function isRepeated(seen: Set<string>, value: string): boolean {
  const repeated = seen.has(value)
  seen.add(value)
  return repeated
}

function duplicate(value: string, creId: string): RulesProblem {
  return { code: 'duplicate-rule', file: '', line: 0, column: 0, creId, message: duplicateMessage(value, creId) }
}
