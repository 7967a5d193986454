import { parseArgs } from 'node:util'
import { readOnly } from '../measure-rows.js'

export interface ServerOptions {
  /** Names of the rows to measure; all when empty. */
  readonly only: readonly string[]
  /** How long each round of each contestant lasts. */
  readonly seconds: number
  readonly connections: number
  /** Turns of both contestants, of which the median counts. */
  readonly runs: number
  /** Another build of the service to measure. */
  readonly subject?: string
  readonly json: boolean
  readonly help: boolean
}

export const USAGE = `npm run bench:server -- [options]

  --only <row>         measure these rows only (repeat it, or separate them by commas)
  --seconds <n>        how long each round lasts (1)
  --connections <n>    connections at the same time (20)
  --runs <n>           turns of both contestants, of which the median counts (31)
  --subject <file>     measure this build of the service (packages/server/dist/omen-server.js)
  --json               print JSON instead of a table
  --help               show this

The rows: `

/**
 * Reads the command line. Throws with a sentence for the user when it makes no sense.
 *
 * @example
 * readServerOptions(['--only', 'validate', '--seconds', '1'], ['validate', 'memory']).seconds // 1
 */
export function readServerOptions(args: readonly string[], rows: readonly string[]): ServerOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      seconds: { type: 'string', default: '1' },
      connections: { type: 'string', default: '20' },
      runs: { type: 'string', default: '31' },
      subject: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const only = readOnly(values.only, rows)
  return {
    only,
    seconds: readCount('seconds', values.seconds),
    connections: readCount('connections', values.connections),
    runs: readCount('runs', values.runs),
    json: values.json,
    help: values.help,
    ...(values.subject === undefined ? {} : { subject: values.subject }),
  }
}

function readCount(flag: string, text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${flag} takes a number from 1, not "${text}"`)
  return count
}
