import type { Queries } from './database.js'

/** A browser on its way to an identity provider. What would let somebody come back in its place is hashed or encrypted. */
export interface StoredLogin {
  readonly stateHash: string
  /** Undefined for the decoy of an address that nobody has connected. */
  readonly organizationId: string | undefined
  /** The one callback address on which it may come back. */
  readonly callbackId: string
  readonly browserHash: string
  readonly nonce: string
  readonly encryptedVerifier: string
  /** Where the browser goes after it has come back. */
  readonly target: string
  readonly begunAt: Date
  readonly expiresAt: Date
}

export async function insertLogin(queries: Queries, login: StoredLogin): Promise<void> {
  await queries.query(
    `insert into logins (state_hash, organization_id, callback_id, browser_hash, nonce, verifier, target, begun_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      login.stateHash,
      login.organizationId ?? null,
      login.callbackId,
      login.browserHash,
      login.nonce,
      login.encryptedVerifier,
      login.target,
      login.begunAt,
      login.expiresAt,
    ],
  )
}

export interface LoginReturn {
  readonly stateHash: string
  readonly callbackId: string
  readonly browserHash: string
}

export type TakenLogin = Pick<StoredLogin, 'nonce' | 'encryptedVerifier' | 'target'>

/**
 * Takes away the login that a browser comes back from: state, callback address and browser must all be those that it left with.
 * Of any number of requests with one state exactly one is given it, because the row can be deleted only once.
 */
export async function takeLogin(
  queries: Queries,
  { stateHash, callbackId, browserHash }: LoginReturn,
  now: Date,
): Promise<TakenLogin | undefined> {
  const [row] = await queries.query<{ nonce: string; verifier: string; target: string }>(
    `delete from logins
     where state_hash = $1 and callback_id = $2::uuid and browser_hash = $3 and expires_at > $4 and organization_id is not null
     returning nonce, verifier, target`,
    [stateHash, callbackId, browserHash, now],
  )
  return row && { nonce: row.nonce, encryptedVerifier: row.verifier, target: row.target }
}

/** Whether a state is known for an address: then it is the browser that is wrong. */
export async function isKnownLogin(
  queries: Queries,
  { stateHash, callbackId }: Pick<LoginReturn, 'stateHash' | 'callbackId'>,
  now: Date,
): Promise<boolean> {
  const rows = await queries.query(
    'select state_hash from logins where state_hash = $1 and callback_id = $2::uuid and expires_at > $3',
    [stateHash, callbackId, now],
  )
  return rows.length > 0
}

export async function deleteExpiredLogins(queries: Queries, now: Date): Promise<void> {
  await queries.query('delete from logins where expires_at <= $1', [now])
}
