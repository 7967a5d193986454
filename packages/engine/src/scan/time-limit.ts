import { BEFORE_TIME } from './clock.js'
import type { MatchBatch } from './match-batch.js'

/**
 * Makes the function that takes entries before `since` and after `until` out of a batch: their matches go, and their times
 * are moved before all times, where the clock does not feel them.
 */
export function createTimeLimit(
  since: bigint | undefined,
  until: bigint | undefined,
): (batch: MatchBatch) => MatchBatch {
  if (since === undefined && until === undefined) return (batch) => batch
  const from = since ?? BEFORE_TIME
  const to = until ?? -BEFORE_TIME - 1n
  return (batch) => {
    const { timestamps } = batch
    let outside = 0
    for (let i = 0; i < timestamps.length; i++) {
      if (timestamps[i] >= from && timestamps[i] <= to) continue
      timestamps[i] = BEFORE_TIME
      outside++
    }
    return outside === 0 || batch.matches === 0 ? batch : withoutMatchesOutside(batch)
  }
}

/** The matches move up over those that go. The arrays are the batch's own, or the scanner's until its next batch. */
function withoutMatchesOutside(batch: MatchBatch): MatchBatch {
  const { timestamps, entry, conditionsEnd, conditions } = batch
  const perMatch = [entry, batch.line, batch.textStart, batch.textEnd]
  let kept = 0
  let conditionsKept = 0
  let from = 0
  for (let i = 0; i < batch.matches; i++) {
    const to = conditionsEnd[i]
    if (timestamps[entry[i]] !== BEFORE_TIME) {
      for (const values of perMatch) values[kept] = values[i]
      conditions.copyWithin(conditionsKept, from, to)
      conditionsKept += to - from
      conditionsEnd[kept++] = conditionsKept
    }
    from = to
  }
  return { ...batch, matches: kept }
}
