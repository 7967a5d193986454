import { createPrivateKey, createSecretKey } from 'node:crypto'
import { Failure } from '../failure.js'
import { type EncryptionKey, encryptionKeyFrom, type SigningKey, signingKeyFrom } from './key-ring.js'

export type Environment = Readonly<Record<string, string | undefined>>

const SIGNING = 'OMEN_SIGNING_KEY'
const ENCRYPTION = 'OMEN_ENCRYPTION_KEY'

const SIGNING_HELP =
  'Create one with: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256. If there are several, the first one signs.'
const ENCRYPTION_HELP =
  'Create one with: openssl rand -base64 32. Separate several keys with commas; the first one is the newest.'

/** The signing keys of `OMEN_SIGNING_KEY`: one or more private keys in PEM. Line breaks may be written as `\n`. */
export function signingKeysOf(environment: Environment): readonly SigningKey[] | undefined {
  const text = environment[SIGNING]?.replaceAll('\\n', '\n').trim()
  if (!text) return undefined
  const blocks = text.match(/-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g) ?? []
  const keys = blocks.map((pem) => attempt(() => signingKeyFrom(createPrivateKey(pem))))
  const valid = keys.filter((key) => key !== undefined)
  // The message does not quote the value, which is secret.
  if (valid.length === 0 || valid.length !== keys.length) {
    throw new Failure('Config', `${SIGNING}: not a private key on the curve P-256 in PEM`, { hint: SIGNING_HELP })
  }
  return valid
}

/** The encryption keys of `OMEN_ENCRYPTION_KEY`: 32 bytes each, in base64 or in hexadecimal. */
export function encryptionKeysOf(environment: Environment): readonly EncryptionKey[] | undefined {
  const text = environment[ENCRYPTION]?.trim()
  if (!text) return undefined
  const keys = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(encryptionKeyIn)
  const valid = keys.filter((key) => key !== undefined)
  if (valid.length === 0 || valid.length !== keys.length) {
    throw new Failure('Config', `${ENCRYPTION}: not 32 bytes in base64 or hexadecimal`, { hint: ENCRYPTION_HELP })
  }
  return valid
}

function encryptionKeyIn(text: string): EncryptionKey | undefined {
  const hexadecimal = /^[0-9a-f]{64}$/i.test(text)
  if (!hexadecimal && !/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined
  return encryptionKeyFrom(createSecretKey(Buffer.from(text, hexadecimal ? 'hex' : 'base64')))
}

function attempt<T>(make: () => T | undefined): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
