import { parseArgs } from 'node:util'
import { readOnly } from './measure-rows.js'

export interface Options {
  /** Bytes of the main log. */
  readonly size: number
  /** Bytes that go through the pipe of the memory row. */
  readonly pipe: number
  readonly runs: number
  /** Names of the rows to measure; all when empty. */
  readonly only: readonly string[]
  readonly json: boolean
  /** Another build of the tool to measure. */
  readonly subject?: string
  readonly help: boolean
}

export const USAGE = `npm run bench -- [options]

  --only <row>      measure these rows only (repeat it, or separate them by commas)
  --size <size>     the log's size (400MB)
  --pipe <size>     how much goes through the pipe of the memory row (4GB)
  --runs <n>        runs of each program, of which the best counts (5)
  --subject <file>  measure this build of the tool (packages/cli/dist/omen.js)
  --json            print JSON instead of a table
  --help            show this

The rows: `

/** Reads the command line. Throws with a sentence for the user when it makes no sense. */
export function readOptions(args: readonly string[], rows: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      size: { type: 'string', default: '400MB' },
      pipe: { type: 'string', default: '4GB' },
      runs: { type: 'string', default: '5' },
      only: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      subject: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const only = readOnly(values.only, rows)
  const runs = Number(values.runs)
  if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs takes a number from 1, not "${values.runs}"`)
  return {
    size: readSize(values.size),
    pipe: readSize(values.pipe),
    runs,
    only,
    json: values.json,
    help: values.help,
    ...(values.subject === undefined ? {} : { subject: values.subject }),
  }
}

const UNITS: Record<string, number> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
}

/** `400MB`, `4GB`, `64 MiB`, `1000` */
export function readSize(text: string): number {
  const found = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim())
  const unit = UNITS[found?.[2]?.toLowerCase() ?? '']
  const size = found && unit !== undefined ? Math.round(Number(found[1]) * unit) : 0
  if (size < 1) throw new Error(`not a size: "${text}" (as in 400MB or 64MiB)`)
  return size
}

/** A size as it goes into names of files and rows. */
export function showSize(bytes: number): string {
  if (bytes % 1e9 === 0) return `${bytes / 1e9}GB`
  if (bytes % 1e6 === 0) return `${bytes / 1e6}MB`
  return `${bytes}B`
}
