import type { EncryptionKey } from '../keys/key-ring.js'
import type { Keys } from '../keys/keys.js'
import { decryptSecret, keyIdOf, type SecretContext } from '../keys/secrets.js'
import { Problem } from '../problem.js'
import type { Queries } from '../store/database.js'
import { holdCurrentKeyId } from '../store/key-records.js'

/** The client secret of an organization's connection. */
export function clientSecretContext(organizationId: string): SecretContext {
  return { table: 'connections', row: organizationId, column: 'client_secret' }
}

/** The client secret of an onboarding's sign-in test. Each test has its own link. */
export function testSecretContext(linkHash: string): SecretContext {
  return { table: 'sign_in_tests', row: linkHash, column: 'client_secret' }
}

/** The client secret of the connection that is to replace the one in use. */
export function replacementSecretContext(id: string): SecretContext {
  return { table: 'connection_replacements', row: id, column: 'client_secret' }
}

/** The PKCE verifier of an onboarding's sign-in test. */
export function testVerifierContext(stateHash: string): SecretContext {
  return { table: 'authorizations', row: stateHash, column: 'verifier' }
}

/** The PKCE verifier of a login. */
export function loginVerifierContext(stateHash: string): SecretContext {
  return { table: 'logins', row: stateHash, column: 'verifier' }
}

/** The tokens that the identity provider issued for a session. */
export function sessionTokensContext(sessionId: string): SecretContext {
  return { table: 'sessions', row: sessionId, column: 'provider_tokens' }
}

/** The current encryption key. It cannot change before the transaction ends, so a key rotation misses no secret. */
export async function encryptionKey(queries: Queries, keys: Keys): Promise<EncryptionKey> {
  const id = await holdCurrentKeyId(queries, 'encryption')
  const key = id === undefined ? undefined : await keys.encryptionKey(id)
  if (key) return key
  throw new Problem(
    'unavailable',
    'The service cannot store secrets at the moment. Nothing was changed. Contact the operator.',
    {
      cause: new Error(
        `this process does not have the current encryption key (${id}): give every process the same keys`,
      ),
    },
  )
}

/** Decrypts a stored secret. Rejects with a `Problem` if this process does not have its key. */
export async function readSecret(keys: Keys, encrypted: string, context: SecretContext): Promise<string> {
  const key = await keys.encryptionKey(keyIdOf(encrypted))
  if (key) return decryptSecret([key], encrypted, context)
  throw new Problem('unavailable', 'The service cannot read its secrets at the moment. Contact the operator.', {
    cause: new Error(`this process does not have the encryption key ${keyIdOf(encrypted)}`),
  })
}
