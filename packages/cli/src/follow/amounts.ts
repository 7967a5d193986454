import type { Source } from '../sources/source.js'
import type { FollowedAmount } from './follow-options.js'

/** How much was read of a source, by somebody who goes on reading. */
export interface Counted {
  readonly source: Source
  readonly matching: FollowedAmount
}

/** Adds up what was read, in all and of each source. */
export function addUp(sources: readonly Source[], parts: readonly Counted[]) {
  const sums = new Map(sources.map((source) => [source, { bytes: 0, lines: 0 }]))
  const total = { bytes: 0, lines: 0 }
  for (const { source, matching } of parts) {
    const sum = sums.get(source) ?? { bytes: 0, lines: 0 }
    sums.set(source, sum)
    for (const amount of [sum, total]) {
      amount.bytes += matching.bytes
      amount.lines += matching.lines
    }
  }
  return { ...total, sources: [...sums].map(([source, sum]) => ({ source, ...sum })) }
}
