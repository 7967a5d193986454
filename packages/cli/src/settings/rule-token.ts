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

/** A token has a few hundred characters; a longer file is not one. */
const MAX_BYTES = 16 * 1024

const OWNER_ONLY = 0o600

/** The result of reading the token file. A full disk can leave an empty file. */
type Found = { readonly token: string } | 'absent' | 'empty' | 'unusable'

/**
 * The token of this installation. The first run creates an anonymous random one that only its owner can read; processes that start
 * at the same time get the same one. Undefined if it cannot be read or written, which is not an error.
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
    // Without O_NONBLOCK, opening a named pipe would block.
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
  // The token is sent in a header, so it must be printable ASCII without spaces.
  return /^[!-~]+$/.test(text) && stats.size <= MAX_BYTES ? { token: text } : 'unusable'
}

function tighten(file: number): void {
  try {
    fchmodSync(file, OWNER_ONLY)
  } catch {
    // The file belongs to another user, or is on a read-only mount such as a config map.
  }
}

/** Writes the token to a temporary file and links it to its path, which fails if another process was first. */
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
    else linkOrRename(temporary, path)
  } catch {
    return 'unusable'
  } finally {
    remove(temporary)
  }
  return readToken(path)
}

function linkOrRename(temporary: string, path: string): void {
  try {
    linkSync(temporary, path)
  } catch (error) {
    // Some file systems have no links: there the last of several processes wins.
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
    // It was renamed, or never created.
  }
}

/** 32 random bytes. Uses the global `crypto`, because importing `node:crypto` would slow down every run. */
function randomToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
}

/**
 * The token in `.ruletoken`; undefined if there is none.
 *
 * @example
 * readTokenLine('/home/ada/.preq') // 'omen_5Kd…'
 */
export function readTokenLine(folder: string): string | undefined {
  const found = readToken(join(folder, '.ruletoken'))
  return typeof found === 'object' ? found.token : undefined
}
