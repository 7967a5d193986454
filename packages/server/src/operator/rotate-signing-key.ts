import { recordAudit } from '../audit/audit.js'
import type { Clock } from '../clock.js'
import { newSigningKey } from '../keys/key-file.js'
import type { Keys } from '../keys/keys.js'
import type { Database } from '../store/database.js'
import { findSpentSigningKeys, lockKeys, makeKeyCurrent } from '../store/key-records.js'
import type { RotatedSigningKey } from './operations.js'
import { OPERATOR, type OperationsDeps } from './operations.js'

/**
 * Makes a new signing key the current one. Older keys stay as long as a token may need them, or are removed at once with `endTokens`, which is
 * for a key that leaked. The file comes last in the transaction: processes sign with the new key as soon as it is there.
 */
export async function rotateSigningKey(
  { database, keys, clock }: OperationsDeps,
  { endTokens }: { readonly endTokens: boolean },
): Promise<RotatedSigningKey> {
  const next = newSigningKey()
  return database.transaction(async (queries) => {
    await lockKeys(queries)
    const now = clock()
    const spent = await findSpentSigningKeys(queries, now)
    const older = keys.ring().signing
    const kept = endTokens ? [] : older.filter(({ id }) => !spent.includes(id))
    await makeKeyCurrent(queries, 'signing', next.id, now)
    const detail = { signing_key: next.id, ended_tokens: endTokens }
    await recordAudit(queries, { at: now, actor: OPERATOR, action: 'keys.rotated', detail })
    keys.changeSigningKeys(() => [next, ...kept])
    return { keyId: next.id, kept: kept.length, dropped: older.length - kept.length }
  })
}

/**
 * Removes the signing keys that no token needs any more, and returns their ids. A server does so when it starts, so that keys that were
 * rotated out are eventually gone.
 *
 * @example
 * await dropSpentSigningKeys({ database, keys, clock: () => new Date() }) // []
 */
export async function dropSpentSigningKeys(deps: {
  readonly database: Database
  readonly keys: Keys
  readonly clock: Clock
}): Promise<readonly string[]> {
  const { database, keys, clock } = deps
  if (!keys.ownsSigningKeys || keys.ring().signing.length < 2) return []
  return database.transaction(async (queries) => {
    await lockKeys(queries)
    const [first, ...older] = keys.ring().signing
    const now = clock()
    const spent = await findSpentSigningKeys(queries, now)
    const dropped = older.filter(({ id }) => spent.includes(id)).map(({ id }) => id)
    if (dropped.length === 0) return []
    await recordAudit(queries, { at: now, actor: 'server', action: 'keys.dropped', detail: { signing_keys: dropped } })
    keys.changeSigningKeys(() => [first!, ...older.filter(({ id }) => !dropped.includes(id))])
    return dropped
  })
}
