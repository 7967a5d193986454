import type { Condition } from '../../terms/condition.js'
import type { CompiledRule, CompiledRules, NegateTerm, PositiveTerm } from '../compiled.js'
import {
  FORMAT,
  FORMAT_VERSION,
  type StoredCondition,
  type StoredNegate,
  type StoredRule,
  type StoredRules,
  type StoredTerm,
} from './format.js'

/**
 * Writes compiled rules as text for a cache; `importRules` restores them without parsing a document. Diagnostics for the
 * author (`lint`) are left out.
 *
 * ```ts
 * await writeFile(path, exportRules(await compileRules(documents)))
 * ```
 */
export function exportRules({ rules, conditions, version, warnings, fingerprint }: CompiledRules): string {
  const stored: StoredRules = {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    fingerprint,
    ...(version !== undefined && { version }),
    warnings,
    conditions: conditions.map(storeCondition),
    rules: rules.map(storeRule),
  }
  return JSON.stringify(stored)
}

function storeCondition({ kind, text, plan }: Condition): StoredCondition {
  return kind === 'literal' ? { kind, text } : { kind, text, plan }
}

function storeRule(rule: CompiledRule): StoredRule {
  return {
    ...rule,
    window: String(rule.window),
    terms: rule.terms.map(storeTerm),
    negate: rule.negate.map(storeNegate),
  }
}

function storeTerm({ condition, count, extract }: PositiveTerm): StoredTerm {
  return extract.length === 0 ? { condition, count } : { condition, count, extract }
}

function storeNegate(term: NegateTerm): StoredNegate {
  return { ...term, window: String(term.window), slide: String(term.slide) }
}
