import type { Queries } from '../database.js'

/** An organization's connection to its identity provider. The secret is encrypted. */
export interface Connection<Provider> {
  readonly organizationId: string
  readonly callbackId: string
  readonly displayName: string
  readonly issuer: string
  readonly provider: Provider
  readonly clientId: string
  readonly encryptedSecret: string
  readonly secretKeyId: string
  readonly authMethod: 'client_secret_basic' | 'client_secret_post'
  readonly connectedAt: Date
}

/** Stores a connection. True if it replaces an earlier one. */
export async function saveConnection<P>(queries: Queries, connection: Connection<P>): Promise<boolean> {
  const [before] = await queries.query<{ issuer: string }>(
    'select issuer from connections where organization_id = $1 for update',
    [connection.organizationId],
  )
  if (before !== undefined && before.issuer !== connection.issuer) {
    // A trigger ends sessions and tools. Deleting the requests first makes sure that a tool that is fetching its tokens is found.
    await queries.query(
      'delete from device_requests d using users u where u.id = d.user_id and u.organization_id = $1',
      [connection.organizationId],
    )
  }
  await queries.query(
    `insert into connections (organization_id, callback_id, display_name, issuer, provider, client_id, client_secret,
       secret_key_id, auth_method, connected_at)
     values ($1, $2, $3, $4, $5::jsonb, $6, $7, $8, $9, $10)
     on conflict (organization_id) do update set callback_id = excluded.callback_id,
       display_name = excluded.display_name, issuer = excluded.issuer, provider = excluded.provider,
       client_id = excluded.client_id, client_secret = excluded.client_secret,
       secret_key_id = excluded.secret_key_id, auth_method = excluded.auth_method, connected_at = excluded.connected_at`,
    [
      connection.organizationId,
      connection.callbackId,
      connection.displayName,
      connection.issuer,
      JSON.stringify(connection.provider),
      connection.clientId,
      connection.encryptedSecret,
      connection.secretKeyId,
      connection.authMethod,
      connection.connectedAt,
    ],
  )
  return before !== undefined
}

export async function findConnection<P>(queries: Queries, organizationId: string): Promise<Connection<P> | undefined> {
  const [row] = await queries.query<ConnectionRow<P>>(
    `select organization_id, callback_id, display_name, issuer, provider, client_id, client_secret, secret_key_id,
       auth_method, connected_at
     from connections where organization_id = $1`,
    [organizationId],
  )
  return row && connectionOf(row)
}

export async function deleteConnection(queries: Queries, organizationId: string): Promise<void> {
  await queries.query('delete from connections where organization_id = $1', [organizationId])
}

export interface EncryptedSecret {
  readonly organizationId: string
  readonly encryptedSecret: string
}

export interface StoredSecret extends EncryptedSecret {
  readonly organization: string
}

/** Locks and gives some secrets that are encrypted with another key, in the order of their organization ids. */
export async function lockSecretsOfOtherKeys(
  queries: Queries,
  { keyId, after, limit }: { readonly keyId: string; readonly after: string | undefined; readonly limit: number },
): Promise<StoredSecret[]> {
  const rows = await queries.query<{ organization_id: string; organization: string; client_secret: string }>(
    `select c.organization_id, o.name as organization, c.client_secret
     from connections c join organizations o on o.id = c.organization_id
     where c.secret_key_id <> $1 and ($2::uuid is null or c.organization_id > $2::uuid)
     order by c.organization_id limit $3::int for update of c`,
    [keyId, after ?? null, limit],
  )
  return rows.map((row) => ({
    organizationId: row.organization_id,
    organization: row.organization,
    encryptedSecret: row.client_secret,
  }))
}

export async function replaceSecret(queries: Queries, secret: EncryptedSecret, keyId: string): Promise<void> {
  await queries.query('update connections set client_secret = $2, secret_key_id = $3 where organization_id = $1', [
    secret.organizationId,
    secret.encryptedSecret,
    keyId,
  ])
}

type ConnectionRow<P> = {
  organization_id: string
  callback_id: string
  display_name: string
  issuer: string
  provider: P
  client_id: string
  client_secret: string
  secret_key_id: string
  auth_method: 'client_secret_basic' | 'client_secret_post'
  connected_at: Date
}

const connectionOf = <P>(row: ConnectionRow<P>): Connection<P> => ({
  organizationId: row.organization_id,
  callbackId: row.callback_id,
  displayName: row.display_name,
  issuer: row.issuer,
  provider: row.provider,
  clientId: row.client_id,
  encryptedSecret: row.client_secret,
  secretKeyId: row.secret_key_id,
  authMethod: row.auth_method,
  connectedAt: row.connected_at,
})

/** What a sign-in needs of an organization: its connection and its domains. The secret is encrypted. */
export interface Realm<Provider> {
  readonly organizationId: string
  /** The name that the operator gave the organization. */
  readonly organization: string
  /** The name that its users see. */
  readonly displayName: string
  readonly callbackId: string
  readonly issuer: string
  readonly provider: Provider
  readonly clientId: string
  readonly encryptedSecret: string
  readonly authMethod: 'client_secret_basic' | 'client_secret_post'
  /** The primary domain first. */
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

/** At most two: the caller only needs to know whether there is more than one. */
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
 * Keeps a connection and a domain unchanged until the transaction ends, by locking the organization. False if either of them has
 * changed or is gone. A new secret does not make it another connection.
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
