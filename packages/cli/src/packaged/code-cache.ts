import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.js'

/** A cache that was written longer ago most likely belongs to a removed version. If it is still in use, it is written again. */
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000

const FOLDER_PREFIX = 'code-'

/** Stores the compiled code of files between runs. */
export interface CodeCache {
  /** The compiled code of a file, or undefined if there is none that can be trusted. */
  read(file: string): Uint8Array | undefined
  /** Stores the compiled code of a file for the next run, if possible. */
  write(file: string, code: Uint8Array): void
}

/**
 * Opens the cache in a folder. Compiled code fits only one build of the tool in one build of Node.js, which the name of its
 * folder contains. V8 checks its version and flags but not the code, and crashes when that is damaged: each file holds the code
 * twice and is used only if both copies are equal. A file that another user could have written is not used. See
 * docs/decisions/0008-code-cache.md.
 *
 * @example
 * const cache = openCodeCache('/home/me/.preq/cache', 'b83kd0')
 * cache.write('run.js', script.createCachedData())
 */
export function openCodeCache(folder: string, build: string): CodeCache {
  const home = join(folder, `${FOLDER_PREFIX}${build}-${runtimeName()}`)
  return {
    read(file) {
      const both = readOwnFile(join(home, file))
      if (both === undefined || both.length === 0) return undefined
      const code = both.subarray(0, both.length / 2)
      return code.equals(both.subarray(both.length / 2)) ? code : undefined
    },
    write(file, code) {
      try {
        const isNew = !existsSync(home)
        makeFolder(home)
        writeTwice(join(home, file), code)
        if (isNew) removeOld(folder)
      } catch {
        // The folder is read-only or the disk is full: the next run compiles again.
      }
    },
  }
}

/** Names the Node.js executable: two builds of one version cannot use each other's code, and V8 does not notice. */
function runtimeName(): string {
  const { size, mtimeMs } = statSync(process.execPath)
  return `${process.version}-${process.arch}-${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}`
}

/** Reads a file that only this user or root can have written: a file of another user would run that user's code. */
function readOwnFile(path: string): Buffer | undefined {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const stats = fstatSync(file)
    if (!isTrusted(stats)) return undefined
    const bytes = Buffer.allocUnsafeSlow(stats.size)
    return readSync(file, bytes) === stats.size ? bytes : undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function isTrusted({ uid, mode }: Stats): boolean {
  const ownUid = process.geteuid?.()
  return ownUid === undefined || ((uid === ownUid || uid === 0) && (mode & 0o022) === 0)
}

/** Writes a temporary file, syncs it and renames it: the file is never half written, not even after a power failure. */
function writeTwice(path: string, code: Uint8Array): void {
  // The process ID is not enough: two containers that share the folder may have the same one.
  const temporary = `${path}.${process.pid.toString(36)}${Math.random().toString(36).slice(2)}`
  try {
    const file = openSync(temporary, 'wx', 0o600)
    try {
      for (const half of [code, code]) if (writeSync(file, half) !== half.length) throw new Error('the disk is full')
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(FOLDER_PREFIX)) continue
    const path = join(folder, name)
    const { mtimeMs } = statSync(path)
    if (Date.now() - mtimeMs > MAX_AGE_MS) rmSync(path, { recursive: true, force: true })
  }
}
