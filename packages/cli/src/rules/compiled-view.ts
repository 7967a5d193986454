import type { CompiledRules } from '@omen/engine'
import { type CompiledRule, formatDuration } from './detection-words.js'

/** A compiled rule as JSON shows it: named terms followed, defaults filled in, durations as rules write them. */
export function compiledView(
  rule: CompiledRule,
  conditions: CompiledRules['conditions'],
): Readonly<Record<string, unknown>> {
  const { cre, ruleId, ruleHash, source, kind, window, terms, negate } = rule
  const written = (index: number) => ({ kind: conditions[index]!.kind, text: conditions[index]!.text })
  return {
    id: cre.id,
    rule_id: ruleId,
    rule_hash: ruleHash,
    source,
    kind,
    ...(window > 0n && { window: formatDuration(window) }),
    conditions: terms.map(({ condition, count, extract }) => ({
      ...written(condition),
      count,
      ...(extract.length > 0 && { extract }),
    })),
    negate: negate.map((term) => ({
      ...written(term.condition),
      window: formatDuration(term.window),
      slide: formatDuration(term.slide),
      anchor: term.anchor,
      absolute: term.absolute,
    })),
    cre,
  }
}
