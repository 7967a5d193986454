import type { Queries } from './database.js'

/** A domain whose people sign in at an organization. */
export interface Domain {
  readonly domain: string
  /** Whether it is the one of the onboarding. */
  readonly isPrimary: boolean
  readonly proof: string
  readonly addedAt: Date
  readonly connectedAt: Date
}

/** The organization that has a domain. */
export async function findDomainOwner(queries: Queries, domain: string): Promise<string | undefined> {
  const [row] = await queries.query<{ organization_id: string }>(
    'select organization_id from domains where domain = $1',
    [domain],
  )
  return row?.organization_id
}

/** The domains of an organization, the primary one first. */
export async function listDomains(queries: Queries, organizationId: string): Promise<Domain[]> {
  const rows = await queries.query<DomainRow>(
    `select domain, is_primary, proof, added_at, connected_at from domains where organization_id = $1
     order by is_primary desc, domain`,
    [organizationId],
  )
  return rows.map(domainOf)
}

/** What is known about how a domain was proved; the database makes up what is missing. */
export interface Proved {
  readonly proof: string
  readonly addedAt: Date
}

/**
 * Gives a domain to an organization, unless another has it: then false. Of two that try at once the second waits for the
 * first to commit or roll back, so exactly one succeeds.
 */
export async function takeDomain(
  queries: Queries,
  domain: string,
  organizationId: string,
  now: Date,
  proved?: Proved,
): Promise<boolean> {
  const rows = await queries.query(
    `insert into domains (domain, organization_id, connected_at, added_at, proof)
     values ($1, $2, $3, $4, coalesce($5, replace(gen_random_uuid()::text, '-', '')))
     on conflict (domain) do update set connected_at = excluded.connected_at
       where domains.organization_id = excluded.organization_id
     returning domain`,
    [domain, organizationId, now, proved?.addedAt ?? now, proved?.proof ?? null],
  )
  if (rows.length === 0) return false
  // However it came to be proved, it waits no longer.
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

/** Takes a domain from an organization. What its people are signed in to ends; gives how much that was. */
export async function releaseDomain(queries: Queries, domain: string, organizationId: string): Promise<number> {
  await queries.query('delete from domains where domain = $1 and organization_id = $2', [domain, organizationId])
  const people = `using users u where u.id = x.user_id and u.organization_id = $1 and split_part(u.email, '@', 2) = $2
    returning x.user_id`
  // A tool that is being signed in right now becomes one that is, and is found after its request.
  await queries.query(`delete from device_requests x ${people}`, [organizationId, domain])
  const sessions = await queries.query(`delete from sessions x ${people}`, [organizationId, domain])
  const tools = await queries.query(`delete from tool_logins x ${people}`, [organizationId, domain])
  return sessions.length + tools.length
}

/** Frees the domains of an organization. */
export async function freeDomainsOf(queries: Queries, organizationId: string): Promise<void> {
  await queries.query('delete from domains where organization_id = $1', [organizationId])
}

type DomainRow = { domain: string; is_primary: boolean; proof: string; added_at: Date; connected_at: Date }

const domainOf = (row: DomainRow): Domain => ({
  domain: row.domain,
  isPrimary: row.is_primary,
  proof: row.proof,
  addedAt: row.added_at,
  connectedAt: row.connected_at,
})
