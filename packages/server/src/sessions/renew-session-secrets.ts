import type { EncryptionKey } from '../keys/key-ring.js'
import type { Keys } from '../keys/keys.js'
import { renewSecrets, type SecretKind } from '../onboarding/renew-secrets.js'
import type { Database } from '../store/database.js'
import { deleteSession, lockTokensOfOtherKeys, replaceTokens, type SessionTokens } from '../store/sessions.js'
import { tokensPlace } from './parts.js'

const SESSION_TOKENS: SecretKind<SessionTokens> = {
  lock: lockTokensOfOtherKeys,
  rowOf: ({ id }) => id,
  encrypted: ({ encryptedTokens }) => encryptedTokens,
  place: tokensPlace,
  replace: (queries, id, encryptedTokens, keyId) => replaceTokens(queries, { id, encryptedTokens }, keyId),
  async unreadable(queries, { id }) {
    await deleteSession(queries, id)
  },
}

/**
 * Encrypts the tokens of sessions with the key that a rotation went to. A session whose tokens no key opens ends: nobody could
 * ask the identity provider about it again.
 *
 * @example
 * await renewSessionSecrets(database, keys, key)
 */
export async function renewSessionSecrets(database: Database, keys: Keys, key: EncryptionKey): Promise<void> {
  await renewSecrets(database, keys, key, SESSION_TOKENS)
}
