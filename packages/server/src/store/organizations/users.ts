import type { Queries } from '../database.js'

export type UserRole = 'administrator' | 'member'

/** An account. `issuer` and `subject` identify the user; a released account has neither. */
export interface StoredUser {
  readonly id: string
  readonly organizationId: string
  readonly issuer: string | undefined
  readonly subject: string | undefined
  /** The client of the last sign-in: some issuers have a different subject for each client. */
  readonly clientId: string | undefined
  readonly email: string
  readonly name: string | undefined
  readonly role: UserRole
  readonly createdAt: Date
  readonly signedInAt: Date
}

const COLUMNS =
  'u.id, u.organization_id, u.issuer, u.subject, u.client_id, u.email, u.name, u.role, u.created_at, u.signed_in_at'

export async function findUserBySubject(
  queries: Queries,
  organizationId: string,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
): Promise<StoredUser | undefined> {
  const [row] = await queries.query<UserRow>(
    `select ${COLUMNS} from users u where u.organization_id = $1 and u.issuer = $2 and u.subject = $3`,
    [organizationId, issuer, subject],
  )
  return row && userOf(row)
}

/** Ignores case: addresses that differ only in case reach the same mailbox. */
export async function findUserByEmail(
  queries: Queries,
  organizationId: string,
  email: string,
): Promise<StoredUser | undefined> {
  const [row] = await queries.query<UserRow>(
    `select ${COLUMNS} from users u where u.organization_id = $1 and lower(u.email) = lower($2)`,
    [organizationId, email],
  )
  return row && userOf(row)
}

export async function hasUsers(queries: Queries, organizationId: string): Promise<boolean> {
  const rows = await queries.query('select id from users where organization_id = $1 limit 1', [organizationId])
  return rows.length > 0
}

export async function insertUser(queries: Queries, user: StoredUser): Promise<void> {
  await queries.query(
    `insert into users (id, organization_id, issuer, subject, email, name, role, created_at, signed_in_at, client_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      user.id,
      user.organizationId,
      user.issuer ?? null,
      user.subject ?? null,
      user.email,
      user.name ?? null,
      user.role,
      user.createdAt,
      user.signedInAt,
      user.clientId ?? null,
    ],
  )
}

/** Stores a sign-in and the current claims of the identity provider. */
export async function saveSignIn(queries: Queries, user: StoredUser): Promise<void> {
  await queries.query(
    'update users set issuer = $2, subject = $3, email = $4, name = $5, signed_in_at = $6, client_id = $7 where id = $1',
    [
      user.id,
      user.issuer ?? null,
      user.subject ?? null,
      user.email,
      user.name ?? null,
      user.signedInAt,
      user.clientId ?? null,
    ],
  )
}

export interface ListedUser extends StoredUser {
  readonly organization: string
  readonly sessions: number
}

const LISTED = `select ${COLUMNS}, o.name as organization,
    (select count(*)::int from sessions s where s.user_id = u.id) +
    (select count(*)::int from tool_logins t where t.user_id = u.id) as sessions
  from users u join organizations o on o.id = u.organization_id`

export async function listUsers(queries: Queries, organization: string | undefined): Promise<ListedUser[]> {
  const rows = await queries.query<ListedRow>(
    `${LISTED} where ($1::text is null or o.name = $1::text) order by o.name, lower(u.email)`,
    [organization ?? null],
  )
  return rows.map(listedOf)
}

export async function findUser(queries: Queries, id: string): Promise<ListedUser | undefined> {
  const [row] = await queries.query<ListedRow>(`${LISTED} where u.id = $1`, [id])
  return row && listedOf(row)
}

/** The user of an address. A domain belongs to one organization, so at most one user can sign in with the address. */
export async function findUserByAddress(queries: Queries, email: string): Promise<ListedUser | undefined> {
  const [row] = await queries.query<ListedRow>(
    `${LISTED} left join domains d on d.organization_id = u.organization_id and d.domain = split_part(u.email, '@', 2)
     where lower(u.email) = lower($1) order by d.domain is null, u.signed_in_at desc limit 1`,
    [email],
  )
  return row && listedOf(row)
}

/** All users of an organization. */
export async function listMembers(queries: Queries, organizationId: string): Promise<ListedUser[]> {
  const rows = await queries.query<ListedRow>(`${LISTED} where u.organization_id = $1 order by lower(u.email)`, [
    organizationId,
  ])
  return rows.map(listedOf)
}

/** A user of an organization, locked. */
export async function lockMember(
  queries: Queries,
  organizationId: string,
  id: string,
): Promise<ListedUser | undefined> {
  const [row] = await queries.query<ListedRow>(
    `${LISTED} where u.organization_id = $1 and u.id = $2::uuid for update of u`,
    [organizationId, id],
  )
  return row && listedOf(row)
}

/** Whether a user is an administrator. Changes of roles lock the organization first. */
export async function isAdministrator(queries: Queries, organizationId: string, userId: string): Promise<boolean> {
  const rows = await queries.query(
    `select id from users where organization_id = $1 and id = $2 and role = 'administrator'`,
    [organizationId, userId],
  )
  return rows.length > 0
}

/** Whether an administrator can sign in, with an address at one of the organization's domains. */
export async function hasAdministrator(queries: Queries, organizationId: string): Promise<boolean> {
  const rows = await queries.query(
    `select u.id from users u join domains d on d.organization_id = u.organization_id and d.domain = split_part(u.email, '@', 2)
     where u.organization_id = $1 and u.role = 'administrator' limit 1`,
    [organizationId],
  )
  return rows.length > 0
}

export async function saveRole(queries: Queries, id: string, role: UserRole): Promise<void> {
  await queries.query('update users set role = $2 where id = $1', [id, role])
}

/** Lets the next sign-in with the address take over the account, and ends its sessions and tools. */
export async function releaseUser(queries: Queries, id: string): Promise<void> {
  await queries.query('update users set issuer = null, subject = null, client_id = null where id = $1', [id])
  await queries.query('delete from sessions where user_id = $1', [id])
  // Requests before logins: a tool that is fetching its tokens is found in one of the two tables.
  await queries.query('delete from device_requests where user_id = $1', [id])
  await queries.query('delete from tool_logins where user_id = $1', [id])
}

export async function deleteUser(queries: Queries, id: string): Promise<void> {
  await queries.query('delete from users where id = $1', [id])
}

type UserRow = {
  id: string
  organization_id: string
  issuer: string | null
  subject: string | null
  client_id: string | null
  email: string
  name: string | null
  role: UserRole
  created_at: Date
  signed_in_at: Date
}
type ListedRow = UserRow & { organization: string; sessions: number }

const userOf = (row: UserRow): StoredUser => ({
  id: row.id,
  organizationId: row.organization_id,
  issuer: row.issuer ?? undefined,
  subject: row.subject ?? undefined,
  clientId: row.client_id ?? undefined,
  email: row.email,
  name: row.name ?? undefined,
  role: row.role,
  createdAt: row.created_at,
  signedInAt: row.signed_in_at,
})
const listedOf = (row: ListedRow): ListedUser => ({
  ...userOf(row),
  organization: row.organization,
  sessions: row.sessions,
})
