import { parseArgs } from 'node:util'
import { readOnly } from '../measure-rows.js'
import { readSize } from '../options.js'

export interface KubernetesOptions {
  /** Names of the rows to measure; all when empty. */
  readonly only: readonly string[]
  readonly containers: number
  /** Bytes of each container's log. */
  readonly size: number
  /** Another build of the plugin to measure. */
  readonly subject?: string
  readonly json: boolean
  readonly help: boolean
}

export const USAGE = `npm run bench:kubernetes -- [options]

  --only <row>        measure these rows only (repeat it, or separate them by commas)
  --containers <n>    how many containers the cluster has (2000)
  --size <size>       how long each one's log is (50MB)
  --subject <file>    measure this build of the plugin (packages/cli/dist/kubectl-omen.js)
  --json              print JSON instead of a table
  --help              show this

The rows: `

/** Fewer would have no tenth, and could all be read at once. */
const FEWEST = 40

/**
 * Reads the command line. Throws with a sentence for the user when it makes no sense.
 *
 * @example
 * readKubernetesOptions(['--containers', '200', '--size', '5MB'], ['scale', 'slow']).size // 5000000
 */
export function readKubernetesOptions(args: readonly string[], rows: readonly string[]): KubernetesOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      containers: { type: 'string', default: '2000' },
      size: { type: 'string', default: '50MB' },
      subject: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const only = readOnly(values.only, rows)
  const containers = Number(values.containers)
  if (!Number.isInteger(containers) || containers < FEWEST) {
    throw new Error(`--containers takes a number from ${FEWEST}, not "${values.containers}"`)
  }
  return {
    only,
    containers,
    size: readSize(values.size),
    json: values.json,
    help: values.help,
    ...(values.subject === undefined ? {} : { subject: values.subject }),
  }
}
