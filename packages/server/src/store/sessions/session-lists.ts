import type { Queries } from '../database.js'

export interface ListedSession {
  readonly id: string
  readonly kind: 'browser' | 'tool'
  readonly address: string
  readonly agent: string
  readonly createdAt: Date
  readonly seenAt: Date
  readonly expiresAt: Date
}

/** The browsers and tools in which a user is signed in, the latest first, without expired ones. */
export async function listSessions(
  queries: Queries,
  userId: string,
  { now, seenAfter }: { readonly now: Date; readonly seenAfter: Date },
): Promise<ListedSession[]> {
  const rows = await queries.query<ListedRow>(
    `select id, 'browser' as kind, address, agent, created_at, seen_at, expires_at from sessions
     where user_id = $1 and expires_at > $2 and seen_at > $3
     union all
     select id, 'tool' as kind, address, agent, created_at, renewed_at, expires_at from tool_logins
     where user_id = $1 and expires_at > $2
     order by created_at desc, id`,
    [userId, now, seenAfter],
  )
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    address: row.address,
    agent: row.agent,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    expiresAt: row.expires_at,
  }))
}

/** Ends a session or a tool of a user, and gives its kind. */
export async function deleteOwn(queries: Queries, userId: string, id: string): Promise<'browser' | 'tool' | undefined> {
  const [row] = await queries.query<{ kind: 'browser' | 'tool' }>(
    `with ended_browser as (delete from sessions where id = $2::uuid and user_id = $1 returning 'browser' as kind),
       ended_tool as (delete from tool_logins where id = $2::uuid and user_id = $1 returning 'tool' as kind)
     select kind from ended_browser union all select kind from ended_tool`,
    [userId, id],
  )
  return row?.kind
}

export interface ProviderLogout {
  readonly organizationId: string
  readonly issuer: string
  readonly subject: string | undefined
  readonly providerSession: string | undefined
}

/**
 * Ends what an identity provider logs out: one provider session, or everything of a user, tools included. With both `sid` and
 * `sub`, sessions of the user without a known `sid` end, too, because they may be the one that is meant.
 */
export async function deleteByProvider(
  queries: Queries,
  logout: ProviderLogout,
): Promise<{ id: string; email: string }[]> {
  const { organizationId, issuer, subject, providerSession } = logout
  const ended = await queries.query<{ id: string; email: string }>(
    `delete from sessions s using users u
     where u.id = s.user_id and u.organization_id = $1 and u.issuer = $2 and ($3::text is null or u.subject = $3::text)
       and ($4::text is null or s.provider_session = $4::text
         or ($3::text is not null and s.provider_session is null))
     returning s.id, u.email`,
    [organizationId, issuer, subject ?? null, providerSession ?? null],
  )
  if (providerSession !== undefined) return ended
  // Requests before logins: a tool that is fetching its tokens is found in one of the two tables.
  await queries.query(
    `delete from device_requests d using users u
     where u.id = d.user_id and u.organization_id = $1 and u.issuer = $2 and u.subject = $3`,
    [organizationId, issuer, subject ?? null],
  )
  const tools = await queries.query<{ id: string; email: string }>(
    `delete from tool_logins t using users u
     where u.id = t.user_id and u.organization_id = $1 and u.issuer = $2 and u.subject = $3
     returning t.id, u.email`,
    [organizationId, issuer, subject ?? null],
  )
  return [...ended, ...tools]
}

export interface OverdueSession {
  readonly id: string
  readonly userId: string
  readonly email: string
  readonly organization: string
}

/** Ends some expired sessions. Sessions that another transaction has locked are skipped. */
export async function deleteOverdue(
  queries: Queries,
  { now, seenBefore, limit }: { readonly now: Date; readonly seenBefore: Date; readonly limit: number },
): Promise<OverdueSession[]> {
  const rows = await queries.query<{ id: string; user_id: string; email: string; organization: string }>(
    `with overdue as (
       select id from sessions where expires_at <= $1 or seen_at <= $2 limit $3::int for update skip locked)
     delete from sessions s using overdue, users u, organizations o
     where s.id = overdue.id and u.id = s.user_id and o.id = u.organization_id
     returning s.id, s.user_id, u.email, o.name as organization`,
    [now, seenBefore, limit],
  )
  return rows.map((row) => ({ id: row.id, userId: row.user_id, email: row.email, organization: row.organization }))
}

type ListedRow = {
  id: string
  kind: 'browser' | 'tool'
  address: string
  agent: string
  created_at: Date
  seen_at: Date
  expires_at: Date
}

/** Records the use of a logout token. False if it was used before. */
export async function noteLogoutToken(
  queries: Queries,
  {
    organizationId,
    hash,
    expiresAt,
  }: { readonly organizationId: string; readonly hash: string; readonly expiresAt: Date },
): Promise<boolean> {
  const rows = await queries.query(
    `insert into logout_tokens (organization_id, hash, expires_at) values ($1, $2, $3)
     on conflict (organization_id, hash) do nothing returning hash`,
    [organizationId, hash, expiresAt],
  )
  return rows.length > 0
}

export async function deleteExpiredLogoutTokens(queries: Queries, now: Date): Promise<void> {
  await queries.query('delete from logout_tokens where expires_at <= $1', [now])
}
