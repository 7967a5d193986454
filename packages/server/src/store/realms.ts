import type { Queries } from './database.js'

/** What a sign-in needs to know of an organization: its connection and its domains. The secret is kept encrypted. */
export interface Realm<Provider> {
  readonly organizationId: string
  /** As the operator knows it. */
  readonly organization: string
  /** As its people see it. */
  readonly displayName: string
  readonly callbackId: string
  readonly issuer: string
  readonly provider: Provider
  readonly clientId: string
  readonly encryptedSecret: string
  readonly authMethod: 'client_secret_basic' | 'client_secret_post'
  /** The primary one first. */
  readonly domains: readonly string[]
}

const REALM = `select c.organization_id, o.name as organization, c.display_name, c.callback_id, c.issuer, c.provider, c.client_id,
    c.client_secret, c.auth_method,
    (select coalesce(json_agg(d.domain order by d.is_primary desc, d.domain), '[]') from domains d where d.organization_id = c.organization_id)
      as domains
  from connections c join organizations o on o.id = c.organization_id and o.removed_at is null`

export async function findRealmByDomain<P>(queries: Queries, domain: string): Promise<Realm<P> | undefined> {
  const [row] = await queries.query<RealmRow<P>>(
    `${REALM} where c.organization_id = (select organization_id from domains where domain = $1)`,
    [domain],
  )
  return row && realmOf(row)
}

/** Two at most: more than one is as good as many. */
export async function findRealmsByIssuer<P>(queries: Queries, issuer: string): Promise<Realm<P>[]> {
  const rows = await queries.query<RealmRow<P>>(`${REALM} where c.issuer = $1 order by c.organization_id limit 2`, [
    issuer,
  ])
  return rows.map(realmOf)
}

export async function findRealmByCallback<P>(queries: Queries, callbackId: string): Promise<Realm<P> | undefined> {
  const [row] = await queries.query<RealmRow<P>>(`${REALM} where c.callback_id = $1::uuid`, [callbackId])
  return row && realmOf(row)
}

export async function findRealm<P>(queries: Queries, organizationId: string): Promise<Realm<P> | undefined> {
  const [row] = await queries.query<RealmRow<P>>(`${REALM} where c.organization_id = $1`, [organizationId])
  return row && realmOf(row)
}

/**
 * Keeps a connection and a domain as they are until the transaction ends, by the lock that everybody takes who changes them;
 * false when one of them is another by now, or gone. A new secret makes no other connection.
 */
export async function holdRealm(
  queries: Queries,
  { organizationId, callbackId, issuer, clientId }: Omit<Realm<unknown>, 'provider'>,
  domain: string,
  lock: 'share' | 'update',
): Promise<boolean> {
  const rows = await queries.query(`select id from organizations where id = $1 and removed_at is null for ${lock}`, [
    organizationId,
  ])
  if (rows.length === 0) return false
  const connections = await queries.query(
    `select c.organization_id from connections c join domains d on d.organization_id = c.organization_id and d.domain = $5
     where c.organization_id = $1 and c.callback_id = $2::uuid and c.issuer = $3 and c.client_id = $4`,
    [organizationId, callbackId, issuer, clientId, domain],
  )
  return connections.length > 0
}

type RealmRow<P> = {
  organization_id: string
  organization: string
  display_name: string
  callback_id: string
  issuer: string
  provider: P
  client_id: string
  client_secret: string
  auth_method: 'client_secret_basic' | 'client_secret_post'
  domains: string[]
}

const realmOf = <P>(row: RealmRow<P>): Realm<P> => ({
  organizationId: row.organization_id,
  organization: row.organization,
  displayName: row.display_name,
  callbackId: row.callback_id,
  issuer: row.issuer,
  provider: row.provider,
  clientId: row.client_id,
  encryptedSecret: row.client_secret,
  authMethod: row.auth_method,
  domains: row.domains,
})
