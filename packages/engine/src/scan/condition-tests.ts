import type { CompiledRules } from '../rules/compiled.js'
import { createRegexTest } from '../terms/regex/run/search.js'
import { looksLikeObject, mayHoldObject } from './envelopes/json.js'
import type { EntryTexts } from './envelopes/messages.js'

/** Modules that are loaded only if a condition or an extract needs them. */
export interface TestModules {
  readonly jq?: typeof import('../terms/jq/index.js')
}

/** The full test of a condition, used only if the needles do not decide it. */
export type ConditionTest = (texts: EntryTexts) => boolean

/** A filter that reached its limit this often is switched off, so that every scan ends. */
const MOST_LIMITS = 3

/** Loads the modules that the conditions and extracts of these rules need. */
export async function loadTestModules({ rules, conditions }: CompiledRules): Promise<TestModules> {
  const isJq = ({ kind }: { readonly kind: string }) => kind === 'jq'
  const extractsJq = rules.some((rule) => rule.terms.some((term) => term.extract.some(isJq)))
  return conditions.some(isJq) || extractsJq ? { jq: await import('../terms/jq/index.js') } : {}
}

/** What a warning is about: `rule` if a rule, or a part of it, cannot find what it describes; otherwise the data. */
export type WarningSubject = 'rule' | 'data'

/** Receives warnings. Without a subject, a warning is about the data. */
export type Warn = (message: string, subject?: WarningSubject) => void

export interface TestOptions {
  /** The value of `now` in jq filters. */
  readonly now: Date
  readonly warn: Warn
}

/**
 * Returns a function that gives the full test of a condition, created on first use. A test that cannot be created, or that
 * keeps reaching its limit, warns with the names of its rules and is false from then on; the scan continues.
 */
export function createConditionTests(
  rules: CompiledRules,
  modules: TestModules,
  { now, warn }: TestOptions,
): (condition: number) => ConditionTest {
  const tests: ConditionTest[] = []

  function warnOfRule(index: number, message: string): void {
    warn(`${nameRules(rules, index)}: ${message}`, 'rule')
  }

  function make(index: number): ConditionTest {
    const { kind, text } = rules.conditions[index]
    try {
      if (kind === 'jq') return limitedJq(index)
      const test = kind === 'regex' ? createRegexTest(text) : (one: string) => one.includes(text)
      return (texts) => {
        for (let depth = 0, one = texts.at(0); one !== undefined; one = texts.at(++depth)) if (test(one)) return true
        return false
      }
    } catch (error) {
      warnOfRule(index, `the ${kind} cannot be used and is ignored: ${(error as Error).message}`)
      return () => false
    }
  }

  function limitedJq(index: number): ConditionTest {
    const filter = modules.jq!.compileJq(rules.conditions[index].text, { now: () => now.getTime() / 1000 })
    let limits = 0
    const test = (text: string) => {
      const outcome = filter.matches(text)
      if (outcome === 'limit') {
        limits++
        warnOfRule(
          index,
          'the jq filter takes too long or produces too much on some entries: they count as not matching',
        )
        if (limits === MOST_LIMITS) {
          warnOfRule(
            index,
            `the jq filter reached its limit ${MOST_LIMITS} times and is switched off for the rest of the run`,
          )
          tests[index] = () => false
        }
      }
      return outcome === 'match'
    }
    // Of the messages only objects are JSON: a number or a word in quotes is text that a program wrote.
    return (texts) => {
      for (let depth = 0, text = texts.at(0); text !== undefined; text = texts.at(++depth)) {
        if ((depth === 0 || looksLikeObject(text)) && test(text)) return true
        if (!mayHoldObject(text)) return false
      }
      return false
    }
  }

  return (condition) => (tests[condition] ??= make(condition))
}

/** The names of the rules that use a condition, for messages. */
function nameRules(rules: CompiledRules, condition: number): string {
  const uses = rules.rules.filter((rule) =>
    [...rule.terms, ...rule.negate].some((term) => term.condition === condition),
  )
  return uses.map((rule) => rule.cre.id).join(', ')
}
