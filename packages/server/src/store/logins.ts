import type { Queries } from './database.js'

/** A browser on its way to an identity provider. What would let somebody come back in its place is hashed or encrypted. */
export interface StoredLogin {
  readonly stateHash: string
  /** Undefined for the decoy of an address that nobody has connected. */
  readonly organizationId: string | undefined
  /** The one callback address on which it may come back. */
  readonly callbackId: string
  /** Where it began, and as which client: the address alone does not say so while a connection is being replaced. */
  readonly issuer: string | undefined
  readonly clientId: string | undefined
  /** Of the test of a connection that is to replace the one in use. */
  readonly replacementId?: string
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

/** The connection on whose address a browser comes back. */
export interface LoginConnection {
  readonly issuer: string
  readonly clientId: string
}

export type TakenLogin = Pick<StoredLogin, 'nonce' | 'encryptedVerifier' | 'target'>

/** A login that an older version has begun says nothing about its connection. */
const OF_CONNECTION = '(issuer is null or (issuer = $1 and client_id = $2))'

/**
 * Takes away the login that a browser comes back from: state, callback address and browser must all be those that it left with,
 * and the connection the one that it began at. Of any number of requests with one state exactly one is given it, because the row can be deleted only once.
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

/** The same for a login that is a test of a connection. */
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

/** What waits under a state at an address, whatever the browser: a login of the connection, a test, or one of another time. */
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

/** Whether a test waits under a state: then it is the browser that is wrong. */
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

/** Of the logins of a test, keeps only this one and the latest: whoever clicks a thousand times fills nothing. */
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
