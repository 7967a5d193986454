import type { Queries } from '../database.js'

/** A code as it is stored, without the code itself. */
export interface Code {
  readonly id: string
  readonly organizationId: string
  readonly organization: string
  readonly domain: string | undefined
  /** `YYYY-MM-DD`. */
  readonly expiresOn: string
  readonly issuedAt: Date
  readonly isExchanged: boolean
  readonly lastExchangedAt: Date | undefined
  readonly lastExchangedFrom: string | undefined
  readonly completedAt: Date | undefined
  readonly revokedAt: Date | undefined
}

export interface NewCode {
  readonly id: string
  readonly organizationId: string
  readonly hash: string
  readonly domain: string | undefined
  readonly expiresOn: string
  readonly issuedAt: Date
}

/** Dates are read as strings, because the drivers disagree about the time zone of a date. */
const CODE_COLUMNS = `c.id, c.organization_id, o.name as organization, c.domain,
  to_char(c.expires_on, 'YYYY-MM-DD') as expires_on, c.issued_at, c.last_exchanged_at,
  c.last_exchanged_from, c.completed_at, c.revoked_at`

/** The columns that decide about a code, for requests that need nothing else. */
export type CodeStatus = Pick<
  Code,
  'id' | 'organizationId' | 'domain' | 'expiresOn' | 'isExchanged' | 'completedAt' | 'revokedAt'
>

export const STATUS_COLUMNS = `c.id, c.organization_id, c.domain, to_char(c.expires_on, 'YYYY-MM-DD') as expires_on,
  c.last_exchanged_at is not null as is_exchanged, c.completed_at, c.revoked_at`

const CODES = `select ${CODE_COLUMNS} from codes c join organizations o on o.id = c.organization_id`

export async function insertCode(queries: Queries, code: NewCode): Promise<void> {
  await queries.query(
    `insert into codes (id, organization_id, hash, domain, expires_on, issued_at)
     values ($1, $2, $3, $4, $5::text::date, $6)`,
    [code.id, code.organizationId, code.hash, code.domain ?? null, code.expiresOn, code.issuedAt],
  )
}

/** The columns that decide about the exchange of a code. */
export type ExchangeStatus = Pick<
  Code,
  'id' | 'expiresOn' | 'isExchanged' | 'lastExchangedAt' | 'lastExchangedFrom' | 'completedAt' | 'revokedAt'
>

export async function findCodeByHash(queries: Queries, hash: string): Promise<ExchangeStatus | undefined> {
  const [row] = await queries.query<ExchangeRow>(
    `select c.id, to_char(c.expires_on, 'YYYY-MM-DD') as expires_on, c.last_exchanged_at, c.last_exchanged_from,
       c.completed_at, c.revoked_at
     from codes c where c.hash = $1`,
    [hash],
  )
  return row && exchangeStatusOf(row)
}

export async function findCodeStatus(queries: Queries, id: string): Promise<CodeStatus | undefined> {
  const [row] = await queries.query<StatusRow>(`select ${STATUS_COLUMNS} from codes c where c.id = $1`, [id])
  return row && statusOf(row)
}

/** Reads a code and locks it until the transaction ends. */
export async function lockCode(queries: Queries, id: string): Promise<Code | undefined> {
  const [row] = await queries.query<CodeRow>(`${CODES} where c.id = $1 for update of c`, [id])
  return row && codeOf(row)
}

export async function listCodes(queries: Queries, organizationId?: string): Promise<Code[]> {
  const order = 'order by c.issued_at, c.id'
  const rows = organizationId
    ? await queries.query<CodeRow>(`${CODES} where c.organization_id = $1 ${order}`, [organizationId])
    : await queries.query<CodeRow>(`${CODES} ${order}`)
  return rows.map(codeOf)
}

export async function markExchanged(queries: Queries, id: string, now: Date, from: string): Promise<void> {
  await queries.query(
    `update codes set first_exchanged_at = coalesce(first_exchanged_at, $2), last_exchanged_at = $2, last_exchanged_from = $3
     where id = $1`,
    [id, now, from],
  )
}

export async function markCodeCompleted(queries: Queries, id: string, now: Date): Promise<void> {
  await queries.query('update codes set completed_at = $2 where id = $1', [id, now])
}

export async function markRevoked(queries: Queries, id: string, now: Date): Promise<void> {
  await queries.query('update codes set revoked_at = $2 where id = $1', [id, now])
}

/** Gives the number of revoked codes. */
export async function revokeCodesOf(queries: Queries, organizationId: string, now: Date): Promise<number> {
  const rows = await queries.query(
    'update codes set revoked_at = $2 where organization_id = $1 and revoked_at is null returning id',
    [organizationId, now],
  )
  return rows.length
}

export type StatusRow = {
  id: string
  organization_id: string
  domain: string | null
  expires_on: string
  is_exchanged: boolean
  completed_at: Date | null
  revoked_at: Date | null
}

type ExchangeRow = {
  id: string
  expires_on: string
  last_exchanged_at: Date | null
  last_exchanged_from: string | null
  completed_at: Date | null
  revoked_at: Date | null
}

type CodeRow = ExchangeRow & {
  organization_id: string
  organization: string
  domain: string | null
  issued_at: Date
}

export function statusOf(row: StatusRow): CodeStatus {
  return {
    id: row.id,
    organizationId: row.organization_id,
    domain: row.domain ?? undefined,
    expiresOn: row.expires_on,
    isExchanged: row.is_exchanged,
    completedAt: row.completed_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
  }
}

function exchangeStatusOf(row: ExchangeRow): ExchangeStatus {
  return {
    id: row.id,
    expiresOn: row.expires_on,
    isExchanged: row.last_exchanged_at !== null,
    lastExchangedAt: row.last_exchanged_at ?? undefined,
    lastExchangedFrom: row.last_exchanged_from ?? undefined,
    completedAt: row.completed_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
  }
}

function codeOf(row: CodeRow): Code {
  return {
    ...exchangeStatusOf(row),
    organizationId: row.organization_id,
    organization: row.organization,
    domain: row.domain ?? undefined,
    issuedAt: row.issued_at,
  }
}
