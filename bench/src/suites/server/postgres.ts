import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

/**
 * PostgreSQL's defaults, except for what disturbs a measurement: the data is temporary, so nothing is forced to disk, and nothing is
 * vacuumed in the middle of a round.
 */
const SETTINGS = ['listen_addresses=', 'fsync=off', 'full_page_writes=off', 'autovacuum=off', 'max_connections=60']

/** A private PostgreSQL on a Unix socket in a folder. */
export interface Postgres {
  readonly version: string
  /** The URL of a new, empty database. */
  createDatabase(name: string): Promise<string>
  stop(): Promise<void>
}

/**
 * Makes a cluster below a folder and starts it.
 *
 * @example
 * const postgres = await startPostgres('/tmp/omen-bench-x')
 * const url = await postgres.createDatabase('empty')
 */
export async function startPostgres(scratch: string): Promise<Postgres> {
  const folder = makeCluster(scratch)
  const options = ['-D', join(folder, 'data'), '-k', folder, ...SETTINGS.flatMap((setting) => ['-c', setting])]
  const server = spawn(program('postgres'), options, { ...asNobody(), stdio: 'ignore' })
  await untilItAnswers(urlOf(folder, 'postgres'), server)
  const run = (sql: string) => runSql(urlOf(folder, 'postgres'), sql)
  const [row] = await run('show server_version')
  return {
    version: String(row?.server_version),
    async createDatabase(name) {
      await run(`create database "${name}"`)
      return urlOf(folder, name)
    },
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return
      const gone = once(server, 'exit')
      server.kill('SIGQUIT')
      await gone
    },
  }
}

/** Runs one text of SQL on a connection of its own. */
export async function runSql(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows ?? []
  } finally {
    await client.end()
  }
}

const urlOf = (folder: string, database: string) => `postgres://omen@${encodeURIComponent(folder)}/${database}`

function makeCluster(scratch: string): string {
  // Whoever runs the cluster must be able to reach it through the folders above.
  chmodSync(scratch, 0o711)
  const folder = join(scratch, 'postgres')
  mkdirSync(folder, { mode: 0o700 })
  const { uid, gid } = asNobody()
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  const options = ['--no-sync', '--no-instructions', '-A', 'trust', '-U', 'omen', '-E', 'UTF8', '--no-locale']
  const data = join(folder, 'data')
  const made = spawnSync(program('initdb'), ['-D', data, ...options], { ...asNobody(), encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb: ${made.error?.message ?? made.stderr}`)
  return folder
}

/** PostgreSQL refuses to run as root. */
function asNobody(): { readonly uid?: number; readonly gid?: number; readonly cwd: string } {
  if (process.getuid?.() !== 0) return { cwd: tmpdir() }
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g'), cwd: tmpdir() }
}

/** Debian keeps the server's programs out of the path, in a folder for each version. */
function program(name: string): string {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  const found = versions.map((version) => join(root, version, 'bin', name)).find((path) => existsSync(path))
  return found ?? name
}

async function untilItAnswers(url: string, server: ChildProcess): Promise<void> {
  let failed: Error | undefined
  server.once('error', (error) => {
    failed = error
  })
  for (;;) {
    if (failed) throw new Error(`PostgreSQL does not start: ${failed.message}`)
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`)
    try {
      await runSql(url, 'select 1')
      return
    } catch {
      await wait(20)
    }
  }
}
