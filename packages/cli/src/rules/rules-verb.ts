import type { Screen } from '../console/screen.js'
import type { RuleFile } from './loading/rule-files.js'

/** The dependencies of the verbs about rules. */
export interface RulesContext {
  readonly out: Screen
  readonly err: Screen
  /** Reads the rule documents that a scan would use, in load order. */
  readonly documents: () => readonly RuleFile[]
  /** The folder of compiled rules. */
  readonly cacheFolder: string
  readonly now: () => Date
}

/** The parsed command line of `omen rules <action>`. */
export interface RulesCommand {
  readonly action: 'list' | 'show' | 'lint' | 'test' | 'new' | 'schema'
  readonly operands: readonly string[]
  readonly json: boolean
  readonly ids: boolean
  readonly strict: boolean
  readonly quiet: boolean
}

type Action = (command: RulesCommand, context: RulesContext) => Promise<number>

/** Each action is loaded on demand, because completing an id in a shell must be fast. */
const ACTIONS: Readonly<Record<RulesCommand['action'], () => Promise<Action>>> = {
  list: async () => (await import('./list.js')).listRules,
  show: async () => (await import('./show.js')).showRules,
  lint: async () => (await import('./linting/lint.js')).lintRules,
  test: async () => (await import('./testing/test-rules.js')).testRules,
  new: async () => (await import('./new-rule.js')).newRule,
  schema: async () => (await import('./new-rule.js')).printSchema,
}

/**
 * Runs `omen rules list|show|lint|test|new|schema` and returns the exit code. Rejects with a `Failure` or a `RulesError`.
 *
 * @example
 * process.exitCode = await runRulesVerb(command, { out, err, documents: () => ruleDocuments(request), cacheFolder, now })
 */
export async function runRulesVerb(command: RulesCommand, context: RulesContext): Promise<number> {
  const run = await ACTIONS[command.action]()
  return run(command, context)
}
