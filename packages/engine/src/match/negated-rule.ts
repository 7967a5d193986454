import type { CompiledRule, NegateTerm } from '../rules/compiled.js'
import type { Collection, EntryPosition } from './collection.js'
import type { Limits } from './queues.js'
import { Timestamps } from './queues.js'
import type { Listener, RunningRule } from './running-rule.js'

/**
 * Runs a rule with negate conditions (docs/rule-language.md). Only the oldest candidate is decided. While it
 * waits, entries are collected after it, and it is evaluated again only when the clock passes the deadline, a negate condition
 * is met, or it loses an entry because of a limit.
 */
export function createNegatedRule(
  { negate, window }: CompiledRule,
  collection: Collection,
  limits: Limits,
  listener: Listener,
): RunningRule {
  const negateTimes = negate.map(() => new Timestamps(limits.entries))
  let deadline: bigint | undefined
  let changed = false

  /**
   * The outcome for the candidate, or the position of the entry to drop. Negate conditions are tested in order: while an
   * earlier one is undecided the later ones are not tested, because the first one that is met decides which entry is dropped.
   */
  function evaluate(clock: bigint | undefined): 'fire' | 'wait' | EntryPosition {
    const span = collection.last - collection.first
    if (span > window) return collection.anchor(0)
    for (let i = 0; i < negate.length; i++) {
      const term = negate[i]!
      const position = collection.anchor(term.anchor)
      const start = collection.queues[position.term]!.timeAt(position.index) + term.slide
      const end = start + width(term, span)
      if (negateTimes[i]!.anyWithin(start, end)) return position
      if (clock !== undefined && end >= clock) {
        deadline = end
        return 'wait'
      }
    }
    return 'fire'
  }

  function decide(clock: bigint | undefined): void {
    deadline = undefined
    while (collection.complete) {
      const outcome = evaluate(clock)
      if (outcome === 'wait') return
      if (outcome === 'fire') listener.fire(collection.use())
      else collection.drop(outcome)
    }
    if (clock !== undefined) collection.prune(clock - window)
  }

  /** No entry before this time can be an anchor: a candidate that is not complete ends at the clock or later. */
  function earliestAnchor(clock: bigint): bigint {
    return collection.complete ? collection.first : clock - window
  }

  return {
    queues: collection.queues,
    negateTimes,
    get deadline() {
      return deadline
    },
    open() {},
    collect({ terms, negates }, entry) {
      for (const index of negates) {
        negateTimes[index]!.dropBefore(earliestAnchor(entry.timestamp) + negate[index]!.slide)
        const overflow = negateTimes[index]!.push(entry.timestamp)
        if (overflow !== undefined) listener.overflow(overflow)
        changed = true
      }
      for (const term of terms) collection.collect(term, entry)
    },
    close(clock) {
      const overflow = collection.settle()
      if (overflow !== undefined) listener.overflow(overflow)
      const waits = deadline !== undefined && clock <= deadline
      if (!waits || changed || overflow !== undefined) decide(clock)
      changed = false
    },
    end: () => decide(undefined),
    tidy(clock) {
      if (!collection.complete) collection.prune(clock - window)
      const earliest = earliestAnchor(clock)
      for (let i = 0; i < negate.length; i++) negateTimes[i]!.dropBefore(earliest + negate[i]!.slide)
    },
  }
}

function width(term: NegateTerm, span: bigint): bigint {
  const full = term.absolute ? term.window : term.window + span
  return full < 0n ? 0n : full
}
