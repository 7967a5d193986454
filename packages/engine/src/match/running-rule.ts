import type { CompiledRule } from '../rules/compiled.js'
import type { Collection } from './collection.js'
import type { Entry, Hit } from './detection.js'
import { createNegatedRule } from './negated-rule.js'
import type { EntryQueue, Limits, Overflow, Timestamps } from './queues.js'
import { createSequenceCollection } from './sequence-collection.js'
import { createSetCollection } from './set-collection.js'

/** What a rule does with a condition: the places where it stands in the rule. */
export interface Use {
  readonly terms: readonly number[]
  readonly negates: readonly number[]
}

/** A rule with state. For an entry that meets conditions of it: `open`, `collect` for each of them, `close`. */
export interface RunningRule {
  readonly queues: readonly EntryQueue[]
  /** When the negate conditions were met. */
  readonly negateTimes: readonly Timestamps[]
  /** A clock above it decides the candidate that waits; undefined when none does. */
  readonly deadline: bigint | undefined
  open(clock: bigint): void
  collect(use: Use, entry: Entry): void
  /** Decides what can be decided at this clock. Called alone when only the clock has moved, or the state was put back. */
  close(clock: bigint): void
  /** The data is over: nothing waits any longer. */
  end(): void
  /** Drops what can no longer take part in anything. */
  tidy(clock: bigint): void
}

/** What a running rule tells: a detection, or that it holds too much and has dropped something. */
export interface Listener {
  fire(hits: Hit[]): void
  overflow(reason: Overflow): void
}

/** Starts a rule that needs state: one with several entries to a detection, or with a negate condition. */
export function createRunningRule(rule: CompiledRule, limits: Limits, listener: Listener): RunningRule {
  const create = rule.kind === 'set' ? createSetCollection : createSequenceCollection
  const collection = create(rule.terms, limits)
  return rule.negate.length === 0
    ? createWindowedRule(rule.window, collection, listener)
    : createNegatedRule(rule, collection, limits, listener)
}

/** Runs a rule with several entries to a detection and without negation (rules.md, sections 4.3 and 4.4). */
export function createWindowedRule(window: bigint, collection: Collection, listener: Listener): RunningRule {
  // Forgetting only when the rule is looked at gives the same as forgetting at every entry: what the clock has passed once
  // it has passed for good, and nothing is collected in between.
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
