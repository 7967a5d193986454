import type { CompiledRule } from '../rules/compiled.js'
import type { Hit } from './detection.js'
import type { Entry } from './entry.js'
import type { EntryQueue } from './entry-queue.js'
import type { Limits, Overflow } from './limits.js'
import { createNegatedRule } from './negated-rule.js'
import { createSequenceCollection } from './sequence-collection.js'
import { createSetCollection } from './set-collection.js'
import type { Timestamps } from './timestamps.js'
import { createWindowedRule } from './windowed-rule.js'

/** What a rule does with a condition: the places where it stands in the rule. */
export interface Use {
  readonly terms: readonly number[]
  readonly negates: readonly number[]
}

/** A rule with state. For an entry that meets conditions of it: `open`, `collect` for each of them, `close`. */
export interface RunningRule {
  readonly queues: readonly EntryQueue[]
  /** When the negate conditions were met. */
  readonly objections: readonly Timestamps[]
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
