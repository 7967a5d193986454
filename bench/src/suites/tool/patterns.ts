import type { Condition } from './corpus.js'

/** A condition as another program's search pattern, or why it cannot be one. */
export interface Patterns {
  /** Lines for `rg -f`: literals escaped, each expression in a group of its own. */
  readonly patterns: readonly string[]
  /** Lines for `rg -F -f`. */
  readonly literals: readonly string[]
  readonly dropped: readonly { readonly text: string; readonly why: string }[]
}

/**
 * Turns conditions into what ripgrep searches for. A group keeps an expression's flags to itself: ripgrep 13 otherwise
 * lets `(?i)` leak into the patterns after it. `isValid` decides whether its engine accepts an expression.
 */
export function toPatterns(conditions: readonly Condition[], isValid: (pattern: string) => boolean): Patterns {
  const patterns: string[] = []
  const literals: string[] = []
  const dropped: { text: string; why: string }[] = []
  for (const { kind, text } of conditions) {
    const pattern = kind === 'value' ? escapeLiteral(text) : `(?:${text})`
    if (kind === 'jq') dropped.push({ text, why: 'a jq filter is no pattern' })
    else if (/[\r\n]/.test(text)) dropped.push({ text, why: 'a pattern file has one line a pattern' })
    else if (kind === 'regex' && !isValid(pattern)) dropped.push({ text, why: 'not valid for ripgrep' })
    else patterns.push(pattern)
    if (kind === 'value' && !/[\r\n]/.test(text)) literals.push(text)
  }
  return { patterns, literals, dropped }
}

/** Escapes what has a meaning in an expression. */
export function escapeLiteral(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$#&~-]/g, '\\$&')
}

/** A rule document in which each literal is a rule of its own. */
export function literalRules(literals: readonly string[]): string {
  const rules = literals.map((value, i) => {
    const cre = { id: `BENCH-LITERAL-${String(i + 1).padStart(4, '0')}`, severity: 2 }
    return `  - ${JSON.stringify({ cre, rule: { set: { event: { source: 'cre.log.bench' }, match: [{ value }] } } })}`
  })
  return `rules:\n${rules.join('\n')}\n`
}
