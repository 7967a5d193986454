import { setTimeout as wait } from 'node:timers/promises'
import { CommanderError } from 'commander'
import { Failure } from './failure.js'
import { createTerminal } from './operator/console.js'
import { dayOf, inDays } from './operator/moments.js'
import { createProgram, type Request } from './operator/program.js'
import { Problem } from './problem.js'
import { type GivenFlags, loadSettings } from './settings/load-settings.js'
import { VERSION } from './version.js'

const clock = () => new Date()

/**
 * Runs the command line and resolves with the exit code: 0 for success, 1 for an error, 2 for a wrong command line or setting.
 *
 * @example
 * process.exitCode = await main(['code', 'list'])
 */
export async function main(argv: readonly string[]): Promise<number> {
  const terminal = createTerminal(process)
  let status = 0
  const program = createProgram({
    out: terminal.out,
    error: terminal.error,
    exampleDate: dayOf(inDays(clock(), 30)),
    run: async (request, flags) => {
      status = await run(request, flags, terminal)
    },
  })
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return status
  } catch (error) {
    return explain(error, terminal.error)
  }
}

async function run(request: Request, flags: GivenFlags, terminal: ReturnType<typeof createTerminal>): Promise<number> {
  if (request.verb === 'version') {
    terminal.out(`omen-server ${VERSION}\n`)
    return 0
  }
  const loaded = loadSettings({ flags, env: process.env, folder: process.cwd() })
  for (const warning of loaded.warnings) terminal.error(`Warning: ${warning}\n`)
  if (request.verb === 'serve') {
    const { serve } = await import('./serve/serve.js')
    return serve(loaded.settings, { clock, env: process.env, console: terminal, process })
  }
  const { runCommand } = await import('./operator/run-command.js')
  await runCommand(request, {
    loaded,
    console: terminal,
    clock,
    pause: (milliseconds) => wait(milliseconds),
    open: async () => {
      const { openOperations } = await import('./serve/open-foundation.js')
      return openOperations(loaded.settings, { clock, env: process.env, report: (line) => terminal.error(`${line}\n`) })
    },
  })
  return 0
}

/** Prints an error and returns the exit code. Of an unexpected error only the message is printed: it may contain anything. */
function explain(error: unknown, print: (text: string) => void): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof Failure) {
    for (const line of error.message.split('\n')) print(`${error.kind} error: ${line}\n`)
    if (error.hint !== undefined) print(`${error.hint}\n`)
    return error.exitCode
  }
  if (error instanceof Problem) {
    const reason = error.code === 'unavailable' && error.cause instanceof Error ? ` (${error.cause.message})` : ''
    print(`Operator error: ${error.message}${reason}\n`)
    for (const { field, message } of error.errors ?? []) print(`Operator error: ${field}: ${message}\n`)
    return error.code === 'invalid_request' ? 2 : 1
  }
  print(`Unexpected error: ${error instanceof Error ? error.message : String(error)}\n`)
  return 1
}
