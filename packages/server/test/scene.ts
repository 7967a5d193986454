import type { OmenServer, RunOptions, useOmen } from './omen-server.js'

const DAY_MS = 86_400_000

/** Flags of a server with high rate limits that may use identity providers on this machine. */
export const FOR_TESTS = [
  '--allow-insecure-idp',
  '--limit-code-tries',
  '100000',
  '--limit-calls',
  '100000',
  '--log-level',
  'error',
] as const

/** An expiry date for a code. */
export const inAMonth = () => new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10)

/** Runs servers and commands on one data directory and one database. */
export interface Scene {
  serve(more?: RunOptions): Promise<OmenServer>
  /** Runs a command and parses the JSON that it prints. */
  command<T = unknown>(...args: string[]): Promise<T>
  issue(org?: string): Promise<string>
  /** The actions of all audit records, oldest first. */
  actions(): Promise<string[]>
}

/**
 * Prepares servers and commands of the built program.
 *
 * @example
 * const { serve, issue } = makeScene(omen, 'data', { env: { DATABASE_URL } })
 */
export function makeScene(omen: ReturnType<typeof useOmen>, dataDir: string, options: RunOptions = {}): Scene {
  const folder = ['--data-dir', dataDir]
  let furnished: Promise<void> | undefined
  const prepare = () => {
    furnished ??= options.env?.DATABASE_URL === undefined ? omen.copyPreparedDatabase(dataDir) : Promise.resolve()
    return furnished
  }
  const command = async <T>(...args: string[]): Promise<T> => {
    await prepare()
    const { status, out, err } = await omen.run([...args, ...folder, '--json'], options)
    if (status !== 0) throw new Error(err)
    return JSON.parse(out) as T
  }
  return {
    serve: async (more = {}) => {
      await prepare()
      return omen.serve([...folder, ...FOR_TESTS], { ...options, ...more })
    },
    command,
    issue: async (org = 'Acme') => {
      const args = ['code', 'issue', '--org', org, '--expires', inAMonth()]
      return (await command<{ code: string }>(...args)).code
    },
    actions: async () => (await command<{ action: string }[]>('audit', '-n', '10000')).map(({ action }) => action),
  }
}
