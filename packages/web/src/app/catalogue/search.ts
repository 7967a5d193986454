import type { ListedRule } from '../api/messages.js'

/** What somebody looks for. */
export interface Query {
  readonly words: string
  readonly severities: readonly string[]
  readonly category: string
  readonly tag: string
  readonly origin: '' | ListedRule['package']
}

export const EVERYTHING: Query = { words: '', severities: [], category: '', tag: '', origin: '' }

/** A rule, ready to be looked through: texts without capitals, made once and not for every key that is pressed. */
interface Entry {
  readonly rule: ListedRule
  /** What counts most comes first. */
  readonly fields: readonly string[]
}

/** The rules, ready to be searched. */
export type Index = readonly Entry[]

/** What a word is worth that stands in each of the fields, and how much more where a word of the field begins with it. */
const WORTH = [64, 16, 8, 8, 2, 1] as const

/**
 * Makes the rules ready to be searched. The most severe come first, which stays the order of equals.
 *
 * @example
 * const index = indexRules(catalogue.rules)
 * search(index, { ...EVERYTHING, words: 'kafka disk' })
 */
export function indexRules(rules: readonly ListedRule[]): Index {
  return rules
    .toSorted((a, b) => a.severity - b.severity || (a.id < b.id ? -1 : 1))
    .map((rule) => ({
      rule,
      fields: [rule.id, rule.title, rule.tags.join(' '), rule.applications.join(' '), rule.category, rule.cause].map(
        plain,
      ),
    }))
}

/** The rules that have every word somewhere and pass every filter, the best first. */
export function search(index: Index, query: Query): readonly ListedRule[] {
  const words = plain(query.words)
    .split(/\s+/)
    .filter((word) => word !== '')
  const passing = index.filter(({ rule }) => passes(rule, query))
  if (words.length === 0) return passing.map(({ rule }) => rule)
  const found: { readonly rule: ListedRule; readonly worth: number }[] = []
  for (const { rule, fields } of passing) {
    let worth = 0
    for (const word of words) {
      const gain = worthOf(word, fields)
      worth = gain === 0 ? Number.NEGATIVE_INFINITY : worth + gain
    }
    if (worth > 0) found.push({ rule, worth })
  }
  return found.sort((a, b) => b.worth - a.worth).map(({ rule }) => rule)
}

function passes(rule: ListedRule, { severities, category, tag, origin }: Query): boolean {
  return (
    (severities.length === 0 || severities.includes(rule.severity_label)) &&
    (category === '' || rule.category === category) &&
    (tag === '' || rule.tags.includes(tag)) &&
    (origin === '' || rule.package === origin)
  )
}

function worthOf(word: string, fields: readonly string[]): number {
  let worth = 0
  for (const [at, field] of fields.entries()) {
    const place = field.indexOf(word)
    if (place < 0) continue
    const isStart = place === 0 || field.includes(` ${word}`)
    worth += WORTH[at]! * (isStart ? 2 : 1)
  }
  return worth
}

/** Without capitals and accents: people type neither. */
function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** The values of a filter, each with how many rules have it, the most frequent first. */
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
