#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { isSea } from 'node:sea'
import type { Command } from './command-line/command.js'
import type { Program } from './command-line/program.js'
import { readCommandLine } from './command-line/read-command-line.js'
import { openOutput } from './console/output.js'
import { errorLine } from './console/standard-error.js'
import { Failure } from './failure.js'
import { VERSION } from './version.js'

/** Runs the tool and returns its exit code. */
async function main(): Promise<number> {
  const plugin = PLUGINS[programName()]
  if (plugin) return plugin(process.argv.slice(2))
  const command = await readCommandLine(process.argv.slice(2), CONTEXT)
  // `omen -v` loads nothing else.
  return command.verb === 'version' ? printVersion() : perform(command)
}

const CONTEXT = { now: new Date(), exists: existsSync }

/** Under these names the program is kubectl's plugin, or its completion; under any other name it is `omen`. */
const PLUGINS: Readonly<Record<string, (argv: readonly string[]) => Promise<number>>> = {
  'kubectl-omen': runPlugin,
  'kubectl_complete-omen': (argv) => runPlugin(['__complete', ...argv]),
}

/** The name of the single-file executable, or else of the script. */
function programName(): string {
  return basename(isSea() ? process.argv0 : (process.argv[1] ?? '')).replace(/\.(?:js|exe)$/i, '')
}

async function runPlugin(argv: readonly string[]): Promise<number> {
  const { KUBECTL_OMEN } = await import('./command-line/plugin.js')
  if (argv[0] === '__complete') {
    const { completeWords } = await import('./kubernetes/complete.js')
    return print(await completeWords(argv.slice(1), KUBECTL_OMEN, process.env))
  }
  const { asScheduled, scheduledRun } = await import('./kubernetes/scheduled-run.js')
  const due = scheduledRun(process.env, CONTEXT.now)
  const command = await readCommandLine(argv, { ...CONTEXT, ...(due && { now: due }) }, KUBECTL_OMEN)
  return command.verb === 'version' ? printVersion() : perform(asScheduled(command, due), KUBECTL_OMEN)
}

async function perform(command: Exclude<Command, { readonly verb: 'version' }>, program?: Program): Promise<number> {
  const { run } = await import('./run.js')
  return run(command, program)
}

function printVersion(): number {
  return print(`omen ${VERSION}\n`)
}

function print(text: string): number {
  openOutput(1).write(text)
  return 0
}

/** Prints an error to standard error, one line for each line of its message, without a stack trace. */
function explain(error: unknown): number {
  const { write } = openOutput(2)
  if (error instanceof Failure) {
    for (const line of error.message.split('\n')) write(errorLine(error.kind, line))
    if (error.hint !== undefined) write(`${error.hint}\n`)
    return error.exitCode
  }
  const { message, stack } = error as Error
  write(
    `${errorLine('Internal', message)}This is a bug in omen. Please report it with this line:\n${firstFrame(stack)}\n`,
  )
  return 1
}

/** The first line of a stack trace that names a position in the code. */
function firstFrame(stack: string | undefined): string {
  return (
    stack
      ?.split('\n')
      .find((line) => line.trimStart().startsWith('at '))
      ?.trim() ?? 'unknown position'
  )
}

// Not awaited at the top level: modules that are loaded later may import from this file, and would wait for it. The process exits
// explicitly, because a pending read of a pipe would keep it alive. All output has been written.
main()
  .catch(explain)
  .then((status) => process.exit(status))
