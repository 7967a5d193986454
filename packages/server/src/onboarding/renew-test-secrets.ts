import type { EncryptionKey } from '../keys/key-ring.js'
import type { Keys } from '../keys/keys.js'
import { decryptSecret, encryptSecret, keyIdOf } from '../keys/secrets.js'
import { deleteAuthorizationsOfOtherKeys } from '../store/authorizations.js'
import type { Database, Queries } from '../store/database.js'
import { holdCurrentKeyId } from '../store/key-records.js'
import { deleteTest, lockTestSecretsOfOtherKeys, replaceTestSecret, type TestSecret } from '../store/sign-in-tests.js'
import { testSecretPlace } from './secret-place.js'

const BATCH = 100

/**
 * Encrypts the secrets of pending tests with the key that a rotation went to. Browsers that are at an identity provider at this
 * moment begin again; a test whose secret no key opens is dropped, and started again by whoever needs it.
 *
 * @example
 * await renewTestSecrets(database, keys, key)
 */
export async function renewTestSecrets(database: Database, keys: Keys, key: EncryptionKey): Promise<void> {
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
  const secrets = await lockTestSecretsOfOtherKeys(queries, { keyId: key.id, after, limit: BATCH })
  for (const secret of secrets) {
    const renewed = await renew(secret, keys, key)
    if (renewed) await replaceTestSecret(queries, renewed, key.id)
    else await deleteTest(queries, secret.linkHash)
  }
  await deleteAuthorizationsOfOtherKeys(queries, key.id)
  return secrets.at(-1)?.linkHash
}

async function renew({ linkHash, encryptedSecret }: TestSecret, keys: Keys, key: EncryptionKey) {
  const old = await keys.encryptionKey(keyIdOf(encryptedSecret))
  if (!old) return undefined
  const place = testSecretPlace(linkHash)
  try {
    return { linkHash, encryptedSecret: encryptSecret(key, decryptSecret([old], encryptedSecret, place), place) }
  } catch {
    return undefined
  }
}
