import type { Queries } from '../database.js'
import { gather, inKeyOrder, type Numbered } from '../gather.js'
import type { UserRole } from '../organizations/users.js'

/** The hashes of a tool's latest pair of tokens. */
export interface ToolTokens {
  readonly accessHash: string
  readonly accessExpiresAt: Date
  readonly refreshHash: string
}

export interface NewToolLogin extends ToolTokens {
  readonly id: string
  readonly userId: string
  readonly address: string
  readonly agent: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

export async function insertToolLogin(queries: Queries, login: NewToolLogin): Promise<void> {
  await queries.query(
    `insert into tool_logins (id, user_id, access_hash, access_expires_at, refresh_hash, renewed_at, address, agent, created_at,
       expires_at)
     values ($1, $2, $3, $4, $5, $8, $6, $7, $8, $9)`,
    [
      login.id,
      login.userId,
      login.accessHash,
      login.accessExpiresAt,
      login.refreshHash,
      login.address,
      login.agent,
      login.createdAt,
      login.expiresAt,
    ],
  )
}

/** The user of an access token, and its expiry. */
export interface ToolUser {
  readonly id: string
  readonly userId: string
  readonly organizationId: string
  readonly organization: string
  readonly displayName: string
  readonly email: string
  readonly name: string | undefined
  readonly role: UserRole
  readonly accessExpiresAt: Date
  readonly expiresAt: Date
}

export const findToolUser: (queries: Queries, accessHash: string) => Promise<ToolUser | undefined> = gather(
  async (queries: Queries, hashes: readonly string[]) => {
    const rows = await queries.query<ToolUserRow & Numbered>(
      `select k.number::int as number, t.id, t.user_id, u.organization_id, o.name as organization, c.display_name, u.email, u.name,
         u.role, t.access_expires_at, t.expires_at
       from unnest($1::text[]) with ordinality as k (hash, number)
         join tool_logins t on t.access_hash = k.hash join users u on u.id = t.user_id
         join organizations o on o.id = u.organization_id join connections c on c.organization_id = u.organization_id`,
      [hashes],
    )
    return inKeyOrder(rows, hashes.length, userOf)
  },
)

export interface LockedToolLogin {
  readonly id: string
  readonly userId: string
  readonly email: string
  readonly organization: string
  readonly refreshHash: string
  readonly renewedAt: Date
  readonly expiresAt: Date
}

/** The tool of its current or previous refresh token, locked. */
export async function lockToolByRefresh(queries: Queries, hash: string): Promise<LockedToolLogin | undefined> {
  const [row] = await queries.query<LockedRow>(
    `${LOCKED} where t.refresh_hash = $1 or t.spent_hash = $1 for update of t`,
    [hash],
  )
  return row && lockedOf(row)
}

/** The tool of its access or refresh token, locked. */
export async function lockToolByToken(queries: Queries, hash: string): Promise<LockedToolLogin | undefined> {
  const [row] = await queries.query<LockedRow>(
    `${LOCKED} where t.refresh_hash = $1 or t.access_hash = $1 for update of t`,
    [hash],
  )
  return row && lockedOf(row)
}

const LOCKED = `select t.id, t.user_id, u.email, o.name as organization, t.refresh_hash, t.renewed_at, t.expires_at
  from tool_logins t join users u on u.id = t.user_id join organizations o on o.id = u.organization_id`

/** Stores the next pair of tokens of a tool, and remembers the used refresh token. */
export async function renewTool(
  queries: Queries,
  id: string,
  { tokens, spentHash, now }: { readonly tokens: ToolTokens; readonly spentHash: string; readonly now: Date },
): Promise<void> {
  await queries.query(
    `update tool_logins set access_hash = $2, access_expires_at = $3, refresh_hash = $4, spent_hash = $5, renewed_at = $6
     where id = $1`,
    [id, tokens.accessHash, tokens.accessExpiresAt, tokens.refreshHash, spentHash, now],
  )
}

export async function deleteTool(queries: Queries, id: string): Promise<void> {
  await queries.query('delete from tool_logins where id = $1', [id])
}

export async function deleteExpiredTools(queries: Queries, now: Date): Promise<void> {
  await queries.query('delete from tool_logins where expires_at <= $1', [now])
}

type ToolUserRow = {
  id: string
  user_id: string
  organization_id: string
  organization: string
  display_name: string
  email: string
  name: string | null
  role: UserRole
  access_expires_at: Date
  expires_at: Date
}
type LockedRow = {
  id: string
  user_id: string
  email: string
  organization: string
  refresh_hash: string
  renewed_at: Date
  expires_at: Date
}

const userOf = (row: ToolUserRow): ToolUser => ({
  id: row.id,
  userId: row.user_id,
  organizationId: row.organization_id,
  organization: row.organization,
  displayName: row.display_name,
  email: row.email,
  name: row.name ?? undefined,
  role: row.role,
  accessExpiresAt: row.access_expires_at,
  expiresAt: row.expires_at,
})
const lockedOf = (row: LockedRow): LockedToolLogin => ({
  id: row.id,
  userId: row.user_id,
  email: row.email,
  organization: row.organization,
  refreshHash: row.refresh_hash,
  renewedAt: row.renewed_at,
  expiresAt: row.expires_at,
})
