import type { RulesContext } from './context.js'

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
  lint: async () => (await import('./lint.js')).lintRules,
  test: async () => (await import('./test-rules.js')).testRules,
  new: async () => (await import('./new-rule.js')).newRule,
  schema: async () => (await import('./print-schema.js')).printSchema,
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
