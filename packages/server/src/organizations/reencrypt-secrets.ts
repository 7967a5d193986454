import type { EncryptionKey } from '../keys/key-ring.js'
import type { Keys } from '../keys/keys.js'
import { decryptSecret, encryptSecret, keyIdOf, type SecretContext } from '../keys/secrets.js'
import type { Database, Queries } from '../store/database.js'
import { holdCurrentKeyId } from '../store/key-records.js'
import { deleteAuthorizationsOfOtherKeys } from '../store/onboarding/authorizations.js'
import {
  deleteTest,
  lockTestSecretsOfOtherKeys,
  replaceTestSecret,
  type TestSecret,
} from '../store/onboarding/sign-in-tests.js'
import { lockSecretsOfOtherKeys, replaceSecret, type StoredSecret } from '../store/organizations/connections.js'
import {
  deleteReplacementById,
  lockReplacementSecretsOfOtherKeys,
  type ReplacementSecret,
  replaceReplacementSecret,
} from '../store/organizations/replacements.js'
import { deleteSession, lockTokensOfOtherKeys, replaceTokens, type SessionTokens } from '../store/sessions/sessions.js'
import { clientSecretContext, replacementSecretContext, sessionTokensContext, testSecretContext } from './secrets.js'

/** Small enough that requests do not wait long for the locks. */
const BATCH = 100

/** Selects secrets that are not encrypted with the key, in the order of their row ids. */
interface Page {
  readonly keyId: string
  readonly after: string | undefined
  readonly limit: number
}

/** One kind of secret: where it is stored, and what it is bound to. */
interface SecretKind<Secret> {
  /** Gives a page of secrets and locks their rows. */
  lock(queries: Queries, page: Page): Promise<readonly Secret[]>
  rowOf(secret: Secret): string
  encrypted(secret: Secret): string
  context(row: string): SecretContext
  replace(queries: Queries, row: string, encrypted: string, keyId: string): Promise<void>
  /** Handles a secret that no key decrypts. */
  unreadable(queries: Queries, secret: Secret): Promise<void>
}

/** A client secret that no key decrypts stays as it is, and its organization is reported. */
function clientSecrets(unreadable: string[]): SecretKind<StoredSecret> {
  return {
    lock: lockSecretsOfOtherKeys,
    rowOf: ({ organizationId }) => organizationId,
    encrypted: ({ encryptedSecret }) => encryptedSecret,
    context: clientSecretContext,
    replace: (queries, organizationId, encryptedSecret, keyId) =>
      replaceSecret(queries, { organizationId, encryptedSecret }, keyId),
    async unreadable(_, { organization }) {
      unreadable.push(organization)
    },
  }
}

/** Browsers that are at an identity provider for a test must start again. An unreadable test is deleted. */
const TEST_SECRETS: SecretKind<TestSecret> = {
  async lock(queries, page) {
    // Tests before authorizations: the order in which the end of a test locks them.
    const secrets = await lockTestSecretsOfOtherKeys(queries, page)
    await deleteAuthorizationsOfOtherKeys(queries, page.keyId)
    return secrets
  },
  rowOf: ({ linkHash }) => linkHash,
  encrypted: ({ encryptedSecret }) => encryptedSecret,
  context: testSecretContext,
  replace: (queries, linkHash, encryptedSecret, keyId) =>
    replaceTestSecret(queries, { linkHash, encryptedSecret }, keyId),
  unreadable: (queries, { linkHash }) => deleteTest(queries, linkHash),
}

/** An unreadable replacement is deleted: an administrator proposes it again. */
const REPLACEMENT_SECRETS: SecretKind<ReplacementSecret> = {
  lock: lockReplacementSecretsOfOtherKeys,
  rowOf: ({ id }) => id,
  encrypted: ({ encryptedSecret }) => encryptedSecret,
  context: replacementSecretContext,
  replace: (queries, id, encryptedSecret, keyId) => replaceReplacementSecret(queries, { id, encryptedSecret }, keyId),
  unreadable: (queries, { id }) => deleteReplacementById(queries, id),
}

/** A session with unreadable tokens ends: it could never be checked with the identity provider again. */
const SESSION_TOKENS: SecretKind<SessionTokens> = {
  lock: lockTokensOfOtherKeys,
  rowOf: ({ id }) => id,
  encrypted: ({ encryptedTokens }) => encryptedTokens,
  context: sessionTokensContext,
  replace: (queries, id, encryptedTokens, keyId) => replaceTokens(queries, { id, encryptedTokens }, keyId),
  async unreadable(queries, { id }) {
    await deleteSession(queries, id)
  },
}

export interface Reencryption {
  /** How many client secrets of connections were encrypted again. */
  readonly reencrypted: number
  /** The organizations whose client secret no key decrypts. */
  readonly unreadable: readonly string[]
}

/**
 * Encrypts all stored secrets with a key, in batches, while the server runs.
 *
 * @example
 * const { reencrypted } = await reencryptSecrets(database, keys, key)
 */
export async function reencryptSecrets(database: Database, keys: Keys, key: EncryptionKey): Promise<Reencryption> {
  const unreadable: string[] = []
  const reencrypted = await reencryptKind(database, keys, key, clientSecrets(unreadable))
  await reencryptKind(database, keys, key, TEST_SECRETS)
  await reencryptKind(database, keys, key, REPLACEMENT_SECRETS)
  await reencryptKind(database, keys, key, SESSION_TOKENS)
  return { reencrypted, unreadable }
}

async function reencryptKind<Secret>(
  database: Database,
  keys: Keys,
  key: EncryptionKey,
  kind: SecretKind<Secret>,
): Promise<number> {
  let reencrypted = 0
  let after: string | undefined
  do {
    const batch = await database.transaction((queries) => reencryptBatch(queries, keys, key, kind, after))
    reencrypted += batch.reencrypted
    after = batch.last
  } while (after !== undefined)
  return reencrypted
}

interface Batch {
  readonly reencrypted: number
  /** The row after which the next batch starts; undefined if there is none. */
  readonly last: string | undefined
}

async function reencryptBatch<Secret>(
  queries: Queries,
  keys: Keys,
  key: EncryptionKey,
  kind: SecretKind<Secret>,
  after: string | undefined,
): Promise<Batch> {
  // A later rotation has another key as its target: two rotations that undo each other's work would never end.
  if ((await holdCurrentKeyId(queries, 'encryption')) !== key.id) return { reencrypted: 0, last: undefined }
  const secrets = await kind.lock(queries, { keyId: key.id, after, limit: BATCH })
  let reencrypted = 0
  for (const secret of secrets) {
    const row = kind.rowOf(secret)
    const encrypted = await reencrypt(kind.encrypted(secret), kind.context(row), keys, key)
    if (encrypted === undefined) {
      await kind.unreadable(queries, secret)
    } else {
      await kind.replace(queries, row, encrypted, key.id)
      reencrypted += 1
    }
  }
  const last = secrets.at(-1)
  return { reencrypted, last: last && kind.rowOf(last) }
}

async function reencrypt(
  encrypted: string,
  context: SecretContext,
  keys: Keys,
  key: EncryptionKey,
): Promise<string | undefined> {
  const old = await keys.encryptionKey(keyIdOf(encrypted))
  if (!old) return undefined
  try {
    return encryptSecret(key, decryptSecret([old], encrypted, context), context)
  } catch {
    return undefined
  }
}
