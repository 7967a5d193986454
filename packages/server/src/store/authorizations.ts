import type { Queries } from './database.js'

/** A browser on its way to an identity provider. What would let somebody come back in its place is hashed or encrypted. */
export interface StoredAuthorization {
  readonly stateHash: string
  /** The onboarding transaction whose test it is. */
  readonly transactionId: string
  /** The one callback address on which it may come back. */
  readonly callbackId: string
  readonly browserHash: string
  readonly nonce: string
  readonly encryptedVerifier: string
  readonly verifierKeyId: string
  readonly begunAt: Date
  readonly expiresAt: Date
}

/** Keeps an authorization, and of those of its test only the latest: whoever clicks a thousand times fills nothing. */
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

export interface Return {
  readonly stateHash: string
  readonly callbackId: string
  readonly browserHash: string
}

export type TakenAuthorization = Pick<StoredAuthorization, 'transactionId' | 'nonce' | 'encryptedVerifier'>

/**
 * Takes away the authorization that a browser comes back from: state, callback address and browser must all be those that it
 * left with. Of any number of requests with one state exactly one is given it, because the row can be deleted only once.
 */
export async function takeAuthorization(
  queries: Queries,
  { stateHash, callbackId, browserHash }: Return,
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

/** Whether a state is known at all: then it is the browser or the address that is wrong. */
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

/** Ends the authorizations whose verifier is not encrypted with the given key: their users begin again. */
export async function deleteAuthorizationsOfOtherKeys(queries: Queries, keyId: string): Promise<void> {
  await queries.query('delete from authorizations where verifier_key_id <> $1', [keyId])
}
