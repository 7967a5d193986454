import type { Command } from './command-line/command.js'
import type { Program } from './command-line/program.js'
import { installedPackages } from './rules/loading/installed-rules.js'
import { cacheFolder, documentsFor, explainRulesError } from './rules/loading/prepare-rules.js'
import type { RulesContext } from './rules/rules-verb.js'
import { catchInterruption } from './scan/interruption.js'
import { runScan } from './scan/run-scan.js'
import { type Listen, openSession, type Session, type SettingsNeed } from './session.js'
import { requireCheck } from './updates/update-state.js'

type Verb = Command['verb']
type CommandOf<V extends Verb> = Extract<Command, { readonly verb: V }>
type Perform<V extends Verb> = (command: CommandOf<V>, session: Session, program?: Program) => number | Promise<number>

/** Runs each verb. Only the scan is loaded with this file: the others are used less often. */
const VERBS: { readonly [V in Exclude<Verb, 'version'>]: Perform<V> } = {
  scan: async (command, session, program) => (await runScan(command, session)) ?? showHelp([], session, program),
  async pods(command, session) {
    const { openCluster } = await import('./kubernetes/cluster.js')
    const { env, log, now, loaded } = session
    const { window, timezone, skip, timestamps } = loaded.settings
    const cluster = openCluster(command, { env, log, window, timezone, reading: { now, skip, timestamps } })
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
    const runAction = await UPDATE_ACTIONS[command.action]()
    return runAction(command, session, () => catchInterruption(process))
  },
  async login(command, session) {
    const { login } = await import('./account/login.js')
    return changingSignIn(session, () => login(command, session, () => catchInterruption(process)))
  },
  async logout(command, session) {
    const { logout } = await import('./account/logout.js')
    return changingSignIn(session, () => logout(command, session))
  },
  async whoami(command, session) {
    const { whoami } = await import('./account/whoami.js')
    return whoami(command, session)
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

type UpdateAction = (command: CommandOf<'updates'>, session: Session, listen: Listen) => Promise<number>

const UPDATE_ACTIONS: Readonly<Record<CommandOf<'updates'>['action'], () => Promise<UpdateAction>>> = {
  check: async () => (await import('./updates/check.js')).check,
  install: async () => (await import('./updates/install.js')).install,
  trust: async () => (await import('./updates/trust.js')).trust,
}

/**
 * Commands that describe the tool read no settings. Commands that explain rules work with invalid settings too: during an
 * incident nobody wants to fix `config.yaml` first.
 */
const NEEDS: Readonly<Partial<Record<Verb, SettingsNeed>>> = {
  help: 'none',
  completion: 'none',
  explain: 'any',
  rules: 'any',
}

/** Runs a command and returns the exit code. Rejects with a `Failure` for an error that the user can solve. */
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

/** What the service offers depends on the user: the next run checks for updates again. */
async function changingSignIn(session: Session, change: () => Promise<number>): Promise<number> {
  try {
    return await change()
  } finally {
    requireCheck(session)
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
