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

/** The keys of a process, as they stand now: another process may add keys to the file or take them away. */
export interface Keys {
  ring(): KeyRing
  signingKey(id: string | undefined): Promise<SigningKey | undefined>
  encryptionKey(id: string): Promise<EncryptionKey | undefined>
  /** The key that a rotation goes to: a new one in the data directory, or the first one of the environment. */
  nextEncryptionKey(): Promise<EncryptionKey>
  /** Whether the signing keys can be changed here: those of the environment cannot. */
  readonly ownsSigningKeys: boolean
  /** Replaces the signing keys of the data directory, at once for all processes on it. The first one signs. */
  changeSigningKeys(change: (keys: readonly SigningKey[]) => readonly SigningKey[]): void
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
    signingKey: async (id) => keyIn(ring.signing, id),
    encryptionKey: async (id) => keyIn(ring.encryption, id),
    nextEncryptionKey: async () => ring.encryption[0]!,
    ownsSigningKeys: false,
    changeSigningKeys: refuseToChange,
  }
}

const keyIn = <Key extends { readonly id: string }>(keys: readonly Key[], id: string | undefined) =>
  keys.find((key) => key.id === id)

function refuseToChange(): never {
  throw new Problem(
    'invalid_request',
    'The signing keys come from OMEN_SIGNING_KEY, which only you can change: add a new key behind the old one and restart every process, then put it in front and restart again.',
  )
}

/** What the environment gives of a key ring. */
type Given = { readonly [Purpose in keyof KeyRing]: KeyRing[Purpose] | undefined }

function fileKeys(dataDir: string, given: Given): Keys {
  const path = keyFileIn(dataDir)
  const withGiven = (file: KeyRing): KeyRing => ({
    signing: given.signing ?? file.signing,
    encryption: given.encryption ?? file.encryption,
  })
  let known = withGiven(ensureKeyFile(dataDir))
  let version = versionOfKeyFile(path)
  let looked = false

  /**
   * The file is looked at once in each turn of the event loop, for all requests of that turn, and read only when it was replaced.
   * While it is gone or broken, the keys in memory go on serving.
   */
  const ring = () => {
    if (looked) return known
    looked = true
    setImmediate(() => {
      looked = false
    })
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
  const lookAgain = () => {
    looked = false
    return ring()
  }
  const readFile = () => {
    const file = readKeyFile(path)
    if (file) return file
    throw new Failure('Operator', `${path}: is gone`, { hint: 'Restore it from a backup before anything else.' })
  }
  return {
    ring,
    signingKey: async (id) => keyIn(ring().signing, id) ?? keyIn(lookAgain().signing, id),
    encryptionKey: async (id) => keyIn(ring().encryption, id) ?? keyIn(lookAgain().encryption, id),
    nextEncryptionKey: async () => {
      if (given.encryption) return given.encryption[0]!
      const file = readFile()
      const next = newEncryptionKey()
      replaceKeyFile(dataDir, { ...file, encryption: [next, ...file.encryption] })
      lookAgain()
      return next
    },
    ownsSigningKeys: given.signing === undefined,
    changeSigningKeys: (change) => {
      if (given.signing) refuseToChange()
      const file = readFile()
      replaceKeyFile(dataDir, { ...file, signing: change(file.signing) })
      lookAgain()
    },
  }
}
