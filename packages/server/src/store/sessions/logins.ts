import type { Queries } from '../database.js'

/** A browser at an identity provider. Its secrets are hashed or encrypted. */
export interface StoredLogin {
  readonly stateHash: string
  /** Undefined for the decoy of an unknown domain. */
  readonly organizationId: string | undefined
  /** The only callback address that is accepted. */
  readonly callbackId: string
  /** Issuer and client of the login: two connections share the callback address while one replaces the other. */
  readonly issuer: string | undefined
  readonly clientId: string | undefined
  /** The replacement that is tested by this login. */
  readonly replacementId?: string
  readonly browserHash: string
  readonly nonce: string
  readonly encryptedVerifier: string
  /** Where the browser goes after the sign-in. */
  readonly target: string
  readonly begunAt: Date
  readonly expiresAt: Date
}

export async function insertLogin(queries: Queries, login: StoredLogin): Promise<void> {
  await queries.query(
    `insert into logins (state_hash, organization_id, callback_id, browser_hash, nonce, verifier, target, begun_at, expires_at,
       issuer, client_id, replacement_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
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
      login.issuer ?? null,
      login.clientId ?? null,
      login.replacementId ?? null,
    ],
  )
}

export interface LoginReturn {
  readonly stateHash: string
  readonly callbackId: string
  readonly browserHash: string
}

/** The connection of a callback address. */
export interface LoginConnection {
  readonly issuer: string
  readonly clientId: string
}

export type TakenLogin = Pick<StoredLogin, 'nonce' | 'encryptedVerifier' | 'target'>

/** A login that an older version began has neither issuer nor client. */
const OF_CONNECTION = '(issuer is null or (issuer = $1 and client_id = $2))'

/**
 * Deletes and returns the login of a browser that comes back: state, callback address, browser and connection must match. Of any
 * number of requests with the same state exactly one gets it, because the row can be deleted only once.
 */
export async function takeLogin(
  queries: Queries,
  { stateHash, callbackId, browserHash }: LoginReturn,
  { issuer, clientId }: LoginConnection,
  now: Date,
): Promise<TakenLogin | undefined> {
  const [row] = await queries.query<{ nonce: string; verifier: string; target: string }>(
    `delete from logins
     where ${OF_CONNECTION} and state_hash = $3 and callback_id = $4::uuid and browser_hash = $5 and expires_at > $6
       and organization_id is not null and replacement_id is null
     returning nonce, verifier, target`,
    [issuer, clientId, stateHash, callbackId, browserHash, now],
  )
  return row && { nonce: row.nonce, encryptedVerifier: row.verifier, target: row.target }
}

export interface TakenTestLogin {
  readonly replacementId: string
  readonly nonce: string
  readonly encryptedVerifier: string
}

/** The same for the test of a replacement. */
export async function takeTestLogin(
  queries: Queries,
  { stateHash, callbackId, browserHash }: LoginReturn,
  now: Date,
): Promise<TakenTestLogin | undefined> {
  const [row] = await queries.query<{ replacement_id: string; nonce: string; verifier: string }>(
    `delete from logins
     where state_hash = $1 and callback_id = $2::uuid and browser_hash = $3 and expires_at > $4 and replacement_id is not null
     returning replacement_id, nonce, verifier`,
    [stateHash, callbackId, browserHash, now],
  )
  return row && { replacementId: row.replacement_id, nonce: row.nonce, encryptedVerifier: row.verifier }
}

/** What a state belongs to, whatever the browser: a login of the current connection, a test, or an earlier connection. */
export async function findWaiting(
  queries: Queries,
  { stateHash, callbackId }: Pick<LoginReturn, 'stateHash' | 'callbackId'>,
  { issuer, clientId }: LoginConnection,
  now: Date,
): Promise<'login' | 'test' | 'outdated' | undefined> {
  const [row] = await queries.query<{ is_test: boolean; is_current: boolean }>(
    `select replacement_id is not null as is_test, ${OF_CONNECTION} as is_current from logins
     where state_hash = $3 and callback_id = $4::uuid and expires_at > $5`,
    [issuer, clientId, stateHash, callbackId, now],
  )
  if (!row) return undefined
  if (row.is_test) return 'test'
  return row.is_current ? 'login' : 'outdated'
}

/** Whether a state belongs to a test: then the browser is wrong. */
export async function isKnownTest(
  queries: Queries,
  { stateHash, callbackId }: Pick<LoginReturn, 'stateHash' | 'callbackId'>,
  now: Date,
): Promise<boolean> {
  const rows = await queries.query(
    `select state_hash from logins
     where state_hash = $1 and callback_id = $2::uuid and expires_at > $3 and replacement_id is not null`,
    [stateHash, callbackId, now],
  )
  return rows.length > 0
}

/** Keeps only this login and the latest ones of a test, so that repeated clicks do not fill the table. */
export async function keepLatestTestLogins(
  queries: Queries,
  {
    replacementId,
    stateHash,
    most,
  }: { readonly replacementId: string; readonly stateHash: string; readonly most: number },
): Promise<void> {
  await queries.query(
    `delete from logins where replacement_id = $1 and state_hash not in (
       select state_hash from logins where replacement_id = $1
       order by state_hash = $2 desc, begun_at desc, state_hash limit $3::int)`,
    [replacementId, stateHash, most],
  )
}

export async function deleteExpiredLogins(queries: Queries, now: Date): Promise<void> {
  await queries.query('delete from logins where expires_at <= $1', [now])
}
