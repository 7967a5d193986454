import type { Queries } from './database.js'

export type KeyPurpose = 'signing' | 'encryption'

/** The letters `keys` in ASCII. */
const LOCK = 0x6b657973

/** The id of the current key for a purpose. */
export async function currentKeyId(queries: Queries, purpose: KeyPurpose): Promise<string | undefined> {
  const [row] = await queries.query<{ id: string }>('select id from keys where purpose = $1 and current', [purpose])
  return row?.id
}

/**
 * The same, and the key cannot change before the transaction ends: a value encrypted in the transaction is either seen by a
 * later rotation, or encrypted with the new key. The lock is a separate statement, because a query that waits for a row sees the
 * other rows as they were before it waited.
 */
export async function holdCurrentKeyId(queries: Queries, purpose: KeyPurpose): Promise<string | undefined> {
  await queries.query(`select pg_advisory_xact_lock_shared(${LOCK})`)
  return currentKeyId(queries, purpose)
}

/** Makes a key the current one. The caller must hold `lockKeys`. */
export async function makeKeyCurrent(queries: Queries, purpose: KeyPurpose, id: string, now: Date): Promise<void> {
  await queries.query('update keys set current = false where purpose = $1 and current and id <> $2', [purpose, id])
  await queries.query(
    `insert into keys (purpose, id, current, recorded_at) values ($1, $2, true, $3)
     on conflict (purpose, id) do update set current = true`,
    [purpose, id, now],
  )
}

/** Waits for all transactions that hold the current key, and keeps others from changing keys. */
export async function lockKeys(queries: Queries): Promise<void> {
  await queries.query(`select pg_advisory_xact_lock(${LOCK})`)
}

/**
 * The signing keys that no valid token needs: another key is current, and no code that was exchanged before the change can still
 * have valid tokens. Two days are added on either side, for clocks that were set back.
 */
export async function findSpentSigningKeys(queries: Queries, now: Date): Promise<string[]> {
  const rows = await queries.query<{ id: string }>(
    `select old.id from keys old join keys latest on latest.purpose = 'signing' and latest.current
     where old.purpose = 'signing' and not old.current and not exists (
       select from codes
       where first_exchanged_at < latest.recorded_at + interval '2 days' and completed_at is null and revoked_at is null
         and expires_on >= ($1::timestamptz at time zone 'UTC')::date - 2)`,
    [now],
  )
  return rows.map(({ id }) => id)
}
