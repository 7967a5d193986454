import { type CompiledRules, exportRules, importRules } from '@omen/engine'
import type { CompiledRule } from './detection-words.js'

/**
 * Rules that fire once for every entry that meets a condition: one for each condition, with its index as the end of the id.
 * So it can be seen which conditions were met where, though the rule itself did not fire.
 *
 * @example
 * for (const { cre, hits } of createDetector(await conditionProbe(rules)).push(bytes)) count(probedCondition(cre.id), hits[0])
 */
export async function conditionProbe({ conditions, fingerprint }: CompiledRules): Promise<CompiledRules> {
  const rules = conditions.map((_, condition): CompiledRule => {
    const id = `PROBE-${condition}`
    const terms = [{ condition, count: 1, extract: [] }]
    return { cre: { id }, ruleId: id, ruleHash: id, source: '*', kind: 'set', window: 0n, terms, negate: [] }
  })
  // Only rules that were made by the engine can run: through its cache form they are.
  return importRules(exportRules({ rules, conditions, warnings: [], fingerprint }))
}

/** The condition that a detection of the probe is about. */
export function probedCondition(creId: string): number {
  return Number(creId.slice('PROBE-'.length))
}
