import { Failure } from '../failure.js'
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

/** The keys of a process. They are looked up again when an unknown one is asked for: another process may have added it. */
export interface Keys {
  ring(): KeyRing
  signingKey(id: string | undefined): Promise<SigningKey | undefined>
  encryptionKey(id: string): Promise<EncryptionKey | undefined>
  /** The key that a rotation goes to: a new one in the data directory, or the first one of the environment. */
  nextEncryptionKey(): Promise<EncryptionKey>
}

export interface LoadKeysOptions {
  readonly dataDir: string
  readonly environment: Environment
}

/**
 * Takes the keys from the environment (`OMEN_SIGNING_KEY`, `OMEN_ENCRYPTION_KEY`), the others from the data directory, where
 * they are made on the first start.
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
    signingKey: async (id) => ring.signing.find((key) => key.id === id),
    encryptionKey: async (id) => ring.encryption.find((key) => key.id === id),
    nextEncryptionKey: async () => ring.encryption[0]!,
  }
}

/** What the environment gives of a key ring. */
type Given = { readonly [Purpose in keyof KeyRing]: KeyRing[Purpose] | undefined }

function fileKeys(dataDir: string, given: Given): Keys {
  const path = keyFileIn(dataDir)
  const withGiven = (file: KeyRing): KeyRing => ({
    signing: given.signing ?? file.signing,
    encryption: given.encryption ?? file.encryption,
  })
  let ring = withGiven(ensureKeyFile(dataDir))
  let version = versionOfKeyFile(path)

  /** While the file is gone or broken, the keys in memory go on serving. */
  const readAgain = () => {
    try {
      const found = versionOfKeyFile(path)
      if (found === version) return
      const file = readKeyFile(path)
      if (file) ring = withGiven(file)
      version = found
    } catch {}
  }
  const find = <K extends { readonly id: string }>(of: (ring: KeyRing) => readonly K[], id: string | undefined) => {
    const known = of(ring).find((key) => key.id === id)
    if (known || id === undefined) return known
    readAgain()
    return of(ring).find((key) => key.id === id)
  }
  return {
    ring: () => ring,
    signingKey: async (id) => find((keys) => keys.signing, id),
    encryptionKey: async (id) => find((keys) => keys.encryption, id),
    nextEncryptionKey: async () => {
      if (given.encryption) return given.encryption[0]!
      const file = readKeyFile(path)
      if (!file)
        throw new Failure('Operator', `${path}: is gone`, { hint: 'Restore it from a backup before anything else.' })
      const next = newEncryptionKey()
      replaceKeyFile(dataDir, { ...file, encryption: [next, ...file.encryption] })
      readAgain()
      return next
    },
  }
}
