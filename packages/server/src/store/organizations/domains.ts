import type { Queries } from '../database.js'

/**
 * A verified domain: its users sign in at the organization. The column of `challenge` is called `proof`: renaming it would break
 * processes of the previous version that still run during a rolling update.
 */
export interface Domain {
  readonly domain: string
  /** Whether it is the domain of the onboarding. */
  readonly isPrimary: boolean
  readonly challenge: string
  readonly addedAt: Date
  readonly connectedAt: Date
}

/** The organization that a domain belongs to. */
export async function findDomainOwner(queries: Queries, domain: string): Promise<string | undefined> {
  const [row] = await queries.query<{ organization_id: string }>(
    'select organization_id from domains where domain = $1',
    [domain],
  )
  return row?.organization_id
}

/** The verified domains of an organization, the primary one first. */
export async function listDomains(queries: Queries, organizationId: string): Promise<Domain[]> {
  const rows = await queries.query<DomainRow>(
    `select domain, is_primary, proof, added_at, connected_at from domains where organization_id = $1
     order by is_primary desc, domain`,
    [organizationId],
  )
  return rows.map(domainOf)
}

/** The claim that was verified. For the domain of an onboarding there is none, and the database makes up the values. */
export interface VerifiedClaim {
  readonly challenge: string
  readonly addedAt: Date
}

/**
 * Gives a domain to an organization; false if another organization has it. Of two concurrent transactions the second waits for
 * the first to commit or roll back, so exactly one succeeds.
 */
export async function takeDomain(
  queries: Queries,
  domain: string,
  organizationId: string,
  now: Date,
  claim?: VerifiedClaim,
): Promise<boolean> {
  const rows = await queries.query(
    `insert into domains (domain, organization_id, connected_at, added_at, proof)
     values ($1, $2, $3, $4, coalesce($5, replace(gen_random_uuid()::text, '-', '')))
     on conflict (domain) do update set connected_at = excluded.connected_at
       where domains.organization_id = excluded.organization_id
     returning domain`,
    [domain, organizationId, now, claim?.addedAt ?? now, claim?.challenge ?? null],
  )
  if (rows.length === 0) return false
  await queries.query('delete from domain_claims where organization_id = $1 and domain = $2', [organizationId, domain])
  return true
}

/** Makes a domain the primary one of its organization. */
export async function makeDomainPrimary(queries: Queries, domain: string, organizationId: string): Promise<void> {
  await queries.query(
    'update domains set is_primary = false where organization_id = $1 and is_primary and domain <> $2',
    [organizationId, domain],
  )
  await queries.query('update domains set is_primary = true where organization_id = $1 and domain = $2', [
    organizationId,
    domain,
  ])
}

/** Removes a domain from an organization and signs its users out. Gives the number of ended sessions and tools. */
export async function releaseDomain(queries: Queries, domain: string, organizationId: string): Promise<number> {
  await queries.query('delete from domains where domain = $1 and organization_id = $2', [domain, organizationId])
  const ofDomain = `using users u where u.id = x.user_id and u.organization_id = $1 and split_part(u.email, '@', 2) = $2
    returning x.user_id`
  // Requests before logins: a tool that is fetching its tokens is found in one of the two tables.
  await queries.query(`delete from device_requests x ${ofDomain}`, [organizationId, domain])
  const sessions = await queries.query(`delete from sessions x ${ofDomain}`, [organizationId, domain])
  const tools = await queries.query(`delete from tool_logins x ${ofDomain}`, [organizationId, domain])
  return sessions.length + tools.length
}

/** Deletes the domains of an organization. */
export async function freeDomainsOf(queries: Queries, organizationId: string): Promise<void> {
  await queries.query('delete from domains where organization_id = $1', [organizationId])
}

type DomainRow = { domain: string; is_primary: boolean; proof: string; added_at: Date; connected_at: Date }

const domainOf = (row: DomainRow): Domain => ({
  domain: row.domain,
  isPrimary: row.is_primary,
  challenge: row.proof,
  addedAt: row.added_at,
  connectedAt: row.connected_at,
})

/** A domain that an organization has added and not verified yet. */
export interface DomainClaim {
  readonly domain: string
  readonly challenge: string
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

/** Stores a claim; the database makes up its challenge. */
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

const claimOf = (row: ClaimRow): DomainClaim => ({ domain: row.domain, challenge: row.proof, addedAt: row.added_at })
