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

/** A cache that was written this long ago belongs to a version that is gone, most likely; one in use is made again. */
const OLD_MS = 30 * 24 * 60 * 60 * 1000

const FOLDER_PREFIX = 'code-'

/** The compiled code of files, kept between runs. */
export interface CodeCache {
  /** The compiled code of a file, or undefined when there is none that can be trusted. */
  read(file: string): Uint8Array | undefined
  /** Keeps the compiled code of a file for the next run, if that is possible. */
  keep(file: string, code: Uint8Array): void
}

/**
 * Opens the cache in a folder. Compiled code is good for one build of the tool in one build of Node.js alone: the name of
 * its folder says which. V8 itself checks its version and flags, but not a single byte of the code, and crashes on what is
 * damaged: so each file holds the code twice and counts only when both are equal, and only a file that nobody else can have
 * written is used.
 *
 * @example
 * const cache = openCodeCache('/home/me/.preq/cache', 'b83kd0')
 * cache.keep('run.js', script.createCachedData())
 */
export function openCodeCache(folder: string, build: string): CodeCache {
  const home = join(folder, `${FOLDER_PREFIX}${build}-${nameOfRuntime()}`)
  return {
    read(file) {
      const both = readOwnFile(join(home, file))
      if (both === undefined || both.length === 0) return undefined
      const code = both.subarray(0, both.length / 2)
      return code.equals(both.subarray(both.length / 2)) ? code : undefined
    },
    keep(file, code) {
      try {
        const isNew = !existsSync(home)
        makeFolder(home)
        writeTwice(join(home, file), code)
        if (isNew) removeOld(folder)
      } catch {
        // A read-only folder or a full disk is fine: the next run compiles again.
      }
    },
  }
}

/** Two builds of one version of Node.js do not understand each other's code, and cannot tell: the program itself is named. */
function nameOfRuntime(): string {
  const { size, mtimeMs } = statSync(process.execPath)
  return `${process.version}-${process.arch}-${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}`
}

/** Reads a file that we, or root, have written. What others have written would be their code in our process. */
function readOwnFile(path: string): Buffer | undefined {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const stats = fstatSync(file)
    if (!isOurs(stats)) return undefined
    const bytes = Buffer.allocUnsafeSlow(stats.size)
    return readSync(file, bytes) === stats.size ? bytes : undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function isOurs({ uid, mode }: Stats): boolean {
  const us = process.geteuid?.()
  return us === undefined || ((uid === us || uid === 0) && (mode & 0o022) === 0)
}

/** Written beside, brought to the disk and renamed: nobody ever reads half of it, not even after a power failure. */
function writeTwice(path: string, code: Uint8Array): void {
  // Not the process id alone: two containers that share the folder may have the same one.
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
    if (Date.now() - mtimeMs > OLD_MS) rmSync(path, { recursive: true, force: true })
  }
}
