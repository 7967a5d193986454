import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { EncryptionKey } from './key-ring.js'

/** The column and row of an encrypted value. It is authenticated with the value: a value moved to another row cannot be decrypted. */
export interface SecretContext {
  readonly table: string
  readonly row: string
  readonly column: string
}

const ALGORITHM = 'aes-256-gcm'
/** 96 bits, as GCM wants it. Random: at 2^32 values for one key the chance of a repetition is still below 2^-32. */
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts a string for its row. The result names its key: `<key id>.<nonce>.<ciphertext and tag>`.
 *
 * @example
 * encryptSecret(key, 's3cret', { table: 'connections', row: organizationId, column: 'client_secret' })
 */
export function encryptSecret({ id, key }: EncryptionKey, text: string, context: SecretContext): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(nameOf(context))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return [id, nonce.toString('base64url'), sealed.toString('base64url')].join('.')
}

/** The id of the key that decrypts a value. */
export function keyIdOf(encrypted: string): string {
  return encrypted.slice(0, Math.max(0, encrypted.indexOf('.')))
}

/** Decrypts a result of `encryptSecret`. Throws if the key is missing, or if the key, context or value differs. */
export function decryptSecret(keys: readonly EncryptionKey[], encrypted: string, context: SecretContext): string {
  const [id, nonce, sealed, ...rest] = encrypted.split('.')
  const found = keys.find((key) => key.id === id)
  if (!found) throw new Error(`no encryption key ${id}`)
  const box = Buffer.from(sealed ?? '', 'base64url')
  const start = Buffer.from(nonce ?? '', 'base64url')
  if (rest.length > 0 || start.length !== NONCE_BYTES || box.length < TAG_BYTES) throw unreadable(context)
  try {
    const decipher = createDecipheriv(ALGORITHM, found.key, start, { authTagLength: TAG_BYTES })
    decipher.setAAD(nameOf(context))
    decipher.setAuthTag(box.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(box.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    throw unreadable(context)
  }
}

function unreadable({ table, row, column }: SecretContext): Error {
  return new Error(`${column} of ${table} ${row} cannot be decrypted: it was changed, or moved from another row`)
}

/** JSON, so that two contexts never have the same name. */
function nameOf({ table, row, column }: SecretContext): Buffer {
  return Buffer.from(JSON.stringify([table, row, column]))
}
