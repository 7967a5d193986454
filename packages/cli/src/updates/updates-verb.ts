import type { CommonOptions, UpdatesAction } from '../command-line/command.js'
import type { Listen, Session } from '../session.js'

/** `omen updates <action>`, as the command line gives it. */
export interface UpdatesCommand extends CommonOptions {
  readonly action: UpdatesAction
  readonly operands: readonly string[]
  readonly json: boolean
}

type Action = (command: UpdatesCommand, session: Session, listen: Listen) => Promise<number>

/** Each action is loaded when it is asked for. */
const ACTIONS: Readonly<Record<UpdatesAction, () => Promise<Action>>> = {
  check: async () => (await import('./check.js')).check,
  install: async () => (await import('./install.js')).install,
  trust: async () => (await import('./trust.js')).trust,
}

/**
 * Runs `omen updates check|install|trust` and returns the exit code. Rejects with a `Failure`.
 *
 * @example
 * process.exitCode = await runUpdatesVerb(command, session, () => catchInterruption(process))
 */
export async function runUpdatesVerb(command: UpdatesCommand, session: Session, listen: Listen): Promise<number> {
  const run = await ACTIONS[command.action]()
  return run(command, session, listen)
}
