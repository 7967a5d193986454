import type { EncryptionKey } from '../keys/key-ring.js'
import type { Keys } from '../keys/keys.js'
import { decryptSecret, encryptSecret, keyIdOf, type Place } from '../keys/secrets.js'
import type { Database, Queries } from '../store/database.js'
import { holdCurrentKeyId } from '../store/key-records.js'

/** Few enough that nobody waits for their locks, many enough that ten thousand take seconds. */
const BATCH = 100

/** Some secrets in the order of their rows: those after one of them, which are not encrypted with the key. */
export interface Page {
  readonly keyId: string
  readonly after: string | undefined
  readonly limit: number
}

/** Secrets of one kind: where they are kept, and what they are bound to. */
export interface SecretKind<Secret> {
  /** Gives a page of them, their rows locked. */
  lock(queries: Queries, page: Page): Promise<readonly Secret[]>
  rowOf(secret: Secret): string
  encrypted(secret: Secret): string
  /** What the secret of a row is bound to. */
  place(row: string): Place
  replace(queries: Queries, row: string, encrypted: string, keyId: string): Promise<void>
  /** Told of a secret that no key opens. */
  unreadable(queries: Queries, secret: Secret): Promise<void>
}

/**
 * Encrypts the secrets of a kind with the key that a rotation went to, batch by batch, while the server serves. Gives how many
 * there were.
 *
 * @example
 * await renewSecrets(database, keys, key, CLIENT_SECRETS)
 */
export async function renewSecrets<Secret>(
  database: Database,
  keys: Keys,
  key: EncryptionKey,
  kind: SecretKind<Secret>,
): Promise<number> {
  let renewed = 0
  let after: string | undefined
  do {
    const batch = await database.transaction((queries) => renewBatch(queries, keys, key, kind, after))
    renewed += batch.renewed
    after = batch.last
  } while (after !== undefined)
  return renewed
}

interface Batch {
  readonly renewed: number
  /** Where the next batch begins; undefined when there is none. */
  readonly last: string | undefined
}

async function renewBatch<Secret>(
  queries: Queries,
  keys: Keys,
  key: EncryptionKey,
  kind: SecretKind<Secret>,
  after: string | undefined,
): Promise<Batch> {
  // A later rotation has another aim: two that undo each other's work would never end.
  if ((await holdCurrentKeyId(queries, 'encryption')) !== key.id) return { renewed: 0, last: undefined }
  const secrets = await kind.lock(queries, { keyId: key.id, after, limit: BATCH })
  let renewed = 0
  for (const secret of secrets) {
    const row = kind.rowOf(secret)
    const encrypted = await reencrypt(kind.encrypted(secret), kind.place(row), keys, key)
    if (encrypted === undefined) {
      await kind.unreadable(queries, secret)
    } else {
      await kind.replace(queries, row, encrypted, key.id)
      renewed += 1
    }
  }
  const last = secrets.at(-1)
  return { renewed, last: last && kind.rowOf(last) }
}

async function reencrypt(encrypted: string, place: Place, keys: Keys, key: EncryptionKey): Promise<string | undefined> {
  const old = await keys.encryptionKey(keyIdOf(encrypted))
  if (!old) return undefined
  try {
    return encryptSecret(key, decryptSecret([old], encrypted, place), place)
  } catch {
    return undefined
  }
}
