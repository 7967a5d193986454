import { recordAudit } from '../audit/audit.js'
import type { EncryptionKey } from '../keys/key-ring.js'
import type { Keys } from '../keys/keys.js'
import { decryptSecret, encryptSecret, keyIdOf } from '../keys/secrets.js'
import { renewTestSecrets } from '../onboarding/renew-test-secrets.js'
import { secretPlace } from '../onboarding/secret-place.js'
import { Problem } from '../problem.js'
import { renewSessionSecrets } from '../sessions/renew-session-secrets.js'
import { type EncryptedSecret, lockSecretsOfOtherKeys, replaceSecret, type StoredSecret } from '../store/connections.js'
import type { Queries } from '../store/database.js'
import { holdCurrentKeyId, lockKeys, makeKeyCurrent } from '../store/key-records.js'
import { OPERATOR, type OperationsParts } from './create-operations.js'

/** Few enough that nobody waits for their locks, many enough that ten thousand take seconds. */
const BATCH = 100

/**
 * Makes a new encryption key the one in use and encrypts every secret with it, batch by batch, while the server serves. Old
 * keys stay in the key ring: whoever interrupts this, or restores a backup, needs them. Run again, it goes on.
 */
export async function rotateKeys(
  parts: OperationsParts,
): Promise<{ readonly keyId: string; readonly reencrypted: number }> {
  const { database, keys, clock } = parts
  const key = await database.transaction(async (queries) => {
    // Two rotations at once would each write the key file without the other's key.
    await lockKeys(queries)
    const next = await keys.nextEncryptionKey()
    await makeKeyCurrent(queries, 'encryption', next.id, clock())
    await recordAudit(queries, { at: clock(), actor: OPERATOR, action: 'keys.rotated', detail: { key: next.id } })
    return next
  })
  const unreadable: string[] = []
  let reencrypted = 0
  let after: string | undefined
  for (;;) {
    const batch = await database.transaction((queries) => reencryptBatch(queries, keys, key, after))
    reencrypted += batch.reencrypted
    unreadable.push(...batch.unreadable)
    after = batch.last
    if (after === undefined) break
  }
  await renewTestSecrets(database, keys, key)
  await renewSessionSecrets(database, keys, key)
  if (unreadable.length > 0) throw unreadableSecrets(unreadable, reencrypted)
  return { keyId: key.id, reencrypted }
}

interface Batch {
  readonly reencrypted: number
  /** Organizations whose secret does not open with any key. */
  readonly unreadable: readonly string[]
  /** Where the next batch begins; undefined when there is none. */
  readonly last: string | undefined
}

const NOTHING_LEFT: Batch = { reencrypted: 0, unreadable: [], last: undefined }

async function reencryptBatch(
  queries: Queries,
  keys: Keys,
  key: EncryptionKey,
  after: string | undefined,
): Promise<Batch> {
  // A later rotation has another aim: two that undo each other's work would never end.
  if ((await holdCurrentKeyId(queries, 'encryption')) !== key.id) return NOTHING_LEFT
  const secrets = await lockSecretsOfOtherKeys(queries, { keyId: key.id, after, limit: BATCH })
  const unreadable: string[] = []
  for (const secret of secrets) {
    const renewed = await reencrypt(secret, keys, key)
    if (renewed) await replaceSecret(queries, renewed, key.id)
    else unreadable.push(secret.organization)
  }
  return { reencrypted: secrets.length - unreadable.length, unreadable, last: secrets.at(-1)?.organizationId }
}

async function reencrypt(secret: StoredSecret, keys: Keys, key: EncryptionKey): Promise<EncryptedSecret | undefined> {
  const { organizationId, encryptedSecret } = secret
  const place = secretPlace(organizationId)
  const old = await keys.encryptionKey(keyIdOf(encryptedSecret))
  if (!old) return undefined
  try {
    return { organizationId, encryptedSecret: encryptSecret(key, decryptSecret([old], encryptedSecret, place), place) }
  } catch {
    return undefined
  }
}

function unreadableSecrets(organizations: readonly string[], reencrypted: number): Problem {
  const names = organizations.slice(0, 10).map((name) => JSON.stringify(name))
  const more = organizations.length > names.length ? ` and ${organizations.length - names.length} more` : ''
  return new Problem(
    'internal',
    `${reencrypted} secrets were encrypted anew, but none of the keys opens the secret of ${names.join(', ')}${more}. ` +
      'Bring back the key that is missing and rotate again, or let these organizations connect again with a new code.',
  )
}
