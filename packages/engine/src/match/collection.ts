import type { PositiveTerm } from '../rules/compiled.js'
import type { Entry, Hit } from './detection.js'
import type { EntryQueue, Overflow } from './queues.js'

/** The position of an entry of the candidate: the condition that collected it, and its index in that queue. */
export interface EntryPosition {
  readonly term: number
  readonly index: number
}

/**
 * The entries that a rule has collected for its positive conditions, in one queue per condition. The candidate consists of
 * the oldest entries of every condition, as many as its multiplicity. Sets and sequences collect and drop differently.
 */
export interface Collection {
  readonly queues: readonly EntryQueue[]
  /** Whether every condition has its multiplicity. `first`, `last`, `anchor`, `drop` and `use` require this. */
  readonly complete: boolean
  /** The time of the earliest entry of the candidate. */
  readonly first: bigint
  /** The time of the latest entry of the candidate. */
  readonly last: bigint
  /** Adds an entry that met this condition. `settle` follows after all conditions that the entry met. */
  collect(term: number, entry: Entry): void
  /** Ends the entry. Returns the limit that made older entries be dropped, if any. */
  settle(): Overflow | undefined
  /** Drops entries older than `before`, in a rule without negation. */
  forget(before: bigint): void
  /** Drops entries older than `before` that cannot change any result, in a rule with negation. Not while it is complete. */
  prune(before: bigint): void
  /** The candidate's entry number `number`, in the order in which a negate entry counts its anchors. */
  anchor(number: number): EntryPosition
  drop(position: EntryPosition): void
  /** Removes the candidate and returns it as the hits of a detection. */
  use(): Hit[]
}

/** Removes the oldest entries of every condition, as many as its multiplicity. */
export function takeCandidate(terms: readonly PositiveTerm[], queues: readonly EntryQueue[]): Hit[] {
  const hits: Hit[] = []
  for (let term = 0; term < terms.length; term++) {
    for (let taken = 0; taken < terms[term]!.count; taken++) hits.push({ entry: queues[term]!.shift(), term })
  }
  return hits
}
