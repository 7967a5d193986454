import type { PositiveTerm } from '../rules/compiled.js'
import type { Entry, Hit } from './detection.js'
import type { EntryQueue, Overflow } from './queues.js'

/** Where an entry of the candidate stands: the condition that collected it, and its number there. */
export interface EntryPosition {
  readonly term: number
  readonly index: number
}

/**
 * What a rule has collected for its positive conditions: a queue for each. The candidate is the oldest entries of every
 * condition, as many as its multiplicity. Sets and sequences differ in what they collect and in what they drop.
 */
export interface Collection {
  readonly queues: readonly EntryQueue[]
  /** Every condition holds its multiplicity. `first`, `last`, `anchor`, `drop` and `use` ask for this. */
  readonly complete: boolean
  /** The time of the earliest entry of the candidate. */
  readonly first: bigint
  /** The time of the latest entry of the candidate. */
  readonly last: bigint
  /** An entry met this condition. All conditions that it met are told before `settle`. */
  collect(term: number, entry: Entry): void
  /** The entry has been collected. Returns why others had to go for it, if they had. */
  settle(): Overflow | undefined
  /** Forgets by the clock, as rules without negation do. */
  forget(before: bigint): void
  /** Drops entries older than `before` that can change nothing any more, in a rule with negation. Not while it is complete. */
  prune(before: bigint): void
  /** The candidate's entry number `number`, in the order in which a negate entry counts its anchors. */
  anchor(number: number): EntryPosition
  drop(position: EntryPosition): void
  /** Takes the candidate away, as the hits of a detection. */
  use(): Hit[]
}

/** Takes the oldest entries of every condition, as many as its multiplicity. */
export function takeCandidate(terms: readonly PositiveTerm[], queues: readonly EntryQueue[]): Hit[] {
  const hits: Hit[] = []
  for (let term = 0; term < terms.length; term++) {
    for (let taken = 0; taken < terms[term]!.count; taken++) hits.push({ entry: queues[term]!.shift(), term })
  }
  return hits
}
