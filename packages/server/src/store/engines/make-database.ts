import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { unzipSync } from 'fflate'

/**
 * An initialized database that the build makes and packs. Unpacking it takes 0.4 s of CPU instead of 7 s.
 * Without it, as in a run from source, the database is initialized here.
 */
const PACKED = new URL('../../database.zip', import.meta.url)

/** Makes a database and exits. It also exits when its parent process ends. */
const PROGRAM = `
  process.stdin.on('end', () => process.exit(1)).resume()
  const { PGlite } = require(process.argv[1])
  const [, , folder, ...settings] = process.argv
  PGlite.create(folder, { initDbStartParams: settings.flatMap((setting) => ['--set', setting]) })
    .then((engine) => engine.close())
    .then(
      () => process.exit(0),
      (error) => {
        console.error(error && error.message)
        process.exit(1)
      },
    )`

/**
 * Makes an embedded database, unless it exists. The folder is renamed when it is complete, so an interruption does not leave half
 * a database. The caller must have locked the parent folder.
 *
 * @example
 * await makeDatabase('/var/lib/omen/database', ['shared_buffers=8MB'])
 */
export async function makeDatabase(folder: string, settings: readonly string[], packed: URL = PACKED): Promise<void> {
  if (existsSync(join(folder, 'PG_VERSION'))) return
  const [above, prefix] = [dirname(folder), `${basename(folder)}.new-`]
  for (const name of readdirSync(above)) {
    if (name.startsWith(prefix)) rmSync(join(above, name), { recursive: true, force: true })
  }
  const fresh = mkdtempSync(join(above, prefix))
  try {
    if (existsSync(packed)) unpack(packed, fresh)
    else await initialize(fresh, settings)
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    throw error
  }
}

function unpack(packed: URL, folder: string): void {
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(packed)))) {
    if (name.endsWith('/')) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
    else writeFileSync(join(folder, name), bytes, { mode: 0o600 })
  }
}

/**
 * Initializes a database in an empty folder. A child process does it, because it takes some 700 MiB for a moment, which this
 * process would not fully give back.
 */
async function initialize(folder: string, settings: readonly string[]): Promise<void> {
  const engine = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const child = spawn(process.execPath, ['-e', PROGRAM, engine, folder, ...settings], {
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  const [status, stderr] = await Promise.all([ended, text(child.stderr)])
  if (status !== 0) throw new Error(stderr.trim() || 'the process that makes the database was killed')
}
