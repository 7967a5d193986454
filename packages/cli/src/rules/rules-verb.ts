import type { Screen } from '../console/screen.js'
import type { RuleFile } from './loading/rule-files.js'

/** What the verbs about rules need of the world. */
export interface RulesContext {
  readonly out: Screen
  readonly err: Screen
  /** Reads the rule documents that a scan would use, in load order. */
  readonly documents: () => readonly RuleFile[]
  /** Where compiled rules are kept. */
  readonly cacheFolder: string
  readonly now: () => Date
}

/** `omen rules <action>`, as the command line gives it. */
export interface RulesCommand {
  readonly action: 'list' | 'show' | 'lint' | 'test' | 'new' | 'schema'
  readonly operands: readonly string[]
  readonly json: boolean
  readonly ids: boolean
  readonly quiet: boolean
}

type Action = (command: RulesCommand, context: RulesContext) => Promise<number>

/** Each action is loaded when it is asked for: completing an id in a shell needs none of the others. */
const ACTIONS: Readonly<Record<RulesCommand['action'], () => Promise<Action>>> = {
  list: async () => (await import('./list.js')).listRules,
  show: async () => (await import('./show.js')).showRules,
  lint: async () => (await import('./linting/lint.js')).lintRules,
  test: async () => (await import('./testing/test-rules.js')).testRules,
  new: async () => (await import('./new-rule.js')).newRule,
  schema: async () => (await import('./new-rule.js')).printSchema,
}

/**
 * Runs `omen rules list|show|lint|test|new|schema` and returns the exit code. Rejects with a `Failure` or a `RulesError` that the
 * caller tells.
 *
 * @example
 * process.exitCode = await runRulesVerb(command, { out, err, documents: () => ruleDocuments(request), cacheFolder, now })
 */
export async function runRulesVerb(command: RulesCommand, context: RulesContext): Promise<number> {
  const run = await ACTIONS[command.action]()
  return run(command, context)
}
