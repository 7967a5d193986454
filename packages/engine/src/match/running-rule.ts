import type { CompiledRule } from '../rules/compiled.js'
import type { Collection } from './collection.js'
import type { Entry, Hit } from './detection.js'
import { createNegatedRule } from './negated-rule.js'
import type { EntryQueue, Limits, Overflow, Timestamps } from './queues.js'
import { createSequenceCollection } from './sequence-collection.js'
import { createSetCollection } from './set-collection.js'

/** How a rule uses a condition: indices of its terms and negate terms with this condition. */
export interface Use {
  readonly terms: readonly number[]
  readonly negates: readonly number[]
}

/** A rule with state. For an entry that meets its conditions: `open`, `collect` for each of them, `close`. */
export interface RunningRule {
  readonly queues: readonly EntryQueue[]
  /** The times at which the negate conditions were met. */
  readonly negateTimes: readonly Timestamps[]
  /** A clock above it decides the waiting candidate; undefined if none waits. */
  readonly deadline: bigint | undefined
  open(clock: bigint): void
  collect(use: Use, entry: Entry): void
  /** Decides candidates at this clock. Called alone when only the clock has moved, or after the state was restored. */
  close(clock: bigint): void
  /** Ends the data: decides all candidates. */
  end(): void
  /** Drops entries that cannot be part of a detection any more. */
  tidy(clock: bigint): void
}

/** Called by a running rule: for a detection, and when entries were dropped because of a limit. */
export interface Listener {
  fire(hits: Hit[]): void
  overflow(reason: Overflow): void
}

/** Starts a rule that needs state: one with several entries per detection, or with a negate condition. */
export function createRunningRule(rule: CompiledRule, limits: Limits, listener: Listener): RunningRule {
  const create = rule.kind === 'set' ? createSetCollection : createSequenceCollection
  const collection = create(rule.terms, limits)
  return rule.negate.length === 0
    ? createWindowedRule(rule.window, collection, listener)
    : createNegatedRule(rule, collection, limits, listener)
}

/** Runs a rule with several entries per detection and without negation (docs/rule-language.md). */
export function createWindowedRule(window: bigint, collection: Collection, listener: Listener): RunningRule {
  // Dropping old entries only when the rule is used has the same result as dropping them at every entry: the clock never
  // goes back, and nothing is collected in between.
  const forget = (clock: bigint) => collection.forget(clock - window)
  return {
    queues: collection.queues,
    negateTimes: [],
    deadline: undefined,
    open: forget,
    collect({ terms }, entry) {
      for (let i = 0; i < terms.length; i++) collection.collect(terms[i]!, entry)
    },
    close() {
      const overflow = collection.settle()
      if (overflow !== undefined) listener.overflow(overflow)
      if (collection.complete) listener.fire(collection.use())
    },
    end() {},
    tidy: forget,
  }
}
