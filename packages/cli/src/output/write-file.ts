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
  /** The permissions of a new file, less those that the umask takes away; 0666 when absent. An existing file keeps its own. */
  readonly mode?: number
  /** Ends the wait for the reader of a named pipe. */
  readonly signal?: AbortSignal
}

/** As much of a name as leaves room for what a temporary file adds to it: names may have 255 bytes. */
const NAME_BYTES = 200

/** Names that are tried for a new file. More than that many in one folder at one second is something else. */
const ATTEMPTS = 10_000

/**
 * Writes a file so that a reader sees the old content or the new one, never a part, whatever happens on the way: a
 * temporary file beside it is written, synced to the disk and renamed. A failure removes that file and leaves the old one
 * untouched. Symbolic links are followed; devices, named pipes and `/dev/stdout` are written directly.
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
    // A file that is protected from writing is not replaced behind its owner's back.
    if (target.existing) accessSync(target.path, constants.W_OK)
    const temporary = writeTemporary(target.path, chunks, options.mode, target.existing)
    publish(temporary, () => renameSync(temporary, target.path))
  } catch (error) {
    throw explainWriteError(path, error)
  }
}

/**
 * Writes a file under the first name that is still free, and returns that name. No file is ever replaced, also when
 * several processes write at the same moment.
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

/** Writes everything to a file of its own beside the path, on the disk when this returns. */
function writeTemporary(path: string, chunks: Chunks, mode = 0o666, existing: Stats | undefined): string {
  const temporary = join(dirname(path), `.${shorten(basename(path))}.${randomName()}.tmp`)
  // What is secret in the old file is never readable in the new one, not even for the moment before its mode is set.
  const file = openSync(temporary, 'wx', existing ? existing.mode & 0o777 : mode)
  try {
    try {
      if (existing) takeAfter(file, existing)
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

/** A link fails where a file exists, which a rename does not. Some file systems have no links: there we look first. */
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

/** The new file has the owner and the permissions of the one that it replaces, as far as we may give them. */
function takeAfter(file: number, { mode, uid, gid }: Stats): void {
  try {
    fchownSync(file, uid, gid)
  } catch {
    // Only root can give files away; that the file is ours then is what a copy would do, too.
  }
  fchmodSync(file, mode & 0o7777)
}

/**
 * Brings a folder to the disk: a rename survives a power cut only when the folder is there, too. Not every system can do it.
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
    // The content is safe and in place.
  }
}

function shorten(name: string): string {
  return Buffer.byteLength(name) <= NAME_BYTES
    ? name
    : Buffer.from(name)
        .toString('latin1', 0, 40)
        .replace(/[^\w.-]/g, '_')
}

/** Uniqueness is the file system's job (the file must not exist yet); this only makes a collision unlikely. */
function randomName(): string {
  return `${process.pid.toString(36)}${Math.random().toString(36).slice(2, 10)}`
}
