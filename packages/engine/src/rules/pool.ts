import type { ConditionKind } from '../terms/condition.js'
import type { Diagnostics } from './diagnostics.js'
import type { ScalarNode } from './document/tree.js'

/** A literal, pattern or filter as written in a document, to be checked after everything is read. */
export interface WrittenCondition {
  readonly kind: ConditionKind
  readonly node: ScalarNode
  /** The text of its file, to find the exact character that is wrong. */
  readonly file: string
  readonly diagnostics: Diagnostics
}

/** The identity of a condition: terms with the same key are met by the same entries. */
export interface ConditionKey {
  readonly kind: ConditionKind
  readonly text: string
}

/** The distinct conditions of all rules, numbered as they are first used, and every occurrence of one in a document. */
export interface ConditionPool {
  readonly keys: ConditionKey[]
  readonly written: WrittenCondition[]
  /** The number of a condition. */
  intern(key: ConditionKey): number
}

export function createConditionPool(): ConditionPool {
  const numbers = new Map<string, number>()
  const keys: ConditionKey[] = []
  return {
    keys,
    written: [],
    intern: ({ kind, text }) => {
      const name = `${kind}:${text}`
      const known = numbers.get(name)
      if (known !== undefined) return known
      numbers.set(name, keys.length)
      return keys.push({ kind, text }) - 1
    },
  }
}
