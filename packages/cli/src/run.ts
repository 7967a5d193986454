import type { Command } from './command-line/command.js'
import type { Program } from './command-line/program.js'
import { cacheFolder, documentsFor, explainRulesError } from './rules/loading/prepare-rules.js'
import type { RulesContext } from './rules/rules-verb.js'
import { catchInterruption } from './scan/interruption.js'
import { runScan } from './scan/run-scan.js'
import { openSession, type Session, type SettingsNeed } from './session.js'

type Verb = Command['verb']
type CommandOf<V extends Verb> = Extract<Command, { readonly verb: V }>
type Perform<V extends Verb> = (command: CommandOf<V>, session: Session, program?: Program) => number | Promise<number>

/** What each verb does. Only the scan is loaded with this file: the others are asked for seldom. */
const VERBS: { readonly [V in Exclude<Verb, 'version'>]: Perform<V> } = {
  scan: async (command, session, program) => (await runScan(command, session)) ?? showHelp([], session, program),
  async pods(command, session) {
    const { openCluster } = await import('./kubernetes/cluster.js')
    const { env, log, now, loaded } = session
    const { window, skip, timestamps } = loaded.settings
    const cluster = openCluster(command, { env, log, window, reading: { now, skip, timestamps } })
    try {
      return (await runScan(command, session, cluster)) ?? 0
    } finally {
      await cluster.close()
    }
  },
  help: ({ topic }, session, program) => showHelp(topic, session, program),
  async completion({ shell }, { out }) {
    const { renderCompletion } = await import('./command-line/completion/completion.js')
    out.write(renderCompletion(shell))
    return 0
  },
  async config(command, { loaded, env, out, ...session }) {
    const { describeSettings } = await import('./settings/describe-settings.js')
    const { configAsJson, renderConfig } = await import('./settings/render-config.js')
    const { installedPackages } = await import('./rules/loading/installed-rules.js')
    const packages = installedPackages(loaded, command)
    const report = describeSettings(loaded, command, { env, ruleCache: cacheFolder({ ...session, loaded }), packages })
    out.write(command.json ? configAsJson(report) : renderConfig(report, out))
    return 0
  },
  async explain(command, session) {
    const { explain } = await import('./rules/explain.js')
    return explain(command, rulesContext(command, session))
  },
  async rules(command, session) {
    const { runRulesVerb } = await import('./rules/rules-verb.js')
    return runRulesVerb(command, rulesContext(command, session))
  },
  async updates(command, session) {
    const { runUpdatesVerb } = await import('./updates/updates-verb.js')
    return runUpdatesVerb(command, session, () => catchInterruption(process))
  },
  login: signIn,
  logout: signIn,
  async whoami(command, session) {
    const { runAccountVerb } = await import('./account/account-verb.js')
    return runAccountVerb(command, session, () => catchInterruption(process))
  },
  async generate(command, session) {
    const { generate } = await import('./templates/write-template.js')
    return generate(command, session)
  },
  async cron(command, session) {
    const { cron } = await import('./templates/write-template.js')
    return cron(command, session)
  },
}

/**
 * Commands that say what the tool is do without settings, and those that explain go on when the settings are wrong: at three
 * in the morning that is not what somebody wants to mend first.
 */
const NEEDS: Readonly<Partial<Record<Verb, SettingsNeed>>> = {
  help: 'none',
  completion: 'none',
  explain: 'any',
  rules: 'any',
}

/** Performs a command and returns the exit code. Rejects with a `Failure` for what the user has to solve. */
export async function run(command: Exclude<Command, { readonly verb: 'version' }>, program?: Program): Promise<number> {
  const options = 'quiet' in command ? command : { quiet: false, level: undefined }
  const session = await openSession(options, NEEDS[command.verb], program?.name)
  try {
    const perform = VERBS[command.verb] as Perform<Verb>
    const code = await perform(command, session, program)
    if (session.unwritten) throw session.unwritten
    return code
  } catch (error) {
    throw explainRulesError(error, session)
  }
}

async function showHelp(topic: readonly string[], { out }: Session, program?: Program): Promise<number> {
  const { renderHelp } = await import('./command-line/help.js')
  out.write(renderHelp(topic, out.columns, program))
  return 0
}

/** What the service offers depends on who asks. */
async function signIn(command: CommandOf<'login' | 'logout'>, session: Session): Promise<number> {
  const { runAccountVerb } = await import('./account/account-verb.js')
  const { askAnew } = await import('./updates/ask-anew.js')
  try {
    return await runAccountVerb(command, session, () => catchInterruption(process))
  } finally {
    askAnew(session)
  }
}

function rulesContext(command: CommandOf<'rules' | 'explain'>, session: Session): RulesContext {
  const { out, err, now } = session
  return {
    out,
    err,
    documents: () => documentsFor(command, session),
    cacheFolder: cacheFolder(session),
    now: () => now,
  }
}
