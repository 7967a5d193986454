import type { CompiledRules } from '../rules/compiled.js'
import { createRegexTest } from '../terms/regex/search.js'
import type { ConditionTest } from './decide.js'

/** What full tests need and not every set of rules has: loaded only when a condition or an extract asks for it. */
export interface TestModules {
  readonly jq?: typeof import('../terms/jq/index.js')
}

/** A filter that ran into its limit this often is switched off: a scan must end, whatever a rule says. */
const MOST_LIMITS = 3

/** Loads what the conditions and extracts of these rules need. */
export async function loadTestModules({ rules, conditions }: CompiledRules): Promise<TestModules> {
  const isJq = ({ kind }: { readonly kind: string }) => kind === 'jq'
  const extractsJq = rules.some((rule) => rule.terms.some((term) => term.extract.some(isJq)))
  return conditions.some(isJq) || extractsJq ? { jq: await import('../terms/jq/index.js') } : {}
}

export interface TestOptions {
  /** What `now` is in a jq filter. */
  readonly now: Date
  readonly warn: (message: string) => void
}

/**
 * Gives the full test of each condition, made when it is first asked for. A test that cannot be made, or that keeps
 * running into its limit, warns with the rules it belongs to and is never met: the scan goes on.
 */
export function createConditionTests(
  rules: CompiledRules,
  modules: TestModules,
  { now, warn }: TestOptions,
): (condition: number) => ConditionTest {
  const tests: ConditionTest[] = []

  function make(index: number): ConditionTest {
    const { kind, text } = rules.conditions[index]
    try {
      if (kind === 'regex') return createRegexTest(text)
      if (kind === 'jq') return limitedJq(index)
      return (entry) => entry.includes(text)
    } catch (error) {
      warn(`${nameRules(rules, index)}: the ${kind} cannot be run and is left out: ${(error as Error).message}`)
      return () => false
    }
  }

  function limitedJq(index: number): ConditionTest {
    const filter = modules.jq!.compileJq(rules.conditions[index].text, { now: () => now.getTime() / 1000 })
    let limits = 0
    return (entry) => {
      const outcome = filter.matches(entry)
      if (outcome === 'limit') {
        limits++
        const rule = nameRules(rules, index)
        warn(`${rule}: the jq filter takes too long or makes too much: entries on which it does count as not matching`)
        if (limits === MOST_LIMITS) {
          warn(`${rule}: the jq filter ran into its limit ${MOST_LIMITS} times and is switched off`)
          tests[index] = () => false
        }
      }
      return outcome === 'match'
    }
  }

  return (condition) => (tests[condition] ??= make(condition))
}

/** Names the rules that use a condition, for messages. */
function nameRules(rules: CompiledRules, condition: number): string {
  const uses = rules.rules.filter((rule) =>
    [...rule.terms, ...rule.negate].some((term) => term.condition === condition),
  )
  return uses.map((rule) => rule.cre.id).join(', ')
}
