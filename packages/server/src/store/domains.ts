import type { Queries } from './database.js'

/** The organization that has a domain. */
export async function findDomainOwner(queries: Queries, domain: string): Promise<string | undefined> {
  const [row] = await queries.query<{ organization_id: string }>(
    'select organization_id from domains where domain = $1',
    [domain],
  )
  return row?.organization_id
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
): Promise<boolean> {
  const rows = await queries.query(
    `insert into domains (domain, organization_id, connected_at) values ($1, $2, $3)
     on conflict (domain) do update set connected_at = excluded.connected_at
       where domains.organization_id = excluded.organization_id
     returning domain`,
    [domain, organizationId, now],
  )
  return rows.length > 0
}

/** Frees the domains of an organization. */
export async function freeDomainsOf(queries: Queries, organizationId: string): Promise<void> {
  await queries.query('delete from domains where organization_id = $1', [organizationId])
}
