import type { Queries } from './database.js'

/** A domain that an organization says is its own, and has not verified yet. */
export interface DomainClaim {
  readonly domain: string
  readonly proof: string
  readonly addedAt: Date
}

export async function listClaims(queries: Queries, organizationId: string): Promise<DomainClaim[]> {
  const rows = await queries.query<ClaimRow>(
    'select domain, proof, added_at from domain_claims where organization_id = $1 order by domain',
    [organizationId],
  )
  return rows.map(claimOf)
}

export async function findClaim(
  queries: Queries,
  organizationId: string,
  domain: string,
): Promise<DomainClaim | undefined> {
  const [row] = await queries.query<ClaimRow>(
    'select domain, proof, added_at from domain_claims where organization_id = $1 and domain = $2',
    [organizationId, domain],
  )
  return row && claimOf(row)
}

export async function countClaims(queries: Queries, organizationId: string): Promise<number> {
  const [row] = await queries.query<{ count: number }>(
    'select count(*)::int as count from domain_claims where organization_id = $1',
    [organizationId],
  )
  return row!.count
}

/** Notes a claim; the database makes up what is to prove it. */
export async function insertClaim(
  queries: Queries,
  organizationId: string,
  domain: string,
  now: Date,
): Promise<DomainClaim> {
  const [row] = await queries.query<ClaimRow>(
    `insert into domain_claims (organization_id, domain, added_at) values ($1, $2, $3) returning domain, proof, added_at`,
    [organizationId, domain, now],
  )
  return claimOf(row!)
}

export async function deleteClaim(queries: Queries, organizationId: string, domain: string): Promise<boolean> {
  const rows = await queries.query(
    'delete from domain_claims where organization_id = $1 and domain = $2 returning domain',
    [organizationId, domain],
  )
  return rows.length > 0
}

type ClaimRow = { domain: string; proof: string; added_at: Date }

const claimOf = (row: ClaimRow): DomainClaim => ({ domain: row.domain, proof: row.proof, addedAt: row.added_at })
