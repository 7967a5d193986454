import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import type { SmallDisk } from './small-disk.js'

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
 * Starts a real PostgreSQL for the tests of a file, on a small disk if need be, and removes it after them.
 *
 * @example
 * const postgres = usePostgres()
 * test('…', async () => { const database = openPostgres({ url: await postgres.createDatabase() }) })
 */
export function usePostgres({ disk }: { readonly disk?: SmallDisk } = {}): TestPostgres {
  let folder = ''
  let data = ''
  let server: ChildProcess | undefined
  let databases = 0

  const start = async () => {
    const options = ['-D', data, '-k', folder, ...SETTINGS.flatMap((setting) => ['-c', setting])]
    const [name = '', ...words] = [...asNobody(disk), program('postgres'), ...options]
    server = spawn(name, words, { cwd: tmpdir(), stdio: 'ignore' })
    await untilItAnswers(urlOf(folder, 'postgres'), server)
  }
  const stop = async (how: 'fast' | 'immediate' = 'fast') => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await gone
  }
  beforeAll(async () => {
    folder = makeFolder()
    data = disk ? disk.path('data') : join(folder, 'data')
    makeCluster(data, disk)
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

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'omen-pg-'))
  const nobody = nobodyIds()
  if (nobody) chownSync(folder, nobody.uid, nobody.gid)
  chmodSync(folder, 0o700)
  return folder
}

function makeCluster(data: string, disk: SmallDisk | undefined): void {
  const options = ['--no-sync', '--no-instructions', '-A', 'trust', '-U', 'omen', '-E', 'UTF8', '--no-locale']
  const [name = '', ...words] = [...asNobody(disk), program('initdb'), '-D', data, ...options]
  const made = spawnSync(name, words, { cwd: tmpdir(), encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb: ${made.error?.message ?? made.stderr}`)
}

/** PostgreSQL refuses to run as root, and as what looks like root. */
function asNobody(disk: SmallDisk | undefined): readonly string[] {
  const nobody = nobodyIds()
  if (nobody) {
    const drop = ['setpriv', `--reuid=${nobody.uid}`, `--regid=${nobody.gid}`, '--clear-groups']
    return [...(disk?.through() ?? []), ...drop]
  }
  return disk ? [...disk.through(), 'unshare', '--user', '--map-user=1000', '--map-group=1000'] : []
}

function nobodyIds(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
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
