import type { EncryptionKey } from '../keys/key-ring.js'
import type { Keys } from '../keys/keys.js'
import { deleteAuthorizationsOfOtherKeys } from '../store/authorizations.js'
import type { Database } from '../store/database.js'
import { deleteTest, lockTestSecretsOfOtherKeys, replaceTestSecret, type TestSecret } from '../store/sign-in-tests.js'
import { renewSecrets, type SecretKind } from './renew-secrets.js'
import { testSecretPlace } from './secret-place.js'

const TEST_SECRETS: SecretKind<TestSecret> = {
  async lock(queries, page) {
    // Tests first, then authorizations: the order in which a finished test locks them.
    const secrets = await lockTestSecretsOfOtherKeys(queries, page)
    await deleteAuthorizationsOfOtherKeys(queries, page.keyId)
    return secrets
  },
  rowOf: ({ linkHash }) => linkHash,
  encrypted: ({ encryptedSecret }) => encryptedSecret,
  place: testSecretPlace,
  replace: (queries, linkHash, encryptedSecret, keyId) =>
    replaceTestSecret(queries, { linkHash, encryptedSecret }, keyId),
  unreadable: (queries, { linkHash }) => deleteTest(queries, linkHash),
}

/**
 * Encrypts the secrets of pending tests with the key that a rotation went to. Browsers that are at an identity provider at this
 * moment begin again; a test whose secret no key opens is dropped, and started again by whoever needs it.
 *
 * @example
 * await renewTestSecrets(database, keys, key)
 */
export async function renewTestSecrets(database: Database, keys: Keys, key: EncryptionKey): Promise<void> {
  await renewSecrets(database, keys, key, TEST_SECRETS)
}
