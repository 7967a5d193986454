import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'

/**
 * Makes a database and ends. It also ends with whoever started it: then nobody waits for it any more.
 */
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
 * Makes an embedded database, unless there is one. A process of its own does it, because it takes some 700 MiB for a moment, which
 * a process that goes on would never quite give back. The folder gets its name when all is done, so one that is interrupted
 * leaves no half of a database behind. The caller has locked the folder above.
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
  const [status, complaint] = await Promise.all([ended, text(child.stderr)])
  if (status !== 0) throw new Error(complaint.trim() || 'the process that makes it was ended')
}
