import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'

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
 * Makes an embedded database, unless it exists. A child process does it, because it takes some 700 MiB for a moment, which this
 * process would not fully give back. The folder is renamed when it is complete, so an interruption does not leave half a database.
 * The caller must have locked the parent folder.
 *
 * @example
 * await makeDatabase('/var/lib/omen/database', ['shared_buffers=8MB'])
 */
export async function makeDatabase(folder: string, settings: readonly string[]): Promise<void> {
  if (existsSync(join(folder, 'PG_VERSION'))) return
  const [above, prefix] = [dirname(folder), `${basename(folder)}.new-`]
  for (const name of readdirSync(above)) {
    if (name.startsWith(prefix)) rmSync(join(above, name), { recursive: true, force: true })
  }
  const fresh = mkdtempSync(join(above, prefix))
  try {
    await runInProcess(fresh, settings)
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    throw error
  }
}

async function runInProcess(folder: string, settings: readonly string[]): Promise<void> {
  const engine = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const child = spawn(process.execPath, ['-e', PROGRAM, engine, folder, ...settings], {
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  const [status, stderr] = await Promise.all([ended, text(child.stderr)])
  if (status !== 0) throw new Error(stderr.trim() || 'the process that makes the database was killed')
}
