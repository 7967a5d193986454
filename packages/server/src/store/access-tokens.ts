import type { Queries } from './database.js'

/** A token of an organization as it is kept: everything but the token itself. */
export interface AccessToken {
  readonly id: string
  readonly organizationId: string
  readonly organization: string
  readonly name: string
  readonly scopes: readonly string[]
  /** `YYYY-MM-DD`; for ever without it. */
  readonly expiresOn: string | undefined
  readonly issuedAt: Date
  readonly revokedAt: Date | undefined
}

export type NewAccessToken = Pick<
  AccessToken,
  'id' | 'organizationId' | 'name' | 'scopes' | 'expiresOn' | 'issuedAt'
> & {
  readonly hash: string
}

const TOKENS = `select t.id, t.organization_id, o.name as organization, t.name, t.scopes,
    to_char(t.expires_on, 'YYYY-MM-DD') as expires_on, t.issued_at, t.revoked_at
  from access_tokens t join organizations o on o.id = t.organization_id`

export async function insertAccessToken(queries: Queries, token: NewAccessToken): Promise<void> {
  await queries.query(
    `insert into access_tokens (id, organization_id, name, hash, scopes, expires_on, issued_at)
     values ($1, $2, $3, $4, $5, $6::text::date, $7)`,
    [
      token.id,
      token.organizationId,
      token.name,
      token.hash,
      token.scopes.join(','),
      token.expiresOn ?? null,
      token.issuedAt,
    ],
  )
}

/** By its hash, in an index: how long that takes says nothing about tokens that exist. */
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
  expires_on: string | null
  issued_at: Date
  revoked_at: Date | null
}

const tokenOf = (row: TokenRow): AccessToken => ({
  id: row.id,
  organizationId: row.organization_id,
  organization: row.organization,
  name: row.name,
  scopes: row.scopes.split(','),
  expiresOn: row.expires_on ?? undefined,
  issuedAt: row.issued_at,
  revokedAt: row.revoked_at ?? undefined,
})
