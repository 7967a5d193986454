import { readFileSync, realpathSync, statSync } from 'node:fs'
import { Failure } from '../../failure.js'
import { type Lock, takeLock } from '../../file-lock.js'
import { writeFileAtomically } from '../../output/write-file.js'
import { readState, type SavedFinished, type SavedState, STATE_VERSION } from './state-document.js'

/** What is written: the files are JSON, serialized when they last changed. */
export interface WrittenState {
  readonly rules: string
  readonly files: readonly string[]
  readonly left: readonly SavedFinished[]
  /** What the caller still has to deliver: any JSON value. */
  readonly outbox?: unknown
}

/** A state file that is locked by this process until it is closed. */
export interface StateFile {
  readonly path: string
  /** What the last run saved; undefined in the first run. */
  readonly saved: SavedState | undefined
  /** Writes everything; it is on the disk when this resolves. Rejects with a `Failure` of kind `State`. */
  write(state: WrittenState): Promise<void>
  /** Writes what is still to be delivered, with everything else as it was written last. */
  writeOutbox(outbox: unknown): Promise<void>
  /** Releases the lock. */
  close(): void
}

/** It contains log lines, which only those may read who may read the logs. */
const MODE = 0o600

/**
 * Opens a state file, or prepares to write a new one. Throws a `Failure` if another process uses it, if it is not a state
 * file, or if a newer omen wrote it; it is not overwritten then.
 *
 * @example
 * const state = openStateFile('/var/lib/omen/state.json')
 * try { await followSources({ …, state }) } finally { state.close() }
 */
export function openStateFile(given: string): StateFile {
  const path = afterLinks(given)
  const lock = lockFile(given, `${path}.lock`)
  try {
    const text = readText(given, path)
    const saved = text.trim() === '' ? undefined : readState(given, text)
    let last: WrittenState = saved
      ? { ...saved, files: saved.files.map((file) => JSON.stringify(file)) }
      : { rules: '', files: [], left: [] }
    const write = async (state: WrittenState) => {
      await writeFileAtomically(path, serialize(state), { mode: MODE }).catch((error: unknown) => {
        throw error instanceof Failure ? new Failure('State', error.message, { cause: error }) : error
      })
      last = state
    }
    return {
      path: given,
      saved,
      write,
      writeOutbox: (outbox) => write({ ...last, outbox }),
      close: () => lock.release(),
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

function* serialize({ rules, files, left, outbox }: WrittenState): Iterable<string> {
  yield `{"omen":"state","version":${STATE_VERSION},"rules":${JSON.stringify(rules)},\n"files":[`
  for (const [index, file] of files.entries()) yield index === 0 ? `\n${file}` : `,\n${file}`
  yield `],\n"left":${JSON.stringify(left)}`
  if (outbox !== undefined) yield `,\n"outbox":${JSON.stringify(outbox)}`
  yield '}\n'
}

/** A file that does not exist is read as an empty one. */
function readText(given: string, path: string): string {
  try {
    if (!(statSync(path, { throwIfNoEntry: false })?.isFile() ?? true)) {
      throw new Failure('State', `${given}: is not a regular file: name one with --state`)
    }
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Failure) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return ''
    throw new Failure('State', `${given}: ${READ_ERRORS[code ?? ''] ?? code}`, { cause: error })
  }
}

const READ_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied: it belongs to another user',
  EPERM: 'permission denied: it belongs to another user',
  ERR_STRING_TOO_LONG: 'too large to be a state file: name another file with --state',
}

/** Writing replaces the file itself, not a symbolic link to it. */
function afterLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Locks a file with a lock file beside it. One that a dead process left is taken over. */
function lockFile(path: string, lockPath: string): Lock {
  const lock = tryLock(path, lockPath)
  if (!('heldBy' in lock)) return lock
  const { heldBy } = lock
  const message =
    heldBy === ''
      ? `in use: ${lockPath} was created a moment ago`
      : `in use ${heldBy}: stop it, or name another file with --state`
  throw new Failure('State', `${path}: ${message}`)
}

function tryLock(path: string, lockPath: string): ReturnType<typeof takeLock> {
  try {
    return takeLock(lockPath)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new Failure('State', `${path}: ${LOCK_ERRORS[code] ?? code}`, { cause: error })
  }
}

const LOCK_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'the folder does not exist: create it or name another file with --state',
  ENOTDIR: 'a part of the path is not a folder',
  EACCES: 'permission denied: name a file in a folder that you may write to with --state',
  EPERM: 'permission denied: name a file in a folder that you may write to with --state',
  EROFS: 'the file system is read-only: name another file with --state',
  ENOSPC: 'the disk is full: free some space or name another file with --state',
}
