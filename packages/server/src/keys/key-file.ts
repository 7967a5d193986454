import { createPrivateKey, createSecretKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../failure.js'
import { type EncryptionKey, encryptionKeyFrom, type KeyRing, type SigningKey, signingKeyFrom } from './key-ring.js'

const NAME = 'keys.json'
const OWNER_ONLY = 0o600

export function keyFileIn(folder: string): string {
  return join(folder, NAME)
}

/**
 * Reads the keys of a data directory, or creates them. Processes that start at the same time get the same keys.
 *
 * @example
 * const ring = ensureKeyFile('/var/lib/omen')
 */
export function ensureKeyFile(folder: string): KeyRing {
  const path = keyFileIn(folder)
  const present = readKeyFile(path)
  if (present) return present
  attempt(path, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const ring: KeyRing = { signing: [newSigningKey()], encryption: [newEncryptionKey()] }
    writeBeside(path, ring, (temporary) => {
      try {
        linkSync(temporary, path)
      } catch (error) {
        // Another process was first: its keys are used.
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
    })
  })
  const created = readKeyFile(path)
  if (!created) throw new Failure('Start', `${path}: another program deleted the keys`)
  return created
}

/** Replaces the keys of a data directory atomically: a reader sees the old keys or the new ones. */
export function replaceKeyFile(folder: string, ring: KeyRing): void {
  const path = keyFileIn(folder)
  attempt(path, () => writeBeside(path, ring, (temporary) => renameSync(temporary, path)))
}

export function newEncryptionKey(): EncryptionKey {
  return encryptionKeyFrom(createSecretKey(randomBytes(32)))!
}

export function newSigningKey(): SigningKey {
  return signingKeyFrom(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)!
}

/** Undefined if there is no file. A damaged file is never replaced: secrets are encrypted with its keys. */
export function readKeyFile(path: string): KeyRing | undefined {
  let text: string
  try {
    tighten(path)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Failure('Start', `${path}: cannot read: ${(error as Error).message}`, { cause: error })
  }
  const ring = parse(text)
  if (ring) return ring
  throw new Failure('Start', `${path}: does not contain the keys of omen-server`, {
    hint: 'Restore it from a backup: without it, the client secrets in the database cannot be decrypted.',
  })
}

/** A string that changes whenever the file is replaced. */
export function versionOfKeyFile(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats && `${stats.ino} ${stats.mtimeMs} ${stats.size}`
}

function tighten(path: string): void {
  if ((statSync(path).mode & 0o077) === 0) return
  try {
    chmodSync(path, OWNER_ONLY)
  } catch {
    // The file belongs to another user, or is on a read-only mount such as a Kubernetes Secret.
  }
}

/** PEM and base64 strings, which can be copied to the environment as they are. */
interface KeyFile {
  readonly signing: readonly string[]
  readonly encryption: readonly string[]
}

function parse(text: string): KeyRing | undefined {
  try {
    const file = JSON.parse(text) as KeyFile
    const signing = file.signing.map((pem) => signingKeyFrom(createPrivateKey(pem)))
    const encryption = file.encryption.map((key) => encryptionKeyFrom(createSecretKey(key, 'base64')))
    const areValid = <T>(keys: (T | undefined)[]): keys is T[] => keys.length > 0 && !keys.includes(undefined)
    return areValid(signing) && areValid(encryption) ? { signing, encryption } : undefined
  } catch {
    // The error may quote the file, so it is dropped.
    return undefined
  }
}

function serialize(ring: KeyRing): string {
  const file: KeyFile = {
    signing: ring.signing.map(({ privateKey }) => privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()),
    encryption: ring.encryption.map(({ key }) => key.export().toString('base64')),
  }
  return `${JSON.stringify(file, undefined, 2)}\n`
}

function writeBeside(path: string, ring: KeyRing, moveTo: (temporary: string) => void): void {
  const temporary = join(dirname(path), `.${NAME}.${randomUUID()}`)
  try {
    const file = openSync(temporary, 'wx', OWNER_ONLY)
    try {
      writeFileSync(file, serialize(ring))
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    moveTo(temporary)
  } finally {
    rmSync(temporary, { force: true })
  }
  syncFolder(dirname(path))
}

/** The file name must survive a power failure like the content: secrets are encrypted with these keys. */
function syncFolder(folder: string): void {
  try {
    const file = openSync(folder, 'r')
    try {
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch {
    // Not every system can sync a folder.
  }
}

function attempt(path: string, action: () => void): void {
  try {
    action()
  } catch (error) {
    throw new Failure('Start', `${path}: cannot write: ${(error as Error).message}`, {
      cause: error,
      hint: 'Use --data-dir with a folder that this user may write to, or set the keys in the environment.',
    })
  }
}
