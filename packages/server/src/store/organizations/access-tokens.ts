import type { Queries } from '../database.js'

/** An API token as it is stored, without the token itself. */
export interface AccessToken {
  readonly id: string
  readonly organizationId: string
  readonly organization: string
  readonly name: string
  readonly scopes: readonly string[]
  /** Undefined for a token that does not expire. */
  readonly expiresAt: Date | undefined
  readonly issuedAt: Date
  /** The address of the administrator who issued it; undefined for the operator. */
  readonly createdBy: string | undefined
  readonly lastUsedAt: Date | undefined
  readonly revokedAt: Date | undefined
}

export type NewAccessToken = Pick<
  AccessToken,
  'id' | 'organizationId' | 'name' | 'scopes' | 'expiresAt' | 'issuedAt' | 'createdBy'
> & {
  readonly hash: string
}

const TOKENS = `select t.id, t.organization_id, o.name as organization, t.name, t.scopes,
    t.expires_at, t.issued_at, t.created_by, t.last_used_at, t.revoked_at
  from access_tokens t join organizations o on o.id = t.organization_id`

export async function insertAccessToken(queries: Queries, token: NewAccessToken): Promise<void> {
  await queries.query(
    `insert into access_tokens (id, organization_id, name, hash, scopes, expires_at, issued_at, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      token.id,
      token.organizationId,
      token.name,
      token.hash,
      token.scopes.join(','),
      token.expiresAt ?? null,
      token.issuedAt,
      token.createdBy ?? null,
    ],
  )
}

/** Found by its hash in an index, so the time of the lookup reveals nothing about existing tokens. */
export async function findAccessTokenByHash(queries: Queries, hash: string): Promise<AccessToken | undefined> {
  const [row] = await queries.query<TokenRow>(`${TOKENS} where t.hash = $1`, [hash])
  return row && tokenOf(row)
}

export async function findActiveTokenByName(
  queries: Queries,
  organizationId: string,
  name: string,
): Promise<AccessToken | undefined> {
  const [row] = await queries.query<TokenRow>(
    `${TOKENS} where t.organization_id = $1 and t.name = $2 and t.revoked_at is null`,
    [organizationId, name],
  )
  return row && tokenOf(row)
}

export async function lockAccessToken(queries: Queries, id: string): Promise<AccessToken | undefined> {
  const [row] = await queries.query<TokenRow>(`${TOKENS} where t.id = $1::uuid for update of t`, [id])
  return row && tokenOf(row)
}

/** The tokens of an organization that are not revoked, the latest first. */
export async function listActiveTokens(queries: Queries, organizationId: string): Promise<AccessToken[]> {
  const rows = await queries.query<TokenRow>(
    `${TOKENS} where t.organization_id = $1 and t.revoked_at is null order by t.issued_at desc, t.id`,
    [organizationId],
  )
  return rows.map(tokenOf)
}

export async function countActiveTokens(queries: Queries, organizationId: string): Promise<number> {
  const [row] = await queries.query<{ count: number }>(
    'select count(*)::int as count from access_tokens where organization_id = $1 and revoked_at is null',
    [organizationId],
  )
  return row!.count
}

/** Records the use of a token, unless a use was recorded after `before`. */
export async function noteTokenUse(queries: Queries, id: string, now: Date, before: Date): Promise<void> {
  await queries.query(
    `update access_tokens set last_used_at = $2
     where id = $1 and (last_used_at is null or last_used_at <= $3 or last_used_at > $2)`,
    [id, now, before],
  )
}

export async function listAccessTokens(queries: Queries): Promise<AccessToken[]> {
  return (await queries.query<TokenRow>(`${TOKENS} order by t.issued_at, t.id`)).map(tokenOf)
}

export async function markTokenRevoked(queries: Queries, id: string, now: Date): Promise<void> {
  await queries.query('update access_tokens set revoked_at = $2 where id = $1', [id, now])
}

type TokenRow = {
  id: string
  organization_id: string
  organization: string
  name: string
  scopes: string
  expires_at: Date | null
  issued_at: Date
  created_by: string | null
  last_used_at: Date | null
  revoked_at: Date | null
}

const tokenOf = (row: TokenRow): AccessToken => ({
  id: row.id,
  organizationId: row.organization_id,
  organization: row.organization,
  name: row.name,
  scopes: row.scopes.split(','),
  expiresAt: row.expires_at ?? undefined,
  issuedAt: row.issued_at,
  createdBy: row.created_by ?? undefined,
  lastUsedAt: row.last_used_at ?? undefined,
  revokedAt: row.revoked_at ?? undefined,
})
