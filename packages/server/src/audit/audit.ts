import type { Queries } from '../store/database.js'

/** Everything that is recorded. */
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
  'user.created',
  'user.linked',
  'user.signed_in',
  'user.released',
  'user.removed',
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

export interface AuditEntry {
  readonly at: Date
  /** `operator`, `code <id>`, `token <id>`, `user <id>`, `identity provider`, or `visitor` for somebody who was not let in. */
  readonly actor: string
  readonly action: AuditAction
  readonly org?: string
  /** Ids, domains, addresses: never a code, a token or a secret. */
  readonly detail?: Readonly<Record<string, unknown>>
}

export interface AuditSelection {
  readonly org?: string | undefined
  readonly action?: string | undefined
  readonly since?: Date | undefined
  /** The id of a record: only later ones, oldest first. Without it, the latest ones. */
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

/** The letters `audi`. */
const GATE = 0x61756469

/**
 * Writes a record in the transaction of what it records. Ids are drawn before transactions commit, so a reader could see 8
 * before 7: writers pass a gate together, and a reader that goes on after an id closes it for a moment.
 */
export async function recordAudit(queries: Queries, entry: AuditEntry): Promise<void> {
  await queries.query(
    `with gate as materialized (select pg_advisory_xact_lock_shared(${GATE}))
     insert into audit (at, actor, action, organization, detail)
     select $1::timestamptz, $2::text, $3::text, $4::text, $5::jsonb from gate`,
    [entry.at, entry.actor, entry.action, entry.org ?? null, JSON.stringify(entry.detail ?? {})],
  )
}

/** Reads records, oldest first. In a transaction when `after` is given. */
export async function readAudit(queries: Queries, selection: AuditSelection): Promise<StoredAuditEntry[]> {
  const { org, action, since, after, limit } = selection
  if (after !== undefined) await queries.query(`select pg_advisory_xact_lock(${GATE})`)
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

type AuditRow = {
  id: string
  at: Date
  actor: string
  action: string
  organization: string | null
  detail: Record<string, unknown>
}
