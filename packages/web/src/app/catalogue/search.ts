import type { ListedRule } from '@omen/server/api'

/** A search text with filters. Empty filters match every rule. */
export interface Query {
  readonly text: string
  readonly severities: readonly string[]
  readonly category: string
  readonly tag: string
  readonly origin: '' | ListedRule['package']
}

export const EVERYTHING: Query = { text: '', severities: [], category: '', tag: '', origin: '' }

/** A rule with its normalized fields, computed once and not on every key press. */
interface IndexedRule {
  readonly rule: ListedRule
  /** The field with the highest score first. */
  readonly fields: readonly string[]
}

/** The rules, prepared for searching. */
export type Index = readonly IndexedRule[]

/** The score for a match in each field; it doubles where the match starts a word. */
const SCORES = [64, 16, 8, 8, 2, 1] as const

/**
 * Prepares the rules for searching. Rules with equal scores stay in the order of the index, the most severe first.
 *
 * @example
 * const index = indexRules(catalogue.rules)
 * search(index, { ...EVERYTHING, text: 'kafka disk' })
 */
export function indexRules(rules: readonly ListedRule[]): Index {
  return rules
    .toSorted((a, b) => a.severity - b.severity || (a.id < b.id ? -1 : 1))
    .map((rule) => ({
      rule,
      fields: [rule.id, rule.title, rule.tags.join(' '), rule.applications.join(' '), rule.category, rule.cause].map(
        normalized,
      ),
    }))
}

/** The rules that contain every word and match every filter, the best match first. */
export function search(index: Index, query: Query): readonly ListedRule[] {
  const words = normalized(query.text)
    .split(/\s+/)
    .filter((word) => word !== '')
  const candidates = index.filter(({ rule }) => matchesFilters(rule, query))
  if (words.length === 0) return candidates.map(({ rule }) => rule)
  const found: { readonly rule: ListedRule; readonly score: number }[] = []
  for (const { rule, fields } of candidates) {
    let score = 0
    for (const word of words) {
      const gain = scoreOf(word, fields)
      score = gain === 0 ? Number.NEGATIVE_INFINITY : score + gain
    }
    if (score > 0) found.push({ rule, score })
  }
  return found.sort((a, b) => b.score - a.score).map(({ rule }) => rule)
}

function matchesFilters(rule: ListedRule, { severities, category, tag, origin }: Query): boolean {
  return (
    (severities.length === 0 || severities.includes(rule.severity_label)) &&
    (category === '' || rule.category === category) &&
    (tag === '' || rule.tags.includes(tag)) &&
    (origin === '' || rule.package === origin)
  )
}

function scoreOf(word: string, fields: readonly string[]): number {
  let score = 0
  for (const [index, field] of fields.entries()) {
    const position = field.indexOf(word)
    if (position < 0) continue
    const isStart = position === 0 || field.includes(` ${word}`)
    score += SCORES[index]! * (isStart ? 2 : 1)
  }
  return score
}

/** In lower case and without accents, as users type. */
function normalized(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** The values of a filter with the number of their rules, the most frequent first. */
export function countValues(
  rules: readonly ListedRule[],
  valuesOf: (rule: ListedRule) => readonly string[],
): readonly (readonly [value: string, rules: number])[] {
  const counts = new Map<string, number>()
  for (const rule of rules) {
    for (const value of valuesOf(rule)) if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
}
