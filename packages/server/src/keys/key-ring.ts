import { createHash, createPublicKey, type KeyObject } from 'node:crypto'

/** Signs tokens (ES256). Its ID is the thumbprint of its public key (RFC 7638). */
export interface SigningKey {
  readonly id: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** Encrypts secrets (AES-256-GCM). Its ID is derived from the key, so an ID always means the same key. */
export interface EncryptionKey {
  readonly id: string
  readonly key: KeyObject
}

/** The keys of a process. The first signing key signs, all of them verify; the database decides which key encrypts. */
export interface KeyRing {
  readonly signing: readonly SigningKey[]
  readonly encryption: readonly EncryptionKey[]
}

/** 64 of 256 bits: enough to distinguish keys, and no help in guessing one. */
const ENCRYPTION_ID_LENGTH = 16

/** Undefined unless it is a private key on the curve P-256. */
export function signingKeyFrom(privateKey: KeyObject): SigningKey | undefined {
  if (privateKey.type !== 'private' || privateKey.asymmetricKeyType !== 'ec') return undefined
  if (privateKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return undefined
  const publicKey = createPublicKey(privateKey)
  const { crv, kty, x, y } = publicKey.export({ format: 'jwk' })
  const id = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
  return { id, privateKey, publicKey }
}

/** Undefined unless it is a secret key of 256 bits. */
export function encryptionKeyFrom(key: KeyObject): EncryptionKey | undefined {
  if (key.type !== 'secret' || key.symmetricKeySize !== 32) return undefined
  const hash = createHash('sha256').update('omen encryption key id\0').update(key.export()).digest('hex')
  return { id: hash.slice(0, ENCRYPTION_ID_LENGTH), key }
}
