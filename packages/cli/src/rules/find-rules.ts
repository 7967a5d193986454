import type { CompiledRules } from '@omen/engine'
import { nearest } from '@omen/engine/messages'
import type { CompiledRule } from './describe-detection.js'

/**
 * Finds rules by CRE id in any case, by the end of an id (`10001`, `2026-10001`), by rule id or by rule hash.
 *
 * @example
 * findRules(rules, '10001') // the rule CRE-2026-10001
 */
export function findRules({ rules }: CompiledRules, word: string): readonly CompiledRule[] {
  const wanted = word.toLowerCase()
  const exact = rules.filter(({ cre, ruleId, ruleHash }) => {
    return cre.id.toLowerCase() === wanted || ruleId === word || ruleHash === word
  })
  if (exact.length > 0 || !/^[\d-]*\d$/.test(word)) return exact
  return rules.filter(({ cre }) => cre.id.toLowerCase().endsWith(`-${wanted}`))
}

const MOST_SUGGESTIONS = 3

/** The ids that a mistyped one most likely means, the most likely first. */
export function suggestIds({ rules }: CompiledRules, word: string): string[] {
  const left = new Set(rules.map(({ cre }) => cre.id))
  const found: string[] = []
  while (found.length < MOST_SUGGESTIONS) {
    const meant = nearest(word, left) ?? nearest(`CRE-${word}`, left) ?? nearestEnd(word, left)
    if (meant === undefined) break
    found.push(meant)
    left.delete(meant)
  }
  return found
}

/** Compares only the number: `1001` most likely means CRE-2026-10001. */
function nearestEnd(word: string, ids: ReadonlySet<string>): string | undefined {
  const byEnd = new Map([...ids].map((id) => [id.slice(id.lastIndexOf('-') + 1), id]))
  const end = nearest(word, byEnd.keys())
  return end === undefined ? undefined : byEnd.get(end)
}

/** The message for an unknown id. */
export function unknownRule(rules: CompiledRules, word: string): string {
  const meant = suggestIds(rules, word)
  const hint = meant.length > 0 ? `did you mean ${meant.join(', ')}?` : 'run omen rules list to see all'
  return `no rule ${word}: ${hint}`
}
