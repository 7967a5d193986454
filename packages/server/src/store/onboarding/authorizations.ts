import type { Queries } from '../database.js'

/** A browser at the identity provider for a test sign-in. Its secrets are hashed or encrypted. */
export interface StoredAuthorization {
  readonly stateHash: string
  /** The onboarding transaction that is tested. */
  readonly transactionId: string
  /** The only callback address that is accepted. */
  readonly callbackId: string
  readonly browserHash: string
  readonly nonce: string
  readonly encryptedVerifier: string
  readonly verifierKeyId: string
  readonly begunAt: Date
  readonly expiresAt: Date
}

/** Stores an authorization and keeps only the latest ones of its test, so that repeated clicks do not fill the table. */
export async function insertAuthorization(
  queries: Queries,
  authorization: StoredAuthorization,
  most: number,
): Promise<void> {
  await queries.query(
    `insert into authorizations (state_hash, transaction_id, callback_id, browser_hash, nonce, verifier, verifier_key_id,
       begun_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      authorization.stateHash,
      authorization.transactionId,
      authorization.callbackId,
      authorization.browserHash,
      authorization.nonce,
      authorization.encryptedVerifier,
      authorization.verifierKeyId,
      authorization.begunAt,
      authorization.expiresAt,
    ],
  )
  await queries.query(
    `delete from authorizations where transaction_id = $1 and state_hash not in (
       select state_hash from authorizations where transaction_id = $1 order by begun_at desc, state_hash limit $2::int)
     and state_hash <> $3`,
    [authorization.transactionId, most, authorization.stateHash],
  )
}

export interface AuthorizationReturn {
  readonly stateHash: string
  readonly callbackId: string
  readonly browserHash: string
}

export type TakenAuthorization = Pick<StoredAuthorization, 'transactionId' | 'nonce' | 'encryptedVerifier'>

/**
 * Deletes and returns the authorization of a browser that comes back: state, callback address and browser must match. Of any
 * number of requests with the same state exactly one gets it, because the row can be deleted only once.
 */
export async function takeAuthorization(
  queries: Queries,
  { stateHash, callbackId, browserHash }: AuthorizationReturn,
  now: Date,
): Promise<TakenAuthorization | undefined> {
  const [row] = await queries.query<{ transaction_id: string; nonce: string; verifier: string }>(
    `delete from authorizations
     where state_hash = $1 and callback_id = $2::uuid and browser_hash = $3 and expires_at > $4
     returning transaction_id, nonce, verifier`,
    [stateHash, callbackId, browserHash, now],
  )
  return row && { transactionId: row.transaction_id, nonce: row.nonce, encryptedVerifier: row.verifier }
}

/** Whether a state is known: then the browser or the callback address is wrong. */
export async function isKnownState(queries: Queries, stateHash: string, now: Date): Promise<boolean> {
  const rows = await queries.query('select state_hash from authorizations where state_hash = $1 and expires_at > $2', [
    stateHash,
    now,
  ])
  return rows.length > 0
}

export async function deleteExpiredAuthorizations(queries: Queries, now: Date): Promise<void> {
  await queries.query('delete from authorizations where expires_at <= $1', [now])
}

/** Deletes the authorizations whose verifier is encrypted with another key: their users must start again. */
export async function deleteAuthorizationsOfOtherKeys(queries: Queries, keyId: string): Promise<void> {
  await queries.query('delete from authorizations where verifier_key_id <> $1', [keyId])
}
