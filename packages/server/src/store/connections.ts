import type { Queries } from './database.js'

/** An organization's connection to its identity provider. The secret is kept encrypted. */
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

/** Puts a connection in place. True when it replaces an earlier one. */
export async function saveConnection<P>(queries: Queries, connection: Connection<P>): Promise<boolean> {
  const [before] = await queries.query<{ issuer: string }>(
    'select issuer from connections where organization_id = $1 for update',
    [connection.organizationId],
  )
  if (before !== undefined && before.issuer !== connection.issuer) {
    // The database ends what people are signed in to. A tool that is being signed in right now is found after its request.
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

/** Some secrets that are not encrypted with the given key, by organization id, their rows locked. */
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
