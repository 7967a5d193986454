import type { CompiledRule, CompiledRules } from '../rules/compiled.js'

/**
 * The rules that run on a source, with only the conditions that they use, numbered anew. The source `*` runs every rule,
 * and a rule for `*` runs on every source.
 */
export function selectRules(rules: CompiledRules, source: string): CompiledRules {
  if (source === '*') return rules
  const chosen = rules.rules.filter((rule) => rule.source === source || rule.source === '*')
  if (chosen.length === rules.rules.length) return rules

  const numbers = new Map<number, number>()
  const renumber = <Term extends { readonly condition: number }>(term: Term): Term => {
    const condition = numbers.get(term.condition) ?? numbers.size
    numbers.set(term.condition, condition)
    return { ...term, condition }
  }
  const renumbered = chosen.map(
    (rule): CompiledRule => ({ ...rule, terms: rule.terms.map(renumber), negate: rule.negate.map(renumber) }),
  )
  const conditions = [...numbers.keys()].map((index) => rules.conditions[index])
  return { ...rules, rules: renumbered, conditions }
}
