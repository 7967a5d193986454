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
  const program = PLUGINS[calledAs()]
  if (program) return program(process.argv.slice(2))
  const command = await readCommandLine(process.argv.slice(2), CONTEXT)
  // The version answers without loading anything more.
  return command.verb === 'version' ? printVersion() : perform(command)
}

const CONTEXT = { now: new Date(), exists: existsSync }

/** The names under which this is a plugin of kubectl, or what completes its words; any other is `omen`. */
const PLUGINS: Readonly<Record<string, (words: readonly string[]) => Promise<number>>> = {
  'kubectl-omen': runPlugin,
  'kubectl_complete-omen': (words) => runPlugin(['__complete', ...words]),
}

/** What the program was called as: the single-file executable by its own name, else the script by its. */
function calledAs(): string {
  return basename(isSea() ? process.argv0 : (process.argv[1] ?? '')).replace(/\.(?:js|exe)$/i, '')
}

async function runPlugin(words: readonly string[]): Promise<number> {
  const { KUBECTL_OMEN } = await import('./command-line/plugin.js')
  if (words[0] === '__complete') {
    const { completeWords } = await import('./kubernetes/complete.js')
    return print(await completeWords(words.slice(1), KUBECTL_OMEN, process.env))
  }
  const { asScheduled, scheduledRun } = await import('./kubernetes/scheduled-run.js')
  const due = scheduledRun(process.env, CONTEXT.now)
  const command = await readCommandLine(words, { ...CONTEXT, ...(due && { now: due }) }, KUBECTL_OMEN)
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

/** What went wrong, on standard error: a line for each problem, and never a stack trace. */
function explain(error: unknown): number {
  const { write } = openOutput(2)
  if (error instanceof Failure) {
    for (const line of error.message.split('\n')) write(errorLine(error.kind, line))
    if (error.hint !== undefined) write(`${error.hint}\n`)
    return error.exitCode
  }
  const { message, stack } = error as Error
  write(
    `${errorLine('Internal', message)}This is a mistake in omen. Please report it with this line:\n${placeOf(stack)}\n`,
  )
  return 1
}

/** Where an unforeseen error arose. */
function placeOf(stack: string | undefined): string {
  return (
    stack
      ?.split('\n')
      .find((line) => line.trimStart().startsWith('at '))
      ?.trim() ?? 'unknown place'
  )
}

// Not awaited at the top level: modules that are loaded later may import from this file, and would wait for its end. The
// process is ended here because a read of a pipe that brings nothing would keep it alive; everything has been written.
main()
  .catch(explain)
  .then((status) => process.exit(status))
