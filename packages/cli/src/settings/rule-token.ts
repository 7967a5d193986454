import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.js'

/** A token of a service is a few hundred characters; what is longer is none. */
const MAX_BYTES = 16 * 1024

const OWNER_ONLY = 0o600

/** What lies at the place of the token. `empty` is left behind by a full disk. */
type Found = { readonly token: string } | 'absent' | 'empty' | 'unusable'

/**
 * The token of this installation. On a first run an anonymous random one is made, readable by its owner alone; of processes
 * that start at once all get the same. Undefined where it cannot be read or kept: that is no reason to fail.
 *
 * @example
 * ensureRuleToken('/home/ada/.preq') // 'Jq3…', 43 characters
 */
export function ensureRuleToken(folder: string): string | undefined {
  const path = join(folder, '.ruletoken')
  const found = readToken(path)
  const present = found === 'absent' || found === 'empty' ? makeToken(folder, path, found) : found
  return typeof present === 'object' ? present.token : undefined
}

function readToken(path: string): Found {
  try {
    // Without O_NONBLOCK, opening a named pipe in its place would never come back.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      return tokenIn(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'absent' : 'unusable'
  }
}

function tokenIn(file: number): Found {
  const stats = fstatSync(file)
  if (!stats.isFile()) return 'unusable'
  if ((stats.mode & 0o077) !== 0) tighten(file)
  const buffer = Buffer.allocUnsafe(Math.min(stats.size, MAX_BYTES))
  const text = buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0)).trim()
  if (text === '') return stats.size <= MAX_BYTES ? 'empty' : 'unusable'
  // It goes into a header of a request: one word of plain characters.
  return /^[!-~]+$/.test(text) && stats.size <= MAX_BYTES ? { token: text } : 'unusable'
}

function tighten(file: number): void {
  try {
    fchmodSync(file, OWNER_ONLY)
  } catch {
    // Somebody else's file, or a read-only mount such as a config map: it stays as it is.
  }
}

/** The token is written beside and then linked into place, which fails when another process was first. */
function makeToken(folder: string, path: string, found: 'absent' | 'empty'): Found {
  const token = randomToken()
  const temporary = `${path}.${process.pid}.${token.slice(0, 8)}`
  try {
    makeFolder(folder)
    writeNew(temporary, `${token}\n`)
  } catch {
    remove(temporary)
    return 'unusable'
  }
  try {
    if (found === 'empty') renameSync(temporary, path)
    else place(temporary, path)
  } catch {
    return 'unusable'
  } finally {
    remove(temporary)
  }
  return readToken(path)
}

function place(temporary: string, path: string): void {
  try {
    linkSync(temporary, path)
  } catch (error) {
    // Some file systems have no links. There the last of two that start at once wins.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(temporary, path)
  }
}

function writeNew(path: string, text: string): void {
  const file = openSync(path, 'wx', OWNER_ONLY)
  try {
    if (writeSync(file, text) !== text.length) throw new Error('the disk is full')
  } finally {
    closeSync(file)
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // It was renamed, or never made.
  }
}

/** 32 random bytes. The global is used because loading `node:crypto` by name would cost every run, not only the first. */
function randomToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
}

/**
 * What stands in `.ruletoken`, in one line; undefined where there is nothing that can be a token.
 *
 * @example
 * readTokenLine('/home/ada/.preq') // 'omen_5Kd…'
 */
export function readTokenLine(folder: string): string | undefined {
  const found = readToken(join(folder, '.ruletoken'))
  return typeof found === 'object' ? found.token : undefined
}
