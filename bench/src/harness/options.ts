import { parseArgs } from 'node:util'

/** A flag with a value: its default, how it is shown in the help, and how its value is read. */
export interface Flag<Value> {
  readonly default: string
  readonly value: string
  readonly about: string
  /** Throws with a sentence for the user when the value makes no sense. */
  read(text: string, flag: string): Value
}

export type Flags = Readonly<Record<string, Flag<unknown>>>

/** The options of a suite: its own flags, and those that every suite has. */
export type Options<Own extends Flags> = CommonOptions & {
  readonly [Name in keyof Own]: Own[Name] extends Flag<infer Value> ? Value : never
}

export interface CommonOptions {
  /** Names of the rows to measure; all when empty. */
  readonly only: readonly string[]
  /** Another build of the program to measure. */
  readonly subject?: string
  readonly json: boolean
  readonly help: boolean
}

/**
 * Reads the command line. Throws with a sentence for the user when it makes no sense.
 *
 * @example
 * readOptions(['--only', 'scan', '--runs', '3'], { runs: countFlag(5, 'runs of each program') }, ['scan', 'start']).runs // 3
 */
export function readOptions<const Own extends Flags>(
  argv: readonly string[],
  flags: Own,
  rows: readonly string[],
): Options<Own> {
  const own = Object.entries(flags).map(([name, flag]) => [name, { type: 'string', default: flag.default }] as const)
  const { values } = parseArgs({
    args: [...argv],
    options: {
      ...Object.fromEntries(own),
      only: { type: 'string', multiple: true, default: [] },
      subject: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const { only, subject, json, help, ...given } = values
  const texts: Readonly<Record<string, unknown>> = given
  const read = Object.entries(flags).map(([name, flag]) => [name, flag.read(String(texts[name]), name)])
  return {
    ...Object.fromEntries(read),
    only: readRows(only, rows),
    json,
    help,
    ...(subject === undefined ? {} : { subject }),
  }
}

function readRows(values: readonly string[], rows: readonly string[]): readonly string[] {
  const only = values.flatMap((names) => names.split(',')).filter((name) => name !== '')
  const unknown = only.find((name) => !rows.includes(name))
  if (unknown !== undefined) throw new Error(`there is no row "${unknown}"; the rows are ${rows.join(', ')}`)
  return only
}

/** The help of a suite. */
export function usage(
  command: string,
  flags: Flags,
  rows: readonly { readonly name: string; readonly about: string }[],
): string {
  const lines = [
    ['--only <row>', 'measure only these rows (repeat it, or separate them by commas)'],
    ...Object.entries(flags).map(([name, flag]) => [`--${name} ${flag.value}`, `${flag.about} (${flag.default})`]),
    ['--subject <file>', 'measure this build of the program'],
    ['--json', 'print JSON with every run instead of a table'],
    ['--help', 'show this help'],
  ]
  const show = (pairs: readonly (readonly string[])[]) =>
    pairs.map(([left = '', right]) => `  ${left.padEnd(20)}  ${right}`).join('\n')
  return `npm run ${command} -- [options]\n\n${show(lines)}\n\nThe rows:\n${show(rows.map(({ name, about }) => [name, about]))}`
}

/** A flag that takes a whole number. */
export function countFlag(count: number, about: string, least = 1): Flag<number> {
  return {
    default: String(count),
    value: '<n>',
    about,
    read(text, flag) {
      const read = Number(text)
      if (Number.isInteger(read) && read >= least) return read
      throw new Error(`--${flag} takes a number from ${least}, not "${text}"`)
    },
  }
}

/** A flag that takes a size such as `400MB`. */
export function sizeFlag(size: string, about: string): Flag<number> {
  return { default: size, value: '<size>', about, read: readSize }
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
