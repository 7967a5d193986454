import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'

/** The data is thrown away: a crash of the machine may lose it. */
const SETTINGS = ['listen_addresses=', 'fsync=off', 'full_page_writes=off', 'max_connections=60', 'shared_buffers=16MB']

/** A private PostgreSQL of a test file, on a Unix socket in a temporary folder. */
export interface TestPostgres {
  /** The URL of a new, empty database. */
  createDatabase(): Promise<string>
  /** As an administrator would: `fast` ends connections at once, `immediate` is a crash. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
}

/**
 * Starts a real PostgreSQL for the tests of a file, and removes it after them.
 *
 * @example
 * const postgres = usePostgres()
 * test('…', async () => { const database = openPostgres({ url: await postgres.createDatabase() }) })
 */
export function usePostgres(): TestPostgres {
  let folder = ''
  let server: ChildProcess | undefined
  let databases = 0

  const start = async () => {
    const options = ['-D', join(folder, 'data'), '-k', folder, ...SETTINGS.flatMap((setting) => ['-c', setting])]
    server = spawn(program('postgres'), options, { ...asNobody(), stdio: 'ignore' })
    await untilItAnswers(urlOf(folder, 'postgres'), server)
  }
  const stop = async (how: 'fast' | 'immediate' = 'fast') => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await gone
  }
  beforeAll(async () => {
    folder = makeCluster()
    await start()
  })
  afterAll(async () => {
    await stop('immediate')
    rmSync(folder, { recursive: true, force: true })
  })
  const createDatabase = async () => {
    const name = `omen_${++databases}`
    const client = new pg.Client({ connectionString: urlOf(folder, 'postgres') })
    await client.connect()
    await client.query(`create database ${name}`)
    await client.end()
    return urlOf(folder, name)
  }
  return { createDatabase, stop, start }
}

const urlOf = (folder: string, database: string) => `postgres://omen@${encodeURIComponent(folder)}/${database}`

function makeCluster(): string {
  const folder = mkdtempSync(join(tmpdir(), 'omen-pg-'))
  const { uid, gid } = asNobody()
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  chmodSync(folder, 0o700)
  const options = ['--no-sync', '--no-instructions', '-A', 'trust', '-U', 'omen', '-E', 'UTF8', '--no-locale']
  const made = spawnSync(program('initdb'), ['-D', join(folder, 'data'), ...options], {
    ...asNobody(),
    encoding: 'utf8',
  })
  if (made.status === 0) return folder
  rmSync(folder, { recursive: true, force: true })
  throw new Error(`initdb: ${made.error?.message ?? made.stderr}`)
}

/** PostgreSQL refuses to run as root. */
function asNobody(): { readonly uid?: number; readonly gid?: number; readonly cwd: string } {
  if (process.getuid?.() !== 0) return { cwd: tmpdir() }
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g'), cwd: tmpdir() }
}

function program(name: string): string {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  const found = versions.map((version) => join(root, version, 'bin', name)).find((path) => existsSync(path))
  return found ?? name
}

async function untilItAnswers(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`)
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
