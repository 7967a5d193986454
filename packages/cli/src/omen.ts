#!/usr/bin/env node
import { existsSync } from 'node:fs'
import type { Command } from './command-line/command.js'
import { readCommandLine } from './command-line/read-command-line.js'
import { errorLine } from './console/error-line.js'
import { openOutput } from './console/output.js'
import { Failure } from './failure.js'
import { VERSION } from './version.js'

/** Runs the tool and returns its exit code. */
async function main(): Promise<number> {
  const command = await readCommandLine(process.argv.slice(2), { now: new Date(), exists: existsSync })
  // The version answers without loading anything more.
  if (command.verb === 'version') return print(`omen ${VERSION}\n`)
  return perform(command)
}

async function perform(command: Exclude<Command, { readonly verb: 'version' }>): Promise<number> {
  const { run } = await import('./run.js')
  return run(command)
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
