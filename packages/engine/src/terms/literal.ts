import type { Plan } from './condition.js'

/** What an entry must contain to meet a literal: the literal. */
export function literalPlan(text: string): Plan {
  return [{ needles: [{ text, fold: false }], gaps: [0], exact: true }]
}
