import type { Queries } from '../database.js'

/** The connection that is to replace the current one. The secret is encrypted. */
export interface Replacement<Provider> {
  readonly id: string
  readonly organizationId: string
  readonly issuer: string
  readonly provider: Provider
  readonly clientId: string
  readonly encryptedSecret: string
  readonly secretKeyId: string
  readonly authMethod: 'client_secret_basic' | 'client_secret_post'
  readonly status: 'untested' | 'testing' | 'passed' | 'failed'
  readonly linkHash: string | undefined
  readonly testExpiresAt: Date | undefined
  readonly testedAs: string | undefined
  readonly detail: string | undefined
  readonly createdAt: Date
  readonly expiresAt: Date
}

export type NewReplacement<Provider> = Omit<
  Replacement<Provider>,
  'status' | 'linkHash' | 'testExpiresAt' | 'testedAs' | 'detail'
>

const REPLACEMENT = `select organization_id, id, issuer, provider, client_id, client_secret, secret_key_id, auth_method, status,
    link_hash, test_expires_at, tested_as, detail, created_at, expires_at
  from connection_replacements`

/** Stores a replacement. An earlier one and its running test are deleted. */
export async function insertReplacement<P>(queries: Queries, replacement: NewReplacement<P>): Promise<void> {
  await deleteReplacement(queries, replacement.organizationId)
  await queries.query(
    `insert into connection_replacements (organization_id, id, issuer, provider, client_id, client_secret, secret_key_id,
       auth_method, status, created_at, expires_at)
     values ($1, $2, $3, $4::jsonb, $5, $6, $7, $8, 'untested', $9, $10)`,
    [
      replacement.organizationId,
      replacement.id,
      replacement.issuer,
      JSON.stringify(replacement.provider),
      replacement.clientId,
      replacement.encryptedSecret,
      replacement.secretKeyId,
      replacement.authMethod,
      replacement.createdAt,
      replacement.expiresAt,
    ],
  )
}

export async function findReplacement<P>(
  queries: Queries,
  organizationId: string,
): Promise<Replacement<P> | undefined> {
  const [row] = await queries.query<ReplacementRow<P>>(`${REPLACEMENT} where organization_id = $1`, [organizationId])
  return row && replacementOf(row)
}

export async function lockReplacement<P>(
  queries: Queries,
  organizationId: string,
): Promise<Replacement<P> | undefined> {
  const [row] = await queries.query<ReplacementRow<P>>(`${REPLACEMENT} where organization_id = $1 for update`, [
    organizationId,
  ])
  return row && replacementOf(row)
}

export async function findReplacementById<P>(queries: Queries, id: string): Promise<Replacement<P> | undefined> {
  const [row] = await queries.query<ReplacementRow<P>>(`${REPLACEMENT} where id = $1`, [id])
  return row && replacementOf(row)
}

/** The organization whose replacement is tested by a link. */
export async function findOrganizationOfLink(queries: Queries, linkHash: string): Promise<string | undefined> {
  const [row] = await queries.query<{ organization_id: string }>(
    'select organization_id from connection_replacements where link_hash = $1',
    [linkHash],
  )
  return row?.organization_id
}

/** Begins a test. Browsers of an earlier test can no longer finish it. */
export async function startReplacementTest(
  queries: Queries,
  id: string,
  { linkHash, expiresAt }: { readonly linkHash: string; readonly expiresAt: Date },
): Promise<void> {
  await queries.query('delete from logins where replacement_id = $1', [id])
  await queries.query(
    `update connection_replacements set status = 'testing', link_hash = $2, test_expires_at = $3, tested_as = null, detail = null
     where id = $1`,
    [id, linkHash, expiresAt],
  )
}

export interface ReplacementTestResult {
  readonly status: 'passed' | 'failed'
  readonly testedAs: string | undefined
  readonly detail: string | undefined
}

/** Stores the result of a test. False if the test has ended, or another test has replaced it. */
export async function finishReplacementTest(
  queries: Queries,
  { id, linkHash }: { readonly id: string; readonly linkHash: string },
  { status, testedAs, detail }: ReplacementTestResult,
): Promise<boolean> {
  const rows = await queries.query(
    `update connection_replacements set status = $3, tested_as = $4, detail = $5, link_hash = null, test_expires_at = null
     where id = $1 and link_hash = $2 returning id`,
    [id, linkHash, status, testedAs ?? null, detail ?? null],
  )
  if (rows.length === 0) return false
  await queries.query('delete from logins where replacement_id = $1', [id])
  return true
}

export async function deleteReplacement(queries: Queries, organizationId: string): Promise<boolean> {
  const rows = await queries.query('delete from connection_replacements where organization_id = $1 returning id', [
    organizationId,
  ])
  return rows.length > 0
}

export interface ExpiredReplacement {
  readonly id: string
  readonly organization: string
  readonly issuer: string
  readonly clientId: string
}

/** Deletes expired replacements. */
export async function deleteExpiredReplacements(queries: Queries, now: Date): Promise<ExpiredReplacement[]> {
  const rows = await queries.query<{ id: string; organization: string; issuer: string; client_id: string }>(
    `delete from connection_replacements r using organizations o where o.id = r.organization_id and r.expires_at <= $1
     returning r.id, o.name as organization, r.issuer, r.client_id`,
    [now],
  )
  return rows.map(({ id, organization, issuer, client_id }) => ({ id, organization, issuer, clientId: client_id }))
}

export interface ReplacementSecret {
  readonly id: string
  readonly encryptedSecret: string
}

/** Locks and gives some secrets that are encrypted with another key, in the order of their ids. */
export async function lockReplacementSecretsOfOtherKeys(
  queries: Queries,
  { keyId, after, limit }: { readonly keyId: string; readonly after: string | undefined; readonly limit: number },
): Promise<ReplacementSecret[]> {
  const rows = await queries.query<{ id: string; client_secret: string }>(
    `select id, client_secret from connection_replacements
     where secret_key_id <> $1 and ($2::uuid is null or id > $2::uuid) order by id limit $3::int for update`,
    [keyId, after ?? null, limit],
  )
  return rows.map((row) => ({ id: row.id, encryptedSecret: row.client_secret }))
}

export async function replaceReplacementSecret(
  queries: Queries,
  { id, encryptedSecret }: ReplacementSecret,
  keyId: string,
): Promise<void> {
  await queries.query('update connection_replacements set client_secret = $2, secret_key_id = $3 where id = $1', [
    id,
    encryptedSecret,
    keyId,
  ])
}

/** For a secret that no key decrypts: the replacement is useless. */
export async function deleteReplacementById(queries: Queries, id: string): Promise<void> {
  await queries.query('delete from connection_replacements where id = $1', [id])
}

type ReplacementRow<P> = {
  organization_id: string
  id: string
  issuer: string
  provider: P
  client_id: string
  client_secret: string
  secret_key_id: string
  auth_method: 'client_secret_basic' | 'client_secret_post'
  status: 'untested' | 'testing' | 'passed' | 'failed'
  link_hash: string | null
  test_expires_at: Date | null
  tested_as: string | null
  detail: string | null
  created_at: Date
  expires_at: Date
}

const replacementOf = <P>(row: ReplacementRow<P>): Replacement<P> => ({
  id: row.id,
  organizationId: row.organization_id,
  issuer: row.issuer,
  provider: row.provider,
  clientId: row.client_id,
  encryptedSecret: row.client_secret,
  secretKeyId: row.secret_key_id,
  authMethod: row.auth_method,
  status: row.status,
  linkHash: row.link_hash ?? undefined,
  testExpiresAt: row.test_expires_at ?? undefined,
  testedAs: row.tested_as ?? undefined,
  detail: row.detail ?? undefined,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})
