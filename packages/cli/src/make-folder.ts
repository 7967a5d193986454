import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents, for the owner only, unless it exists. The `recursive` option of Node.js never returns
 * where a folder cannot be created although its parent exists, as in /proc.
 *
 * @example
 * makeFolder('/home/ada/.preq/cache')
 */
export function makeFolder(folder: string, mode = 0o700): void {
  if (create(folder, mode)) return
  makeFolder(dirname(folder), mode)
  if (!create(folder, mode)) throw new Error(`${folder}: cannot be created`)
}

/** Returns false if the parent does not exist. */
function create(folder: string, mode: number): boolean {
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
