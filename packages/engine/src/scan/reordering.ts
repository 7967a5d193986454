import type { Matcher } from '../match/matcher.js'
import { AFTER_TIME, BEFORE_TIME, type Clock, firstAbove } from './clock.js'
import { conditionsOf, type Delivery, type DeliverySnapshot, type HeldEntry } from './delivery.js'
import { WaitingMatch, WaitingMatches } from './waiting-matches.js'
import { WaitingTimes } from './waiting-times.js'

/** How much waits at most. */
export interface WaitingLimits {
  /** With more matches, or more bytes in their texts, the earliest is delivered early. */
  readonly matches: number
  readonly bytes: number
  /** Of the entries that meet no condition, between four and five times this many move the clock: the last of the log. */
  readonly times: number
}

export const WAITING_LIMITS: WaitingLimits = { matches: 250_000, bytes: 32 * 1024 * 1024, times: 1 << 16 }

/**
 * Delivers entries in the order of their timestamps: an entry is passed on when one more than `window` later has arrived, and
 * entries with the same time keep the order of the log. An entry that arrives after that is late: rules that keep state do not
 * get it. Only matches wait. The rules behave as if they had got every entry, because the clock moves at the others too.
 */
export function createReordering(
  clock: Clock,
  matcher: Matcher,
  window: bigint,
  warn: (message: string) => void,
  snapshot?: DeliverySnapshot,
  limits = WAITING_LIMITS,
): Delivery {
  const held = snapshot?.held ?? []
  const waiting = new WaitingMatches()
  const times = new WaitingTimes((snapshot?.entries ?? 0) - held.length, limits.times)
  const listOf = createConditionLists()
  /** Entries before this time are late, because later ones were delivered before the end of their window. */
  let floor = snapshot?.floor === undefined ? BEFORE_TIME : BigInt(snapshot.floor)
  /** The time of the clock before the batch. */
  let before = snapshot ? BigInt(snapshot.clock) : BEFORE_TIME
  clock.start(before, floor)
  for (const match of restoreMatches(held, times.next)) waiting.add(match)
  times.add(
    BigInt64Array.from(held, ([timestamp]) => BigInt(timestamp)),
    true,
    0,
  )

  /** Delivers what waits and is before this time. */
  function passBelow(limit: bigint): void {
    while (waiting.size > 0 && waiting.first.timestamp < limit) {
      const match = waiting.take()
      wakeUp(match.timestamp, match.order)
      pass(match)
    }
    wakeUp(limit, Number.NEGATIVE_INFINITY)
  }

  function pass(match: WaitingMatch): void {
    const { timestamp, conditions } = match
    matcher.arrive(match, timestamp, conditions, conditions.length)
  }

  /** Moves the clock of the rules to each entry before this one at which a deadline passes. */
  function wakeUp(timestamp: bigint, order: number): void {
    while (matcher.deadline !== undefined && matcher.deadline < timestamp) {
      const time = times.firstBetween(matcher.deadline, timestamp, order)
      if (time === undefined) return
      matcher.advance(time)
    }
  }

  /** `limit` is the time before which nothing waits any more. */
  function passLate(match: WaitingMatch, limit: bigint): void {
    passBelow(limit)
    matcher.arriveLate(match, match.conditions, match.conditions.length)
  }

  function isTooMuch(): boolean {
    return waiting.size > limits.matches || (waiting.bytes > limits.bytes && waiting.size > 1)
  }

  /** Delivers the earliest matches early. Only they move the clock: which other entries are before them is not certain. */
  function passTooMuch(limit: bigint): void {
    passBelow(limit)
    while (isTooMuch()) {
      const match = waiting.take()
      floor = match.timestamp
      pass(match)
    }
  }

  /** A match came within the window, but a later one was delivered early. */
  function noteTooEarly(by: bigint): void {
    clock.addLate(by)
    const most = `${limits.matches.toLocaleString('en')} matches or ${limits.bytes >> 20} MiB`
    warn(`more than ${most} are within the window: some stay out of order`)
  }

  /** Adds the times of the next entries, as far as the clock of the rules may have to move at them. */
  function addTimes(next: BigInt64Array, isInOrder: boolean, hasMatches: boolean): void {
    const isQuiet = isInOrder && !hasMatches && waiting.size === 0 && matcher.deadline === undefined
    if (!matcher.hasDeadlines) times.add(next, true, next.length)
    else times.add(next, isInOrder, isQuiet ? firstAbove(next, next[next.length - 1] - window - 1n) : 0)
  }

  return {
    deliver(batch) {
      const { timestamps, matches, entry, line, text, textStart, textEnd } = batch
      const met = conditionsOf(batch)
      const isInOrder = clock.stragglers === 0
      const clockAt = createRunningClock(clock.times, isInOrder, before)
      const first = times.next
      let i = 0
      for (let from = 0; from < timestamps.length; ) {
        const to = Math.min(timestamps.length, from + times.room)
        addTimes(clock.times.subarray(from, to), isInOrder, i < matches && entry[i] < to)
        for (; i < matches && entry[i] < to; i++) {
          const index = entry[i]
          const timestamp = timestamps[index]
          const conditions = listOf(met.list, met.take(i))
          const match = new WaitingMatch(timestamp, line[i], text, textStart[i], textEnd[i], first + index, conditions)
          const isLate = timestamp < clock.times[index]
          if (isLate || timestamp < floor) {
            passLate(match, clockAt(index) - window)
            if (!isLate) noteTooEarly(clock.now - timestamp)
          } else {
            waiting.add(match)
            if (isTooMuch()) passTooMuch(clockAt(index) - window)
          }
        }
        const limit = (to === timestamps.length ? clock.now : clockAt(to - 1)) - window
        passBelow(limit)
        times.forget(limit)
        from = to
      }
      waiting.settleTexts(first, text)
      before = clock.now
    },
    release(until = clock.now) {
      const upTo = until < clock.now ? until : clock.now
      passBelow(upTo + 1n)
      times.forget(upTo + 1n)
      clock.raiseFloor(upTo)
      if (upTo > floor) floor = upTo
    },
    get waitingUpTo() {
      const { deadline } = matcher
      const isDue = () =>
        deadline !== undefined && times.firstBetween(deadline, AFTER_TIME, Number.POSITIVE_INFINITY) !== undefined
      return waiting.size > 0 || isDue() ? clock.now : undefined
    },
    end() {
      passBelow(AFTER_TIME + 1n)
      matcher.end()
    },
    snapshot: () => ({
      clock: String(clock.now),
      ...(floor > BEFORE_TIME && { floor: String(floor) }),
      entries: times.next,
      held: listHeld(waiting, times),
    }),
  }
}

/** The clock at an entry of the batch. To be called with ascending entries. */
function createRunningClock(times: BigInt64Array, isInOrder: boolean, before: bigint): (entry: number) => bigint {
  if (isInOrder) return (entry) => times[entry]
  let now = before
  let next = 0
  return (entry) => {
    for (; next <= entry; next++) if (times[next] > now) now = times[next]
    return now
  }
}

/** Returns copies of lists of conditions. Most have one condition: such a list is created once. */
function createConditionLists(): (list: readonly number[], length: number) => readonly number[] {
  const single: (readonly number[])[] = []
  return (list, length) => {
    if (length > 1) return list.slice(0, length)
    single[list[0]] ??= [list[0]]
    return single[list[0]]
  }
}

/** What waits, in the order of delivery: matches, and the first of the other entries at each time. */
function listHeld(waiting: WaitingMatches, times: WaitingTimes): HeldEntry[] {
  const held: HeldEntry[] = []
  const matches = waiting.sorted()
  let next = 0
  let last = BEFORE_TIME
  function addMatches(isNext: (match: WaitingMatch) => boolean): void {
    for (; next < matches.length && isNext(matches[next]); next++) {
      const { timestamp, line, text, conditions } = matches[next]
      held.push([String(timestamp), line, text, conditions])
      last = timestamp
    }
  }
  for (const time of times.distinct()) {
    addMatches(({ timestamp, order }) => timestamp < time || (timestamp === time && order <= times.numberOf(time)))
    if (time > last) held.push([String(time)])
  }
  addMatches(() => true)
  return held
}

/** The matches of a snapshot. `order` is the number of the first entry that is held. */
function restoreMatches(held: readonly HeldEntry[], order: number): WaitingMatch[] {
  const encoder = new TextEncoder()
  return held.flatMap(([timestamp, line, text, conditions], index) => {
    if (text === undefined) return []
    const bytes = encoder.encode(text)
    return new WaitingMatch(BigInt(timestamp), line!, bytes, 0, bytes.length, order + index, conditions!)
  })
}
