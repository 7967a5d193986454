import type { Command } from '../command-line/command.js'
import type { Listen, Session } from '../session.js'

type AccountCommand = Extract<Command, { readonly verb: 'login' | 'logout' | 'whoami' }>

/**
 * Runs `omen login|logout|whoami` and returns the exit code. Rejects with a `Failure`. Each is loaded when it is asked for.
 *
 * @example
 * process.exitCode = await runAccountVerb(command, session, () => catchInterruption(process))
 */
export async function runAccountVerb(command: AccountCommand, session: Session, listen: Listen): Promise<number> {
  if (command.verb === 'login') return (await import('./login.js')).login(command, session, listen)
  if (command.verb === 'logout') return (await import('./logout.js')).logout(command, session)
  return (await import('./whoami.js')).whoami(command, session)
}
