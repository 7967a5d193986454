import { Failure } from '../failure.js'
import { type Lock, takeLock } from '../file-lock.js'

/**
 * Makes sure that one process alone works with a file, with a lock file beside it. One that a dead process left is taken
 * over.
 *
 * @example
 * const lock = lockFile('s.json', 's.json.lock') // Failure: s.json: in use by process 4711
 */
export function lockFile(path: string, lockPath: string): Lock {
  const lock = take(path, lockPath)
  if (!('heldBy' in lock)) return lock
  const { heldBy } = lock
  const message =
    heldBy === ''
      ? `in use: ${lockPath} was made a moment ago`
      : `in use ${heldBy}: stop it, or name another file with --state`
  throw new Failure('State', `${path}: ${message}`)
}

function take(path: string, lockPath: string): ReturnType<typeof takeLock> {
  try {
    return takeLock(lockPath)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new Failure('State', `${path}: ${REASONS[code] ?? code}`, { cause: error })
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the folder does not exist: create it or name another file with --state',
  ENOTDIR: 'a part of the path is not a folder',
  EACCES: 'permission denied: name a file in a folder that you may write to with --state',
  EPERM: 'permission denied: name a file in a folder that you may write to with --state',
  EROFS: 'the file system is read-only: name another file with --state',
  ENOSPC: 'the disk is full: free some space or name another file with --state',
}
