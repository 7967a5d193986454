import type { Matcher } from '../match/matcher.js'
import { BatchEntry } from './batch-entry.js'
import { BEFORE_TIME, type Clock, firstAbove } from './clock.js'
import type { MatchBatch } from './match-batch.js'

/** Passes the matches of the scanner to the rules, in the order of time. */
export interface Delivery {
  /** Delivers a batch whose timestamps the clock has taken. */
  deliver(batch: MatchBatch): void
  /** Delivers what waits for its turn and is not after this time, or all. Entries before it are late from now on. */
  release(upTo?: bigint): void
  /** The time up to which something waits that `release` would deliver; undefined if nothing does. */
  readonly waitingUpTo: bigint | undefined
  end(): void
  snapshot(): DeliverySnapshot
}

/** Plain data. */
export interface DeliverySnapshot {
  readonly clock: string
  /** Entries before this time are late. */
  readonly floor?: string
  /** How many entries there were, and those that wait for their turn. */
  readonly entries?: number
  readonly held?: readonly HeldEntry[]
}

/** A waiting entry: timestamp, line, text and conditions; only the timestamp if it meets no condition. */
export type HeldEntry = readonly [string] | readonly [string, number, string, readonly number[]]

/** Delivers entries in the order of the log. Entries that meet no condition only move the clock. */
export function createDelivery(clock: Clock, matcher: Matcher, snapshot?: DeliverySnapshot): Delivery {
  clock.start(snapshot ? BigInt(snapshot.clock) : BEFORE_TIME)
  return {
    deliver: (batch) => deliverInOrder(matcher, clock.times, batch),
    release() {},
    waitingUpTo: undefined,
    end: () => matcher.end(),
    snapshot: () => ({ clock: String(clock.now) }),
  }
}

function deliverInOrder(matcher: Matcher, times: BigInt64Array, batch: MatchBatch): void {
  const { timestamps, matches, entry, line, text, textStart, textEnd } = batch
  const met = conditionsOf(batch)
  let next = 0
  for (let i = 0; i < matches; i++) {
    const index = entry[i]
    if (matcher.deadline !== undefined) wakeUp(matcher, times, next, index)
    const arrived = new BatchEntry(timestamps[index], line[i], text, textStart[i], textEnd[i])
    matcher.arrive(arrived, times[index], met.list, met.take(i))
    next = index + 1
  }
  wakeUp(matcher, times, next, timestamps.length)
}

/** Moves the clock of the rules to each entry in [from, to) at which a deadline passes. */
function wakeUp(matcher: Matcher, times: BigInt64Array, from: number, to: number): void {
  let next = from
  while (matcher.deadline !== undefined) {
    next = firstAbove(times, matcher.deadline, next, to)
    if (next >= to) return
    matcher.advance(times[next])
    next++
  }
}

/** Gives the conditions of one match after the other, in one list that is reused to avoid an allocation per match. */
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

/** Removes the matches of ignored entries in place: the arrays belong to the batch, or to the scanner until its next batch. */
export function withoutIgnored(batch: MatchBatch): MatchBatch {
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
