import { chmodSync, chownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const NOBODY = 65534

/**
 * Does something while a folder and what is in it can be read, and the folder not be written to. Root is stopped by no mode: then it
 * is done as somebody who is, to whom all of it belongs.
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
