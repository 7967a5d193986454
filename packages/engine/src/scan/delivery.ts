import type { Matcher } from '../match/matcher.js'
import { BatchEntry } from './batch-entry.js'
import { BEFORE_TIME, type Clock } from './clock.js'
import type { MatchBatch } from './match-batch.js'

/** Hands what the scanner found to the rules, in the order of time. */
export interface Delivery {
  deliver(batch: MatchBatch): void
  end(): void
  snapshot(): DeliverySnapshot
}

/** Plain data; `held` is what a reordering delivery has not passed on yet. */
export interface DeliverySnapshot {
  readonly clock: string
  readonly held?: readonly HeldEntry[]
}

/** An entry that waits for its place: timestamp, line, text and conditions; only the first for one that meets none. */
export type HeldEntry = readonly [string] | readonly [string, number, string, readonly number[]]

/** Delivers entries as they stand in the log. Those that meet no condition are felt only by the clock. */
export function createDelivery(clock: Clock, matcher: Matcher, snapshot?: DeliverySnapshot): Delivery {
  clock.now = snapshot ? BigInt(snapshot.clock) : BEFORE_TIME
  return {
    deliver(batch) {
      deliverInOrder(matcher, clock, clock.advance(batch.timestamps), batch)
    },
    end: () => matcher.end(),
    snapshot: () => ({ clock: String(clock.now) }),
  }
}

function deliverInOrder(matcher: Matcher, clock: Clock, timestamps: BigInt64Array, batch: MatchBatch): void {
  const { matches, entry, line, text, textStart, textEnd } = batch
  const met = conditionsOf(batch)
  let next = 0
  for (let i = 0; i < matches; i++) {
    const index = entry[i]
    if (matcher.deadline !== undefined) wakeUp(matcher, clock, next, index)
    const arrived = new BatchEntry(timestamps[index], line[i], text, textStart[i], textEnd[i])
    matcher.arrive(arrived, clock.at(index), met.list, met.take(i))
    next = index + 1
  }
  wakeUp(matcher, clock, next, timestamps.length)
}

/** Lets the rules decide what waited for a later timestamp, at the very entry that brings it. */
function wakeUp(matcher: Matcher, clock: Clock, from: number, to: number): void {
  let next = from
  while (matcher.deadline !== undefined) {
    next = clock.firstAbove(matcher.deadline, next, to)
    if (next >= to) return
    matcher.advance(clock.at(next))
    next++
  }
}

/** Gives the conditions of one match after the other in one list that is used again: no allocation for each match. */
export function conditionsOf(batch: MatchBatch) {
  const { conditions, conditionsEnd } = batch
  let from = 0
  const list: number[] = []
  return {
    list,
    take(match: number): number {
      const count = conditionsEnd[match] - from
      for (let i = 0; i < count; i++) list[i] = conditions[from + i]
      from = conditionsEnd[match]
      return count
    },
  }
}

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
