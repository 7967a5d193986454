import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { findTarget } from './find-target.js'
import { codeOf, explainWriteError } from './write-failure.js'
import { gather } from './write-stream.js'

type Chunks = Iterable<string | Uint8Array>

export interface WriteOptions {
  /** The permissions of a new file before the umask is applied; 0666 by default. An existing file keeps its own. */
  readonly mode?: number
  /** Ends the wait for the reader of a named pipe. */
  readonly signal?: AbortSignal
}

/** Longer names are shortened for the temporary file, because a name may have at most 255 bytes. */
const NAME_BYTES = 200

/** How many names are tried for a new file. */
const ATTEMPTS = 10_000

/**
 * Writes a file so that a reader sees either the old or the complete new content: writes a temporary file in the same folder, syncs
 * it to disk and renames it. A failure removes the temporary file and leaves the old one untouched. Symbolic links are followed;
 * devices, named pipes and `/dev/stdout` are written directly.
 *
 * @example
 * await writeFileAtomically('report.json', serializeReport(problems))
 * await writeFileAtomically(tokenFile, [token], { mode: 0o600 })
 */
export async function writeFileAtomically(path: string, chunks: Chunks, options: WriteOptions = {}): Promise<void> {
  try {
    const target = findTarget(path)
    if (target.kind !== 'file') {
      const { writeDirectly } = await import('./write-directly.js')
      return await writeDirectly(target, chunks, options.signal)
    }
    // A write-protected file is not replaced, although a rename could.
    if (target.existing) accessSync(target.path, constants.W_OK)
    const temporary = writeTemporary(target.path, chunks, options.mode, target.existing)
    publish(temporary, () => renameSync(temporary, target.path))
  } catch (error) {
    throw explainWriteError(path, error)
  }
}

/**
 * Writes a file under the first free name, and returns that name. Never replaces a file, even if several processes write at the same
 * time.
 *
 * @example
 * await writeNewFile((attempt) => `report-${attempt}.json`, ['[]\n'])   // 'report-0.json', then 'report-1.json'
 */
export async function writeNewFile(nameFor: (attempt: number) => string, chunks: Chunks): Promise<string> {
  try {
    const temporary = writeTemporary(resolve(nameFor(0)), chunks, undefined, undefined)
    return publish(temporary, () => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (moveToFreeName(temporary, nameFor(attempt))) return nameFor(attempt)
      }
      throw Object.assign(new Error('no free name'), { code: 'EEXIST' })
    })
  } catch (error) {
    throw explainWriteError(nameFor(0), error)
  }
}

/** Writes a temporary file in the folder of `path`, and syncs it to disk. */
function writeTemporary(path: string, chunks: Chunks, mode = 0o666, existing: Stats | undefined): string {
  const temporary = join(dirname(path), `.${shorten(basename(path))}.${randomName()}.tmp`)
  // The new file is created with the permissions of the old one, so that a secret is never readable by others.
  const file = openSync(temporary, 'wx', existing ? existing.mode & 0o777 : mode)
  try {
    try {
      if (existing) copyOwnership(file, existing)
      for (const batch of gather(chunks)) writeFileSync(file, batch)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    return temporary
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function publish<T>(temporary: string, rename: () => T): T {
  try {
    const result = rename()
    syncFolder(dirname(temporary))
    return result
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** A link fails if the file exists, unlike a rename. Some file systems have no links: there the name is checked first. */
function moveToFreeName(temporary: string, name: string): boolean {
  try {
    linkSync(temporary, name)
    rmSync(temporary, { force: true })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
  }
  if (existsSync(name)) return false
  renameSync(temporary, name)
  return true
}

/** Gives the new file the owner and permissions of the old one, as far as permitted. */
function copyOwnership(file: number, { mode, uid, gid }: Stats): void {
  try {
    fchownSync(file, uid, gid)
  } catch {
    // Only root can change the owner; otherwise the file belongs to this user, as a copy would.
  }
  fchmodSync(file, mode & 0o7777)
}

/**
 * Syncs a folder to disk, without which a rename may not survive a power failure. Does nothing if the system does not support it.
 *
 * @example
 * renameSync(temporary, path)
 * syncFolder(dirname(path))
 */
export function syncFolder(folder: string): void {
  try {
    const file = openSync(folder, 'r')
    try {
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch {
    // The file itself has been synced and renamed.
  }
}

function shorten(name: string): string {
  return Buffer.byteLength(name) <= NAME_BYTES
    ? name
    : Buffer.from(name)
        .toString('latin1', 0, 40)
        .replace(/[^\w.-]/g, '_')
}

/** Makes a collision unlikely; the file is opened with `wx`, which fails if it exists. */
function randomName(): string {
  return `${process.pid.toString(36)}${Math.random().toString(36).slice(2, 10)}`
}
