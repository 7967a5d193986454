import { randomUUID } from 'node:crypto'
import type { Queries } from '../database.js'

export interface Organization {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
}

export interface ListedOrganization extends Organization {
  readonly domains: readonly string[]
  readonly connected: boolean
}

/** Finds or creates the organization with this name. It cannot be removed before the transaction ends. */
export async function ensureOrganization(
  queries: Queries,
  name: string,
  now: Date,
): Promise<{ id: string; made: boolean }> {
  const made = randomUUID()
  const [row] = await queries.query<{ id: string }>(
    `insert into organizations (id, name, created_at) values ($1, $2, $3)
     on conflict (name) where removed_at is null do update set name = excluded.name
     returning id`,
    [made, name, now],
  )
  return { id: row!.id, made: row!.id === made }
}

/** Locks an organization for changes (docs/data-model.md). */
export async function lockOrganization(queries: Queries, id: string): Promise<void> {
  await queries.query('select id from organizations where id = $1 for update', [id])
}

export async function lockOrganizationByName(queries: Queries, name: string): Promise<Organization | undefined> {
  const [row] = await queries.query<OrganizationRow>(
    'select id, name, created_at from organizations where name = $1 and removed_at is null for update',
    [name],
  )
  return row && organizationOf(row)
}

/** Keeps an organization from being removed or changed until the transaction ends; false if it has been removed. */
export async function holdOrganization(queries: Queries, id: string): Promise<boolean> {
  const rows = await queries.query('select id from organizations where id = $1 and removed_at is null for share', [id])
  return rows.length > 0
}

export async function markRemoved(queries: Queries, id: string, now: Date): Promise<void> {
  await queries.query('update organizations set removed_at = $2 where id = $1', [id, now])
}

const LISTED = `select o.id, o.name, o.created_at, c.organization_id is not null as connected,
    (select coalesce(json_agg(d.domain order by d.domain), '[]') from domains d where d.organization_id = o.id) as domains
  from organizations o left join connections c on c.organization_id = o.id
  where o.removed_at is null`

export async function listOrganizations(queries: Queries): Promise<ListedOrganization[]> {
  return (await queries.query<ListedRow>(`${LISTED} order by o.name, o.id`)).map(listedOf)
}

export async function findOrganization(queries: Queries, name: string): Promise<ListedOrganization | undefined> {
  const [row] = await queries.query<ListedRow>(`${LISTED} and o.name = $1`, [name])
  return row && listedOf(row)
}

type OrganizationRow = { id: string; name: string; created_at: Date }
type ListedRow = OrganizationRow & { connected: boolean; domains: string[] }

const organizationOf = (row: OrganizationRow): Organization => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at,
})
const listedOf = (row: ListedRow): ListedOrganization => ({
  ...organizationOf(row),
  domains: row.domains,
  connected: row.connected,
})
