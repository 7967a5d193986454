import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it, for its owner alone; one that is there is fine. Node's own `recursive` never returns
 * where a folder cannot be made though the one above it exists, as below /proc.
 *
 * @example
 * makeFolder('/home/ada/.preq/cache')
 */
export function makeFolder(folder: string, mode = 0o700): void {
  if (make(folder, mode)) return
  makeFolder(dirname(folder), mode)
  if (!make(folder, mode)) throw new Error(`${folder}: cannot be made`)
}

/** False when the folder above is missing. */
function make(folder: string, mode: number): boolean {
  try {
    mkdirSync(folder, mode)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return true
    if (code === 'ENOENT' && dirname(folder) !== folder) return false
    throw error
  }
}
