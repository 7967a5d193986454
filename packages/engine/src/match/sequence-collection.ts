import type { PositiveTerm } from '../rules/compiled.js'
import { type Collection, type EntryPosition, takeCandidate } from './collection.js'
import type { Limits, Overflow } from './queues.js'
import { EntryQueue } from './queues.js'

/**
 * Collects for a sequence (docs/rule-language.md). Invariants between two entries: the first `met` conditions
 * have their multiplicity and the next does not; those after it have no entries; no condition has an entry older than the
 * last one that the condition before it would use.
 */
export function createSequenceCollection(terms: readonly PositiveTerm[], limits: Limits): Collection {
  const queues = terms.map(() => new EntryQueue(limits))
  const cuts = terms.map(() => 0)
  let met = 0
  let overflow: Overflow | undefined

  function holds(term: number): boolean {
    return queues[term]!.length >= terms[term]!.count
  }

  /** The time of the last entry that a condition would use. */
  function usedUpTo(term: number): bigint {
    return queues[term]!.timeAt(terms[term]!.count - 1)
  }

  function positionOf(number: number): EntryPosition {
    let term = 0
    let index = number
    while (index >= terms[term]!.count) index -= terms[term++]!.count
    return { term, index }
  }

  function repair(): void {
    met = 0
    while (met < terms.length) {
      if (met > 0) queues[met]!.dropBefore(usedUpTo(met - 1))
      if (!holds(met)) break
      met++
    }
    for (let term = met + 1; term < terms.length; term++) queues[term]!.clear()
  }

  /**
   * Whether the oldest entry of the first condition can be dropped without changing a result: every met condition stays met
   * after the repair, and the one that is filling loses nothing. `cuts` is then the number of entries each condition loses.
   */
  function isSpare(): boolean {
    if (queues[0]!.length <= terms[0]!.count) return false
    cuts[0] = 1
    let time = queues[0]!.timeAt(terms[0]!.count)
    for (let term = 1; term < met; term++) {
      const queue = queues[term]!
      cuts[term] = queue.countBefore(time, queue.length)
      const lastUsed = cuts[term]! + terms[term]!.count - 1
      if (lastUsed >= queue.length) return false
      time = queue.timeAt(lastUsed)
    }
    const filling = queues[met]!
    return filling.length === 0 || filling.timeAt(0) >= time
  }

  /**
   * Of the entries that are newer than everything in the next condition, the newest few decide as much as the older ones:
   * whether the condition is met, and from when on. Those too old to be hits are dropped. They are removed in batches at
   * least as large as the number of entries before them, so that the cost per entry is constant.
   */
  function thin(term: number, before: bigint): void {
    const queue = queues[term]!
    if (queue.timeAt(0) >= before) return
    const next = queues[term + 1]!
    const from = next.length === 0 ? 0 : queue.countBefore(next.timeAt(next.length - 1) + 1n, queue.length)
    const to = Math.min(queue.countBefore(before, queue.length), queue.length - terms[term]!.count)
    if (to - from >= Math.max(from, 1)) queue.remove(from, to - from)
  }

  /**
   * A first entry that is too old for any later entry would be dropped as soon as the sequence is complete, and the sequence
   * repaired. Dropping it earlier can change which conditions are met, and so what is collected: it is done only if the met
   * conditions stay the same.
   */
  function prune(before: bigint): void {
    for (let term = met - 1; term >= 0; term--) thin(term, before)
    while (met > 0 && queues[0]!.timeAt(0) < before && isSpare()) {
      for (let term = 0; term < met; term++) {
        for (let cut = 0; cut < cuts[term]!; cut++) queues[term]!.shift()
      }
    }
  }

  return {
    queues,
    get complete() {
      return met === terms.length
    },
    get first() {
      return queues[0]!.timeAt(0)
    },
    get last() {
      return usedUpTo(terms.length - 1)
    },
    collect(term, entry) {
      if (term <= met) overflow = queues[term]!.push(entry) ?? overflow
    },
    settle() {
      const reason = overflow
      if (reason !== undefined) repair()
      else while (met < terms.length && holds(met)) met++
      overflow = undefined
      return reason
    },
    forget(before) {
      if (queues[0]!.dropBefore(before)) repair()
    },
    prune,
    anchor: positionOf,
    drop({ term, index }) {
      queues[term]!.remove(index, 1)
      repair()
    },
    use() {
      const hits = takeCandidate(terms, queues)
      repair()
      return hits
    },
  }
}
