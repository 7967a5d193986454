import type { PositiveTerm } from '../rules/compiled.js'
import { type Collection, type EntryPosition, takeCandidate } from './collection.js'
import type { Limits, Overflow } from './queues.js'
import { EntryQueue } from './queues.js'

/** Collects for a set (docs/rule-language.md): every condition collects the entries that meet it. */
export function createSetCollection(terms: readonly PositiveTerm[], limits: Limits): Collection {
  const queues = terms.map(() => new EntryQueue(limits))
  let overflow: Overflow | undefined

  function forget(before: bigint): void {
    for (const queue of queues) queue.dropBefore(before)
  }

  function earliest(): number {
    let found = 0
    for (let term = 1; term < queues.length; term++) {
      if (queues[term]!.timeAt(0) < queues[found]!.timeAt(0)) found = term
    }
    return found
  }

  /** The number of the candidate's entries before this one: by time, equal times in the order of the conditions. */
  function rank(term: number, index: number): number {
    const time = queues[term]!.timeAt(index)
    let before = index
    for (let other = 0; other < queues.length; other++) {
      if (other === term) continue
      before += queues[other]!.countBefore(other < term ? time + 1n : time, terms[other]!.count)
    }
    return before
  }

  /** Ranks increase within a condition, so a binary search per condition avoids sorting all entries. */
  function ranked(number: number): EntryPosition {
    for (let term = 0; term < queues.length; term++) {
      let low = 0
      let high = terms[term]!.count
      while (low < high) {
        const index = (low + high) >>> 1
        const found = rank(term, index)
        if (found === number) return { term, index }
        if (found < number) low = index + 1
        else high = index
      }
    }
    throw new RangeError(`the candidate has no entry number ${number}`)
  }

  return {
    queues,
    get complete() {
      for (let term = 0; term < queues.length; term++) {
        if (queues[term]!.length < terms[term]!.count) return false
      }
      return true
    },
    get first() {
      return queues[earliest()]!.timeAt(0)
    },
    get last() {
      let time = queues[0]!.timeAt(terms[0]!.count - 1)
      for (let term = 1; term < queues.length; term++) {
        const other = queues[term]!.timeAt(terms[term]!.count - 1)
        if (other > time) time = other
      }
      return time
    },
    collect(term, entry) {
      overflow = queues[term]!.push(entry) ?? overflow
    },
    settle() {
      const reason = overflow
      overflow = undefined
      return reason
    },
    forget,
    // A candidate that is not complete ends at the clock or later: entries older than the window would be dropped one by one
    // as its earliest entry before any negate condition is tested.
    prune: forget,
    anchor(number) {
      return number === 0 ? { term: earliest(), index: 0 } : ranked(number)
    },
    drop({ term, index }) {
      queues[term]!.remove(index, 1)
    },
    use: () => takeCandidate(terms, queues),
  }
}
