import type { Queries } from '../store/database.js'
import { storable } from '../store/values.js'

/** Every action that is recorded. */
export const AUDIT_ACTIONS = [
  'organization.created',
  'organization.removed',
  'code.issued',
  'code.exchanged',
  'code.revoked',
  'transaction.opened',
  'transaction.superseded',
  'sign_in_test.started',
  'sign_in_test.finished',
  'connection.completed',
  'connection.replaced',
  'connection.proposed',
  'connection.test_started',
  'connection.tested',
  'connection.dropped',
  'domain.added',
  'domain.verified',
  'domain.removed',
  'user.created',
  'user.linked',
  'user.signed_in',
  'user.released',
  'user.removed',
  'user.role_changed',
  'sign_in.refused',
  'session.ended',
  'device.approved',
  'device.denied',
  'device.signed_in',
  'device.ended',
  'keys.rotated',
  'keys.dropped',
  'rules.published',
  'rules.withdrawn',
  'tool.published',
  'tool.withdrawn',
  'release_key.added',
  'release_key.retired',
  'token.issued',
  'token.revoked',
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** Who sends a request. */
export interface Requester {
  /** The IP address, from a proxy header only if the proxy is trusted. */
  readonly address: string
  readonly requestId: string
  /** The User-Agent header: it lets users recognize their browsers and tools. */
  readonly agent: string
}

/** The requester in the detail of an audit record. */
export function requesterDetail({ address, requestId }: Requester): {
  readonly address: string
  readonly request_id: string
} {
  return { address: storable(address, 100), request_id: storable(requestId, 100) }
}

/** A user as the actor of an audit record. */
export function userActor(userId: string): string {
  return `user ${userId}`
}

export interface AuditEntry {
  readonly at: Date
  /** `operator`, `omen-server`, `code <id>`, `token <id>`, `user <id>`, `identity provider`, or `visitor` for a failed sign-in. */
  readonly actor: string
  readonly action: AuditAction
  readonly org?: string
  /** Ids, domains and addresses, never a code, token or secret. */
  readonly detail?: Readonly<Record<string, unknown>>
}

export interface AuditSelection {
  readonly org?: string | undefined
  readonly action?: string | undefined
  readonly since?: Date | undefined
  /** The id of a record: only later records are read. Without it, the latest records are read. */
  readonly after?: string | undefined
  readonly limit: number
}

export interface StoredAuditEntry {
  readonly id: string
  readonly at: Date
  readonly actor: string
  readonly action: string
  readonly organization: string | undefined
  readonly detail: Readonly<Record<string, unknown>>
}

/** The letters `audi` in ASCII. */
const LOCK = 0x61756469

/**
 * Writes a record in the transaction of the recorded change. Ids are assigned before transactions commit, so a reader could see
 * record 8 before record 7: writers share a lock, and a reader that reads after an id waits for them.
 */
export async function recordAudit(queries: Queries, entry: AuditEntry): Promise<void> {
  await queries.query(
    `with gate as materialized (select pg_advisory_xact_lock_shared(${LOCK}))
     insert into audit (at, actor, action, organization, detail)
     select $1::timestamptz, $2::text, $3::text, $4::text, $5::jsonb from gate`,
    [entry.at, entry.actor, entry.action, entry.org ?? null, JSON.stringify(entry.detail ?? {})],
  )
}

/** Reads records, the oldest first. With `after`, it must run in a transaction. */
export async function readAudit(queries: Queries, selection: AuditSelection): Promise<StoredAuditEntry[]> {
  const { org, action, since, after, limit } = selection
  if (after !== undefined) await queries.query(`select pg_advisory_xact_lock(${LOCK})`)
  const conditions: string[] = []
  const parameters: unknown[] = []
  const filter = (condition: string, value: unknown) => {
    if (value === undefined) return
    parameters.push(value)
    conditions.push(`${condition} $${parameters.length}`)
  }
  filter('organization =', org)
  filter('action =', action)
  filter('at >=', since)
  filter('id >', after)
  parameters.push(limit)
  const rows = await queries.query<AuditRow>(
    `select id::text as id, at, actor, action, organization, detail from audit
     ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
     order by audit.id ${after === undefined ? 'desc' : 'asc'} limit $${parameters.length}::int`,
    parameters,
  )
  const entries = rows.map((row) => ({ ...row, organization: row.organization ?? undefined }))
  return after === undefined ? entries.reverse() : entries
}

export interface AuditPage {
  readonly org: string
  /** When the organization was created: earlier records belong to another one with the same name. */
  readonly since: Date
  readonly action: string | undefined
  /** Only records before this id. */
  readonly before: string | undefined
  readonly limit: number
}

export interface PagedAuditEntry extends Omit<StoredAuditEntry, 'organization'> {
  /** The address of the user who acted; undefined if the account was removed. */
  readonly email: string | undefined
  /** The name of the API token that acted. */
  readonly token: string | undefined
}

/** A page of an organization's records, the latest first, with the names of the actors. */
export async function pageAudit(queries: Queries, page: AuditPage): Promise<PagedAuditEntry[]> {
  const { org, since, action, before, limit } = page
  const rows = await queries.query<PagedRow>(
    `with page as (
       select id, at, actor, action, detail from audit
       where organization = $1 and at >= $2 and ($3::text is null or action = $3) and ($4::bigint is null or id < $4)
       order by id desc limit $5::int)
     select p.id::text as id, p.at, p.actor, p.action, p.detail,
       (select u.email from users u where u.id = case when p.actor ~ '^user [0-9a-f-]{36}$' then substr(p.actor, 6)::uuid end)
         as email,
       (select t.name from access_tokens t
         where t.id = case when p.actor ~ '^token [0-9a-f-]{36}$' then substr(p.actor, 7)::uuid end) as token
     from page p order by p.id desc`,
    [org, since, action ?? null, before ?? null, limit],
  )
  return rows.map((row) => ({ ...row, email: row.email ?? undefined, token: row.token ?? undefined }))
}

type AuditRow = {
  id: string
  at: Date
  actor: string
  action: string
  organization: string | null
  detail: Record<string, unknown>
}

type PagedRow = Omit<AuditRow, 'organization'> & { email: string | null; token: string | null }
