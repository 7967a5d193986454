import type { EncryptionKey } from '../keys/key-ring.js'
import type { Keys } from '../keys/keys.js'
import { decryptSecret, encryptSecret, keyIdOf } from '../keys/secrets.js'
import type { Database, Queries } from '../store/database.js'
import { holdCurrentKeyId } from '../store/key-records.js'
import { deleteSession, lockTokensOfOtherKeys, replaceTokens, type SessionTokens } from '../store/sessions.js'
import { tokensPlace } from './parts.js'

const BATCH = 100

/**
 * Encrypts the tokens of sessions with the key that a rotation went to. A session whose tokens no key opens ends: nobody could
 * ask the identity provider about it again.
 *
 * @example
 * await renewSessionSecrets(database, keys, key)
 */
export async function renewSessionSecrets(database: Database, keys: Keys, key: EncryptionKey): Promise<void> {
  let after: string | undefined
  do {
    after = await database.transaction((queries) => renewBatch(queries, keys, key, after))
  } while (after !== undefined)
}

async function renewBatch(
  queries: Queries,
  keys: Keys,
  key: EncryptionKey,
  after: string | undefined,
): Promise<string | undefined> {
  // A later rotation has another aim.
  if ((await holdCurrentKeyId(queries, 'encryption')) !== key.id) return undefined
  const sessions = await lockTokensOfOtherKeys(queries, { keyId: key.id, after, limit: BATCH })
  for (const session of sessions) {
    const renewed = await renew(session, keys, key)
    if (renewed) await replaceTokens(queries, renewed, key.id)
    else await deleteSession(queries, session.id)
  }
  return sessions.at(-1)?.id
}

async function renew({ id, encryptedTokens }: SessionTokens, keys: Keys, key: EncryptionKey) {
  const old = await keys.encryptionKey(keyIdOf(encryptedTokens))
  if (!old) return undefined
  const place = tokensPlace(id)
  try {
    return { id, encryptedTokens: encryptSecret(key, decryptSecret([old], encryptedTokens, place), place) }
  } catch {
    return undefined
  }
}
