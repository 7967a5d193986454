import type { CompiledRule, NegateTerm, PositiveTerm } from '../src/rules/compiled.js'

/** A condition that is required `count` times. */
export function wants(condition: number, count = 1): PositiveTerm {
  return { condition, count, extract: [] }
}

/** A negate entry with the defaults of the rule language. */
export function unless(condition: number, options: Partial<NegateTerm> = {}): NegateTerm {
  return { condition, window: 0n, slide: 0n, anchor: 0, absolute: false, ...options }
}

/** A set, unless `overrides` say otherwise. */
export function ruleWith(overrides: Partial<CompiledRule> & Pick<CompiledRule, 'terms'>): CompiledRule {
  return {
    cre: { id: 'CRE-2026-0001' },
    ruleId: 'rule',
    ruleHash: 'hash',
    source: 'cre.log.test',
    kind: 'set',
    window: 0n,
    negate: [],
    ...overrides,
  }
}
