import type { Collection } from './collection.js'
import type { Listener, RunningRule } from './running-rule.js'

/** Runs a rule with several entries to a detection and without negation (rules.md, sections 4.3 and 4.4). */
export function createWindowedRule(window: bigint, collection: Collection, listener: Listener): RunningRule {
  // Forgetting only when the rule is looked at gives the same as forgetting at every entry: what the clock has passed once
  // it has passed for good, and nothing is collected in between.
  const forget = (clock: bigint) => collection.forget(clock - window)
  return {
    queues: collection.queues,
    objections: [],
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
