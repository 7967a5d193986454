import type { CompiledRules } from '@omen/engine'
import { nearest } from '@omen/engine/messages'
import type { CompiledRule } from './describe-detection.js'

/**
 * The rules that a word names: a CRE id in any case, its end (`10001`, `2026-10001`), a rule id or a rule hash.
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

/** As many suggestions as can be taken in at a glance. */
const MOST_SUGGESTIONS = 3

/** The ids that a mistyped one was most likely meant to be, the likeliest first. */
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

/** By the number alone: `1001` was meant to be CRE-2026-10001. */
function nearestEnd(word: string, ids: ReadonlySet<string>): string | undefined {
  const byEnd = new Map([...ids].map((id) => [id.slice(id.lastIndexOf('-') + 1), id]))
  const end = nearest(word, byEnd.keys())
  return end === undefined ? undefined : byEnd.get(end)
}

/** What to say about an id that no rule has. */
export function unknownRule(rules: CompiledRules, word: string): string {
  const meant = suggestIds(rules, word)
  const hint = meant.length > 0 ? `did you mean ${meant.join(', ')}?` : 'omen rules list shows all'
  return `no rule ${word}: ${hint}`
}
