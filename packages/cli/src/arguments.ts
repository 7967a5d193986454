import { parseArgs } from 'node:util'

/** What the command line asks for. */
export interface Request {
  readonly help: boolean
  readonly version: boolean
  readonly quiet: boolean
  /** Do not run the bundled rules. */
  readonly disabled: boolean
  readonly rules: readonly string[]
  /** Where the report goes: a file, `-` for standard output, the empty string for nowhere. */
  readonly output: string | undefined
  readonly threads: number | undefined
  readonly paths: readonly string[]
}

const OPTIONS = {
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', short: 'v', default: false },
  quiet: { type: 'boolean', short: 'q', default: false },
  disabled: { type: 'boolean', short: 'd', default: false },
  rules: { type: 'string', short: 'r', multiple: true, default: [] as string[] },
  name: { type: 'string', short: 'o' },
  threads: { type: 'string' },
} as const

/** Raised for a command line that cannot be understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Reads the command line, without the program's own name. */
export function readArguments(words: readonly string[]): Request {
  const { values, positionals } = parse(words)
  return {
    help: values.help,
    version: values.version,
    quiet: values.quiet,
    disabled: values.disabled,
    rules: values.rules,
    output: values.name,
    threads: values.threads === undefined ? undefined : readThreads(values.threads),
    paths: positionals,
  }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function readThreads(text: string): number {
  const threads = Number(text)
  if (!Number.isInteger(threads) || threads < 1 || threads > 64) {
    throw new UsageError(`--threads takes a whole number from 1 to 64, not ${text}`)
  }
  return threads
}

export const HELP = `Usage: omen [options] [file…]

Finds known problems in logs: reads standard input, or the files given.

  -r, --rules PATH   also run the rules in this document or folder (repeatable)
  -d, --disabled     do not run the bundled rules
  -o, --name NAME    write the report to this file; - for standard output, "" for none
  -q, --quiet        print no progress and no summary
      --threads N    scan a file on this many threads
  -v, --version      print the version
  -h, --help         print this

Examples:
  kubectl logs deployment/web | omen
  omen -r my-rules.yaml /var/log/app.log
  omen -q -o - app.log | jq '.[].id'
`
