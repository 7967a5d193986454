import type { Entry } from './detection.js'
import type { RunningRule } from './running-rule.js'

/** The state of a matcher as plain data: bigints are strings, and an entry kept by several conditions is listed once. */
export interface MatcherSnapshot {
  /** The clock of the snapshot; absent if no entry had arrived. */
  readonly clock?: string
  /** Timestamp, line and text of every entry that is kept. */
  readonly entries: readonly (readonly [timestamp: string, line: number, text: string])[]
  /** The rules with entries or negate times. */
  readonly rules: readonly RuleSnapshot[]
}

export interface RuleSnapshot {
  readonly rule: number
  /** For each condition the entries that it has collected: indices into `entries`. */
  readonly collected: readonly (readonly number[])[]
  /** For each negate condition the times at which it was met. */
  readonly objections: readonly (readonly string[])[]
}

type Rules = readonly (RunningRule | undefined)[]

/** Saves the state of all rules, without what they can drop at this clock. */
export function saveState(running: Rules, clock: bigint | undefined): MatcherSnapshot {
  if (clock === undefined) return { entries: [], rules: [] }
  const entries: [string, number, string][] = []
  const known = new Map<Entry, number>()
  const indexOf = (entry: Entry): number => {
    const index = known.get(entry)
    if (index !== undefined) return index
    known.set(entry, entries.length)
    return entries.push([String(entry.timestamp), entry.line, entry.text]) - 1
  }
  const rules = running.flatMap((rule, index): RuleSnapshot[] => {
    if (rule === undefined) return []
    rule.tidy(clock)
    const collected = rule.queues.map((queue) => elements(queue).map(indexOf))
    const objections = rule.negateTimes.map((times) => elements(times).map(String))
    const isEmpty = [...collected, ...objections].every((held) => held.length === 0)
    return isEmpty ? [] : [{ rule: index, collected, objections }]
  })
  return { clock: String(clock), entries, rules }
}

/** Restores a state into rules that were just started. Returns the clock of the snapshot. */
export function restoreState(running: Rules, snapshot: MatcherSnapshot): bigint | undefined {
  if (snapshot.clock === undefined) return undefined
  const clock = BigInt(snapshot.clock)
  const entries = snapshot.entries.map(
    ([timestamp, line, text]): Entry => ({ timestamp: BigInt(timestamp), line, text }),
  )
  for (const { rule, collected, objections } of snapshot.rules) {
    const target = existing(running[rule])
    for (const [term, held] of collected.entries()) {
      for (const index of held) existing(target.queues[term]).push(existing(entries[index]))
    }
    for (const [index, times] of objections.entries()) {
      for (const time of times) existing(target.negateTimes[index]).push(BigInt(time))
    }
    target.close(clock)
  }
  return clock
}

function existing<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('the snapshot does not belong to these rules')
  return part
}

function elements<T>(list: { readonly length: number; at(index: number): T }): T[] {
  return Array.from({ length: list.length }, (_, index) => list.at(index))
}
