import { Failure } from '../failure.js'
import { Problem } from '../problem.js'
import { type Environment, encryptionKeysOf, signingKeysOf } from './key-environment.js'
import {
  ensureKeyFile,
  keyFileIn,
  newEncryptionKey,
  readKeyFile,
  replaceKeyFile,
  versionOfKeyFile,
} from './key-file.js'
import type { EncryptionKey, KeyRing, SigningKey } from './key-ring.js'

/** The current keys of a process: another process may add keys to the file or remove them. */
export interface Keys {
  ring(): KeyRing
  signingKey(id: string | undefined): Promise<SigningKey | undefined>
  encryptionKey(id: string): Promise<EncryptionKey | undefined>
  /** The target of a key rotation: a new key in the data directory, or the first key of the environment. */
  nextEncryptionKey(): Promise<EncryptionKey>
  /** Whether the service can change the signing keys: those of the environment it cannot. */
  readonly ownsSigningKeys: boolean
  /** Replaces the signing keys of the data directory atomically, for all its processes. The first one signs. */
  changeSigningKeys(change: (keys: readonly SigningKey[]) => readonly SigningKey[]): void
}

export interface LoadKeysOptions {
  readonly dataDir: string
  readonly environment: Environment
}

/**
 * Loads the keys from the environment (`OMEN_SIGNING_KEY`, `OMEN_ENCRYPTION_KEY`), or else from the data directory, where they are
 * created on the first start.
 *
 * @example
 * const keys = loadKeys({ dataDir: '/var/lib/omen', environment: process.env })
 */
export function loadKeys({ dataDir, environment }: LoadKeysOptions): Keys {
  const given = { signing: signingKeysOf(environment), encryption: encryptionKeysOf(environment) }
  return given.signing && given.encryption
    ? fixedKeys({ signing: given.signing, encryption: given.encryption })
    : fileKeys(dataDir, given)
}

function fixedKeys(ring: KeyRing): Keys {
  return {
    ring: () => ring,
    signingKey: async (id) => keyIn(ring.signing, id),
    encryptionKey: async (id) => keyIn(ring.encryption, id),
    nextEncryptionKey: async () => ring.encryption[0]!,
    ownsSigningKeys: false,
    changeSigningKeys: cannotChange,
  }
}

const keyIn = <Key extends { readonly id: string }>(keys: readonly Key[], id: string | undefined) =>
  keys.find((key) => key.id === id)

function cannotChange(): never {
  throw new Problem(
    'invalid_request',
    'The signing keys come from OMEN_SIGNING_KEY, which only you can change: append a new key to it and restart every process, then move the new key to the front and restart again.',
  )
}

/** The keys of the environment. */
type Given = { readonly [Purpose in keyof KeyRing]: KeyRing[Purpose] | undefined }

function fileKeys(dataDir: string, given: Given): Keys {
  const path = keyFileIn(dataDir)
  const withGiven = (file: KeyRing): KeyRing => ({
    signing: given.signing ?? file.signing,
    encryption: given.encryption ?? file.encryption,
  })
  let known = withGiven(ensureKeyFile(dataDir))
  let version = versionOfKeyFile(path)

  /** Reads the file again only if it was replaced. While it is missing or damaged, the keys in memory stay in use. */
  const ring = () => {
    try {
      const found = versionOfKeyFile(path)
      if (found !== version) {
        const file = readKeyFile(path)
        if (file) known = withGiven(file)
        version = found
      }
    } catch {}
    return known
  }
  const readFile = () => {
    const file = readKeyFile(path)
    if (file) return file
    throw new Failure('Operator', `${path}: the file is missing`, { hint: 'Restore it from a backup first.' })
  }
  return {
    ring,
    signingKey: async (id) => keyIn(ring().signing, id),
    encryptionKey: async (id) => keyIn(ring().encryption, id),
    nextEncryptionKey: async () => {
      if (given.encryption) return given.encryption[0]!
      const file = readFile()
      const next = newEncryptionKey()
      replaceKeyFile(dataDir, { ...file, encryption: [next, ...file.encryption] })
      return next
    },
    ownsSigningKeys: given.signing === undefined,
    changeSigningKeys: (change) => {
      if (given.signing) cannotChange()
      const file = readFile()
      replaceKeyFile(dataDir, { ...file, signing: change(file.signing) })
    },
  }
}
