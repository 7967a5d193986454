import type { EncryptionKey } from '../keys/key-ring.js'
import type { Keys } from '../keys/keys.js'
import { renewSecrets, type SecretKind } from '../onboarding/renew-secrets.js'
import type { Database } from '../store/database.js'
import {
  deleteReplacementById,
  lockReplacementSecretsOfOtherKeys,
  type ReplacementSecret,
  replaceReplacementSecret,
} from '../store/replacements.js'
import { replacementSecretPlace } from './parts.js'

const REPLACEMENT_SECRETS: SecretKind<ReplacementSecret> = {
  lock: lockReplacementSecretsOfOtherKeys,
  rowOf: ({ id }) => id,
  encrypted: ({ encryptedSecret }) => encryptedSecret,
  place: replacementSecretPlace,
  replace: (queries, id, encryptedSecret, keyId) => replaceReplacementSecret(queries, { id, encryptedSecret }, keyId),
  unreadable: (queries, { id }) => deleteReplacementById(queries, id),
}

/**
 * Encrypts the secrets of next connections with the key that a rotation went to. One whose secret no key opens is dropped, and
 * proposed again by whoever needs it.
 *
 * @example
 * await renewReplacementSecrets(database, keys, key)
 */
export async function renewReplacementSecrets(database: Database, keys: Keys, key: EncryptionKey): Promise<void> {
  await renewSecrets(database, keys, key, REPLACEMENT_SECRETS)
}
