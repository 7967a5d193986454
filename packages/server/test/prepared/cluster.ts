import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import type { SmallDisk } from '../small-disk.js'

/** The data is temporary, so it need not survive a crash. Background work is disabled, so that a full disk stays full. */
const SETTINGS = [
  'autovacuum=off',
  'listen_addresses=',
  'fsync=off',
  'full_page_writes=off',
  'max_connections=200',
  'shared_buffers=16MB',
]

/** A private PostgreSQL on a Unix socket in a temporary folder. */
export interface Cluster {
  /** The folder of its socket. */
  readonly folder: string
  start(): Promise<void>
  /** `fast` closes connections immediately, `immediate` is a crash. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
  /** Stops it in any state, and removes its data. */
  remove(): Promise<void>
  /** The same without waiting, for a process that is about to exit. */
  abandon(): void
}

/**
 * Makes and starts a PostgreSQL, optionally on a small disk.
 *
 * @example
 * const cluster = await makeCluster()
 * const url = await createDatabase(cluster.folder)
 * await cluster.remove()
 */
export async function makeCluster({ disk }: { readonly disk?: SmallDisk } = {}): Promise<Cluster> {
  const folder = makeFolder()
  const data = disk ? disk.path('data') : join(folder, 'data')
  let server: ChildProcess | undefined
  const start = async () => {
    const options = ['-D', data, '-k', folder, ...SETTINGS.flatMap((setting) => ['-c', setting])]
    const [name = '', ...argv] = [...asNobody(disk), program('postgres'), ...options]
    server = spawn(name, argv, { cwd: tmpdir(), stdio: 'ignore' })
    await untilItResponds(urlOf(folder, 'postgres'), server)
  }
  const stop = async (how: 'fast' | 'immediate' = 'fast') => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await gone
  }
  const remove = async () => {
    await stop('immediate')
    rmSync(folder, { recursive: true, force: true })
  }
  const abandon = () => {
    server?.kill('SIGQUIT')
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await initialize(data, disk)
    await start()
  } catch (error) {
    await remove()
    throw error
  }
  return { folder, start, stop, remove, abandon }
}

/** Makes an empty database in the cluster with its socket in a folder, and gives its URL. */
export async function createDatabase(folder: string, name: string): Promise<string> {
  await administer(folder, `create database ${name}`)
  return urlOf(folder, name)
}

/** Removes a database and closes its connections. */
export function dropDatabase(folder: string, name: string): Promise<void> {
  return administer(folder, `drop database ${name} with (force)`)
}

async function administer(folder: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(folder, 'postgres') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

const urlOf = (folder: string, database: string) => `postgres://omen@${encodeURIComponent(folder)}/${database}`

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'omen-pg-'))
  const nobody = nobodyIds()
  if (nobody) chownSync(folder, nobody.uid, nobody.gid)
  chmodSync(folder, 0o700)
  return folder
}

async function initialize(data: string, disk: SmallDisk | undefined): Promise<void> {
  const options = ['--no-sync', '--no-instructions', '-A', 'trust', '-U', 'omen', '-E', 'UTF8', '--no-locale']
  const [name = '', ...argv] = [...asNobody(disk), program('initdb'), '-D', data, ...options]
  const child = spawn(name, argv, { cwd: tmpdir(), stdio: ['ignore', 'ignore', 'pipe'] })
  const [[status], complaint] = await Promise.all([once(child, 'close'), text(child.stderr)])
  if (status !== 0) throw new Error(`initdb: ${complaint}`)
}

/** PostgreSQL does not run as root. */
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

async function untilItResponds(url: string, server: ChildProcess): Promise<void> {
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
