import { setTimeout as wait } from 'node:timers/promises'
import { CommanderError } from 'commander'
import { Failure } from './failure.js'
import { dayOf, inDays } from './operator/moments.js'
import { createProgram, type Request } from './operator/program.js'
import { createTerminal } from './operator/terminal.js'
import { Problem } from './problem.js'
import { type GivenFlags, loadSettings } from './settings/load-settings.js'
import { VERSION } from './version.js'

const clock = () => new Date()

/**
 * Does what the command line asks for and gives the exit code: 0 done, 1 an error, 2 a command line or a setting that cannot be
 * understood.
 *
 * @example
 * process.exitCode = await main(['code', 'list'])
 */
export async function main(words: readonly string[]): Promise<number> {
  const terminal = createTerminal(process)
  let status = 0
  const program = createProgram({
    out: terminal.out,
    error: terminal.error,
    exampleDate: dayOf(inDays(clock(), 30)),
    run: async (request, flags) => {
      status = await answer(request, flags, terminal)
    },
  })
  try {
    await program.parseAsync([...words], { from: 'user' })
    return status
  } catch (error) {
    return explain(error, terminal.error)
  }
}

async function answer(
  request: Request,
  flags: GivenFlags,
  terminal: ReturnType<typeof createTerminal>,
): Promise<number> {
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
      const { openOperations } = await import('./serve/open-operations.js')
      return openOperations(loaded.settings, { clock, env: process.env, tell: (line) => terminal.error(`${line}\n`) })
    },
  })
  return 0
}

/** Says what went wrong and gives the exit code. What nobody foresaw is told by its message alone: it may hold anything. */
function explain(error: unknown, write: (text: string) => void): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof Failure) {
    for (const line of error.message.split('\n')) write(`${error.kind} error: ${line}\n`)
    if (error.hint !== undefined) write(`${error.hint}\n`)
    return error.exitCode
  }
  if (error instanceof Problem) {
    const reason = error.code === 'unavailable' && error.cause instanceof Error ? ` (${error.cause.message})` : ''
    write(`Operator error: ${error.message}${reason}\n`)
    for (const { field, message } of error.errors ?? []) write(`Operator error: ${field}: ${message}\n`)
    return error.code === 'invalid_request' ? 2 : 1
  }
  write(`Unexpected error: ${error instanceof Error ? error.message : String(error)}\n`)
  return 1
}
