import type { Queries } from '../database.js'
import { type CodeStatus, STATUS_COLUMNS, type StatusRow, statusOf } from './codes.js'
import { TEST_STATE_COLUMNS, type TestState, type TestStateRow, testStateOf } from './sign-in-tests.js'

/** An onboarding transaction. `Provider` is the checked configuration of the identity provider. */
export interface StoredTransaction<Provider> {
  readonly id: string
  readonly codeId: string
  readonly callbackId: string
  readonly domain: string
  readonly request: NormalizedRequest
  readonly requestDigest: string
  readonly provider: Provider
  readonly state: 'open' | 'completed' | 'superseded'
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** The request that opened the transaction, normalized. */
export interface NormalizedRequest {
  readonly well_known_url: string
  readonly domain: string
  readonly org_name: string
}

export type NewTransaction<Provider> = Omit<StoredTransaction<Provider>, 'state' | 'domain'>

/** Named so that they do not collide with the columns of a code. */
const COLUMNS = `t.id as transaction_id, t.code_id, t.callback_id, t.domain as transaction_domain, t.request, t.request_digest,
  t.provider, t.state, t.created_at, t.expires_at`

export async function insertTransaction<P>(queries: Queries, transaction: NewTransaction<P>): Promise<void> {
  await queries.query(
    `insert into transactions
       (id, code_id, callback_id, domain, request, request_digest, provider, state, created_at, expires_at)
     values ($1, $2, $3, $4, $5::jsonb, $6, $7::jsonb, 'open', $8, $9)`,
    [
      transaction.id,
      transaction.codeId,
      transaction.callbackId,
      transaction.request.domain,
      JSON.stringify(transaction.request),
      transaction.requestDigest,
      JSON.stringify(transaction.provider),
      transaction.createdAt,
      transaction.expiresAt,
    ],
  )
}

/** The values of the open transaction that a repeated request needs. */
export type OpenTransaction = Pick<
  StoredTransaction<unknown>,
  'id' | 'callbackId' | 'requestDigest' | 'state' | 'expiresAt'
>

export interface OpenSituation {
  readonly code: CodeStatus
  readonly open: OpenTransaction | undefined
  /** The organization that the domain belongs to, if any. */
  readonly domainOwner: string | undefined
}

/** Everything that decides about opening a transaction, in one query. */
export async function findOpenSituation(
  queries: Queries,
  codeId: string,
  domain: string,
): Promise<OpenSituation | undefined> {
  const [row] = await queries.query<OpenSituationRow>(
    `select ${STATUS_COLUMNS}, d.organization_id as domain_owner, t.id as transaction_id, t.callback_id, t.request_digest,
       t.expires_at
     from codes c
       left join transactions t on t.code_id = c.id and t.state = 'open'
       left join domains d on d.domain = $2
     where c.id = $1`,
    [codeId, domain],
  )
  return row && situationOf(row)
}

function situationOf(row: OpenSituationRow): OpenSituation {
  const open: OpenTransaction | undefined =
    row.transaction_id === null
      ? undefined
      : {
          id: row.transaction_id,
          callbackId: row.callback_id,
          requestDigest: row.request_digest,
          state: 'open',
          expiresAt: row.expires_at,
        }
  return { code: statusOf(row), open, domainOwner: row.domain_owner ?? undefined }
}

/** The columns that decide about a transaction. */
export type RequestedTransaction = Pick<
  StoredTransaction<unknown>,
  'id' | 'callbackId' | 'domain' | 'state' | 'expiresAt'
>

export interface CompletionSituation<P> {
  readonly code: CodeStatus
  readonly transaction: RequestedTransaction | undefined
  /** Read only for an open transaction, because it is large. */
  readonly provider: P | undefined
  /** The organization that the domain of the transaction belongs to, if any. */
  readonly domainOwner: string | undefined
}

/** Everything that decides about completing a transaction, in one query, so that it is consistent. */
export async function findCompletionSituation<P>(
  queries: Queries,
  codeId: string,
  id: string,
): Promise<CompletionSituation<P> | undefined> {
  const [row] = await queries.query<RequestedRow & CompletionRow<P>>(
    `select ${REQUESTED_COLUMNS}, d.organization_id as domain_owner, case when t.state = 'open' then t.provider end as provider
     from ${REQUESTED} left join domains d on d.domain = t.domain where c.id = $1`,
    [codeId, id],
  )
  return (
    row && {
      code: statusOf(row),
      transaction: requestedOf(row),
      provider: row.provider ?? undefined,
      domainOwner: row.domain_owner ?? undefined,
    }
  )
}

const REQUESTED_COLUMNS = `${STATUS_COLUMNS}, t.id as transaction_id, t.callback_id, t.domain as transaction_domain, t.state, t.expires_at`

/** A code, and its transaction with the id of the second parameter. */
const REQUESTED = 'codes c left join transactions t on t.code_id = c.id and t.id = $2'

export interface TestSituation {
  readonly code: CodeStatus
  readonly transaction: RequestedTransaction | undefined
  readonly test: TestState | undefined
}

/** The test of a transaction, in one query, so that it is consistent. */
export async function findTestSituation(
  queries: Queries,
  codeId: string,
  id: string,
): Promise<TestSituation | undefined> {
  const [row] = await queries.query<RequestedRow & TestStateRow>(
    `select ${REQUESTED_COLUMNS}, ${TEST_STATE_COLUMNS}
     from ${REQUESTED} left join sign_in_tests s on s.transaction_id = t.id where c.id = $1`,
    [codeId, id],
  )
  return row && { code: statusOf(row), transaction: requestedOf(row), test: testStateOf(row) }
}

/** The open transaction of a code, locked. The caller must have locked the code, so that no other can be opened. */
export async function lockOpenTransaction<P>(
  queries: Queries,
  codeId: string,
): Promise<StoredTransaction<P> | undefined> {
  const [row] = await queries.query<TransactionRow<P>>(
    `select ${COLUMNS} from transactions t where t.code_id = $1 and t.state = 'open' for update`,
    [codeId],
  )
  return row && transactionOf(row)
}

export async function lockTransaction<P>(
  queries: Queries,
  codeId: string,
  id: string,
): Promise<StoredTransaction<P> | undefined> {
  const [row] = await queries.query<TransactionRow<P>>(
    `select ${COLUMNS} from transactions t where t.id = $1 and t.code_id = $2 for update`,
    [id, codeId],
  )
  return row && transactionOf(row)
}

export async function markSuperseded(queries: Queries, id: string): Promise<void> {
  await queries.query(`update transactions set state = 'superseded' where id = $1 and state = 'open'`, [id])
}

export async function supersedeAllOf(queries: Queries, organizationId: string): Promise<void> {
  await queries.query(
    `update transactions set state = 'superseded'
     where state = 'open' and code_id in (select id from codes where organization_id = $1)`,
    [organizationId],
  )
}

export async function markTransactionCompleted(queries: Queries, id: string, now: Date): Promise<void> {
  await queries.query(`update transactions set state = 'completed', completed_at = $2 where id = $1`, [id, now])
}

type TransactionRow<P> = {
  transaction_id: string
  code_id: string
  callback_id: string
  transaction_domain: string
  request: NormalizedRequest
  request_digest: string
  provider: P
  state: 'open' | 'completed' | 'superseded'
  created_at: Date
  expires_at: Date
}
type RequestedRow = StatusRow &
  (
    | { transaction_id: null }
    | Pick<TransactionRow<unknown>, 'transaction_id' | 'callback_id' | 'transaction_domain' | 'state' | 'expires_at'>
  )
type CompletionRow<P> = { provider: P | null; domain_owner: string | null }

type OpenSituationRow = StatusRow & { domain_owner: string | null } & (
    | { transaction_id: null }
    | { transaction_id: string; callback_id: string; request_digest: string; expires_at: Date }
  )

const transactionOf = <P>(row: TransactionRow<P>): StoredTransaction<P> => ({
  id: row.transaction_id,
  codeId: row.code_id,
  callbackId: row.callback_id,
  domain: row.transaction_domain,
  request: row.request,
  requestDigest: row.request_digest,
  provider: row.provider,
  state: row.state,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

const requestedOf = (row: RequestedRow): RequestedTransaction | undefined =>
  row.transaction_id === null
    ? undefined
    : {
        id: row.transaction_id,
        callbackId: row.callback_id,
        domain: row.transaction_domain,
        state: row.state,
        expiresAt: row.expires_at,
      }
