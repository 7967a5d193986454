import type { Queries } from '../database.js'
import { gather, inKeyOrder, type Numbered } from '../gather.js'
import type { UserRole } from '../organizations/users.js'

/** A user who is signed in, in one browser. The tokens of the identity provider are encrypted. */
export interface StoredSession {
  readonly id: string
  readonly userId: string
  readonly organizationId: string
  /** The name that the operator gave the organization, for audit records. */
  readonly organization: string
  readonly displayName: string
  readonly email: string
  readonly name: string | undefined
  readonly role: UserRole
  /** Whether there is a refresh token. */
  readonly renewable: boolean
  readonly seenAt: Date
  readonly checkAfter: Date
  readonly expiresAt: Date
}

export interface NewSession {
  readonly id: string
  readonly userId: string
  readonly cookieHash: string
  /** The provider's session id (`sid`). */
  readonly providerSession: string | undefined
  readonly encryptedTokens: string
  readonly tokensKeyId: string
  readonly renewable: boolean
  readonly address: string
  readonly agent: string
  readonly createdAt: Date
  readonly checkAfter: Date
  readonly expiresAt: Date
}

export async function insertSession(queries: Queries, session: NewSession): Promise<void> {
  await queries.query(
    `insert into sessions (id, user_id, provider_session, provider_tokens, tokens_key_id, renewable, address, agent, created_at,
       seen_at, check_after, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11)`,
    [
      session.id,
      session.userId,
      session.providerSession ?? null,
      session.encryptedTokens,
      session.tokensKeyId,
      session.renewable,
      session.address,
      session.agent,
      session.createdAt,
      session.checkAfter,
      session.expiresAt,
    ],
  )
  await insertCookie(queries, session.cookieHash, session.id)
}

export async function insertCookie(queries: Queries, hash: string, sessionId: string): Promise<void> {
  await queries.query('insert into session_cookies (hash, session_id) values ($1, $2)', [hash, sessionId])
}

/** The session of a cookie, even if it has expired. */
export const findSession: (queries: Queries, cookieHash: string) => Promise<StoredSession | undefined> = gather(
  async (queries: Queries, hashes: readonly string[]) => {
    const rows = await queries.query<SessionRow & Numbered>(
      `select k.number::int as number, s.id, s.user_id, u.organization_id, o.name as organization, c.display_name, u.email, u.name,
         u.role, s.renewable, s.seen_at, s.check_after, s.expires_at
       from unnest($1::text[]) with ordinality as k (hash, number)
         join session_cookies x on x.hash = k.hash join sessions s on s.id = x.session_id join users u on u.id = s.user_id
         join organizations o on o.id = u.organization_id join connections c on c.organization_id = u.organization_id`,
      [hashes],
    )
    return inKeyOrder(rows, hashes.length, sessionOf)
  },
)

export async function noteActivity(queries: Queries, id: string, now: Date): Promise<void> {
  await queries.query('update sessions set seen_at = $2 where id = $1', [id, now])
}

/** The values for a check with the identity provider. */
export interface Checkable {
  readonly encryptedTokens: string
  readonly subject: string | undefined
}

/**
 * Claims the check of a session: of any number of concurrent callers, in any number of processes, one gets it. The claim expires,
 * in case the process dies.
 */
export async function claimCheck(
  queries: Queries,
  { id, checkAfter }: Pick<StoredSession, 'id' | 'checkAfter'>,
  now: Date,
  until: Date,
): Promise<Checkable | undefined> {
  const [row] = await queries.query<{ provider_tokens: string; subject: string | null }>(
    `update sessions s set checking_until = $4 from users u
     where s.id = $1 and u.id = s.user_id and s.check_after = $2 and s.renewable
       and (s.checking_until is null or s.checking_until <= $3 or s.checking_until > $4)
     returning s.provider_tokens, u.subject`,
    [id, checkAfter, now, until],
  )
  return row && { encryptedTokens: row.provider_tokens, subject: row.subject ?? undefined }
}

export interface ProviderTokens {
  readonly encryptedTokens: string
  readonly tokensKeyId: string
}

export async function isSession(queries: Queries, id: string): Promise<boolean> {
  return (await queries.query('select id from sessions where id = $1', [id])).length > 0
}

/** Keeps a session from ending until the transaction ends; false if it has ended. */
export async function holdSession(queries: Queries, id: string): Promise<boolean> {
  return (await queries.query('select id from sessions where id = $1 for key share', [id])).length > 0
}

/** Stores the result of a check. False if the session has ended in the meantime. */
export async function finishCheck(
  queries: Queries,
  id: string,
  { tokens, checkAfter }: { readonly tokens: ProviderTokens | undefined; readonly checkAfter: Date },
): Promise<boolean> {
  const rows = await queries.query(
    `update sessions set checking_until = null, check_after = $2, provider_tokens = coalesce($3, provider_tokens),
       tokens_key_id = coalesce($4, tokens_key_id)
     where id = $1 returning id`,
    [id, checkAfter, tokens?.encryptedTokens ?? null, tokens?.tokensKeyId ?? null],
  )
  return rows.length > 0
}

/** The values that are needed to end a session at the identity provider, too. */
export interface EndedSession {
  readonly id: string
  readonly encryptedTokens: string
}

/** Ends a session. Of concurrent callers, one gets the result. */
export async function deleteSession(queries: Queries, id: string): Promise<EndedSession | undefined> {
  const [row] = await queries.query<{ id: string; provider_tokens: string }>(
    'delete from sessions where id = $1 returning id, provider_tokens',
    [id],
  )
  return row && { id: row.id, encryptedTokens: row.provider_tokens }
}

export interface SessionTokens {
  readonly id: string
  readonly encryptedTokens: string
}

/** Locks and gives some tokens that are encrypted with another key, in the order of their session ids. */
export async function lockTokensOfOtherKeys(
  queries: Queries,
  { keyId, after, limit }: { readonly keyId: string; readonly after: string | undefined; readonly limit: number },
): Promise<SessionTokens[]> {
  const rows = await queries.query<{ id: string; provider_tokens: string }>(
    `select id, provider_tokens from sessions where tokens_key_id <> $1 and ($2::uuid is null or id > $2::uuid)
     order by id limit $3::int for update`,
    [keyId, after ?? null, limit],
  )
  return rows.map((row) => ({ id: row.id, encryptedTokens: row.provider_tokens }))
}

export async function replaceTokens(queries: Queries, tokens: SessionTokens, keyId: string): Promise<void> {
  await queries.query('update sessions set provider_tokens = $2, tokens_key_id = $3 where id = $1', [
    tokens.id,
    tokens.encryptedTokens,
    keyId,
  ])
}

type SessionRow = {
  id: string
  user_id: string
  organization_id: string
  organization: string
  display_name: string
  email: string
  name: string | null
  role: UserRole
  renewable: boolean
  seen_at: Date
  check_after: Date
  expires_at: Date
}

const sessionOf = (row: SessionRow): StoredSession => ({
  id: row.id,
  userId: row.user_id,
  organizationId: row.organization_id,
  organization: row.organization,
  displayName: row.display_name,
  email: row.email,
  name: row.name ?? undefined,
  role: row.role,
  renewable: row.renewable,
  seenAt: row.seen_at,
  checkAfter: row.check_after,
  expiresAt: row.expires_at,
})

export interface HandOver {
  readonly ticketHash: string
  readonly sessionId: string
  readonly bindingHash: string
  readonly expiresAt: Date
}

/** Stores a ticket. False if its session has ended in the meantime. */
export async function insertHandOver(queries: Queries, handOver: HandOver): Promise<boolean> {
  const rows = await queries.query(
    `insert into hand_overs (ticket_hash, session_id, binding_hash, expires_at)
     select $1::text, id, $3::text, $4::timestamptz from sessions where id = $2::uuid for key share
     returning ticket_hash`,
    [handOver.ticketHash, handOver.sessionId, handOver.bindingHash, handOver.expiresAt],
  )
  return rows.length > 0
}

/** Deletes a ticket and gives its session, if the browser has the matching secret. */
export async function takeHandOver(
  queries: Queries,
  { ticketHash, bindingHash }: Pick<HandOver, 'ticketHash' | 'bindingHash'>,
  now: Date,
): Promise<string | undefined> {
  const [row] = await queries.query<{ session_id: string }>(
    'delete from hand_overs where ticket_hash = $1 and binding_hash = $2 and expires_at > $3 returning session_id',
    [ticketHash, bindingHash, now],
  )
  return row?.session_id
}

export async function deleteExpiredHandOvers(queries: Queries, now: Date): Promise<void> {
  await queries.query('delete from hand_overs where expires_at <= $1', [now])
}
