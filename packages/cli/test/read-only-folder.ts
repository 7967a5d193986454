import { chmodSync, chownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const NOBODY = 65534

/**
 * Runs a function while a folder is readable but not writable. File modes do not restrict root: root becomes another user, who owns the
 * folder, meanwhile.
 *
 * @example
 * const failure = await whileReadOnly(folder, () => logout({ quiet: false }, session).catch((error: Error) => error))
 */
export async function whileReadOnly<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const path of ['', ...readdirSync(folder)]) chownSync(join(folder, path), NOBODY, NOBODY)
  chmodSync(folder, 0o500)
  if (isRoot) process.seteuid!(NOBODY)
  try {
    return await work()
  } finally {
    if (isRoot) process.seteuid!(0)
    chmodSync(folder, 0o700)
  }
}
