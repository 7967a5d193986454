#!/usr/bin/env node
import { HELP, readArguments, UsageError } from './arguments.js'
import { VERSION } from './version.js'

/** Exit codes: 0 done, 1 an error, 2 a command line that cannot be understood. */
async function main(): Promise<number> {
  const request = readArguments(process.argv.slice(2))
  const hasNothingToRead = request.paths.length === 0 && process.stdin.isTTY
  if (request.help || hasNothingToRead) {
    process.stdout.write(HELP)
    return 0
  }
  if (request.version) {
    process.stdout.write(`omen ${VERSION}\n`)
    return 0
  }
  // Help and version answer without loading the engine.
  const { run } = await import('./run.js')
  return run(request)
}

function explain(error: unknown): number {
  const usage = error instanceof UsageError
  process.stderr.write(usage ? `${error.message}\nTry: omen --help\n` : `${(error as Error).message}\n`)
  return usage ? 2 : 1
}

// Not awaited at the top level: modules that are loaded later may import from this file, and would wait for its end.
main()
  .catch(explain)
  .then((status) => {
    process.exitCode = status
  })
