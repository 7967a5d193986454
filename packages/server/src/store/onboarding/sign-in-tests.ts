import type { Queries } from '../database.js'

/** The state of a test. */
export interface TestState {
  readonly status: 'pending' | 'passed' | 'failed'
  readonly email: string | undefined
  readonly detail: string | undefined
  readonly expiresAt: Date
  readonly finishedAt: Date | undefined
  /** Whether a browser is at the identity provider. */
  readonly begun: boolean
}

export interface NewTest {
  readonly transactionId: string
  readonly linkHash: string
  readonly clientId: string
  readonly encryptedSecret: string
  readonly secretKeyId: string
  readonly authMethod: 'client_secret_basic' | 'client_secret_post'
  readonly startedAt: Date
  readonly expiresAt: Date
}

/** A pending test with the values of its transaction that a sign-in needs. */
export interface PendingTest<Provider> {
  readonly transactionId: string
  readonly linkHash: string
  readonly clientId: string
  readonly encryptedSecret: string
  readonly authMethod: 'client_secret_basic' | 'client_secret_post'
  readonly expiresAt: Date
  readonly callbackId: string
  readonly domain: string
  readonly provider: Provider
  readonly codeId: string
  readonly organization: string
}

/** Stores a test. An earlier one and its authorizations are deleted. */
export async function replaceTest(queries: Queries, test: NewTest): Promise<void> {
  await queries.query('delete from sign_in_tests where transaction_id = $1', [test.transactionId])
  await queries.query(
    `insert into sign_in_tests
       (transaction_id, link_hash, client_id, client_secret, secret_key_id, auth_method, status, started_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, 'pending', $7, $8)`,
    [
      test.transactionId,
      test.linkHash,
      test.clientId,
      test.encryptedSecret,
      test.secretKeyId,
      test.authMethod,
      test.startedAt,
      test.expiresAt,
    ],
  )
}

/** The columns of a test `s` for a query of its transaction. */
export const TEST_STATE_COLUMNS = `s.status as test_status, s.email, s.detail, s.expires_at as test_expires_at, s.finished_at,
  exists (select from authorizations a where a.transaction_id = s.transaction_id) as begun`

const PENDING = `select t.transaction_id, t.link_hash, t.client_id, t.client_secret, t.auth_method, t.expires_at,
    x.callback_id, x.domain, x.provider, x.code_id, o.name as organization
  from sign_in_tests t join transactions x on x.id = t.transaction_id join codes c on c.id = x.code_id
    join organizations o on o.id = c.organization_id
  where t.status = 'pending'`

/** The pending test of a link, locked: it cannot be finished or replaced before the transaction ends. */
export async function lockPendingTest<P>(queries: Queries, linkHash: string): Promise<PendingTest<P> | undefined> {
  const [row] = await queries.query<PendingRow<P>>(`${PENDING} and t.link_hash = $1 for update of t`, [linkHash])
  return row && pendingOf(row)
}

/** The pending test of a transaction, not locked. */
export async function findPendingTest<P>(queries: Queries, transactionId: string): Promise<PendingTest<P> | undefined> {
  const [row] = await queries.query<PendingRow<P>>(`${PENDING} and t.transaction_id = $1`, [transactionId])
  return row && pendingOf(row)
}

export interface TestResult {
  readonly status: 'passed' | 'failed'
  readonly email: string | undefined
  readonly detail: string | undefined
  readonly finishedAt: Date
}

/** Stores the result of a test and deletes its secret. False if it is no longer pending, or another test has replaced it. */
export async function finishTest(queries: Queries, linkHash: string, result: TestResult): Promise<boolean> {
  const rows = await queries.query<{ transaction_id: string }>(
    `update sign_in_tests set status = $2, email = $3, detail = $4, finished_at = $5, client_secret = null, secret_key_id = null
     where link_hash = $1 and status = 'pending' returning transaction_id`,
    [linkHash, result.status, result.email ?? null, result.detail ?? null, result.finishedAt],
  )
  const [finished] = rows
  if (!finished) return false
  await queries.query('delete from authorizations where transaction_id = $1', [finished.transaction_id])
  return true
}

export interface ExpiredTest {
  readonly transactionId: string
  readonly linkHash: string
  readonly codeId: string
  readonly organization: string
  readonly callbackId: string
}

/** Some expired tests, locked. Tests that another transaction has locked are skipped. */
export async function lockExpiredTests(queries: Queries, now: Date, limit: number): Promise<ExpiredTest[]> {
  const rows = await queries.query<ExpiredRow>(
    `select t.transaction_id, t.link_hash, x.code_id, x.callback_id, o.name as organization
     from sign_in_tests t join transactions x on x.id = t.transaction_id join codes c on c.id = x.code_id
       join organizations o on o.id = c.organization_id
     where t.status = 'pending' and t.expires_at <= $1
     order by t.expires_at limit $2::int for update of t skip locked`,
    [now, limit],
  )
  return rows.map((row) => ({
    transactionId: row.transaction_id,
    linkHash: row.link_hash,
    codeId: row.code_id,
    organization: row.organization,
    callbackId: row.callback_id,
  }))
}

export interface TestSecret {
  readonly linkHash: string
  readonly encryptedSecret: string
}

/** Locks and gives some secrets that are encrypted with another key, in the order of their links. */
export async function lockTestSecretsOfOtherKeys(
  queries: Queries,
  { keyId, after, limit }: { readonly keyId: string; readonly after: string | undefined; readonly limit: number },
): Promise<TestSecret[]> {
  const rows = await queries.query<{ link_hash: string; client_secret: string }>(
    `select link_hash, client_secret from sign_in_tests
     where secret_key_id <> $1 and ($2::text is null or link_hash > $2::text)
     order by link_hash limit $3::int for update`,
    [keyId, after ?? null, limit],
  )
  return rows.map((row) => ({ linkHash: row.link_hash, encryptedSecret: row.client_secret }))
}

export async function replaceTestSecret(queries: Queries, secret: TestSecret, keyId: string): Promise<void> {
  await queries.query('update sign_in_tests set client_secret = $2, secret_key_id = $3 where link_hash = $1', [
    secret.linkHash,
    secret.encryptedSecret,
    keyId,
  ])
}

/** For a secret that no key decrypts: the test can never be finished. */
export async function deleteTest(queries: Queries, linkHash: string): Promise<void> {
  await queries.query('delete from sign_in_tests where link_hash = $1', [linkHash])
}

export type TestStateRow =
  | { test_status: null }
  | {
      test_status: 'pending' | 'passed' | 'failed'
      email: string | null
      detail: string | null
      test_expires_at: Date
      finished_at: Date | null
      begun: boolean
    }
type PendingRow<P> = {
  transaction_id: string
  link_hash: string
  client_id: string
  client_secret: string
  auth_method: 'client_secret_basic' | 'client_secret_post'
  expires_at: Date
  callback_id: string
  domain: string
  provider: P
  code_id: string
  organization: string
}
type ExpiredRow = {
  transaction_id: string
  link_hash: string
  code_id: string
  callback_id: string
  organization: string
}

export const testStateOf = (row: TestStateRow): TestState | undefined =>
  row.test_status === null
    ? undefined
    : {
        status: row.test_status,
        email: row.email ?? undefined,
        detail: row.detail ?? undefined,
        expiresAt: row.test_expires_at,
        finishedAt: row.finished_at ?? undefined,
        begun: row.begun,
      }
const pendingOf = <P>(row: PendingRow<P>): PendingTest<P> => ({
  transactionId: row.transaction_id,
  linkHash: row.link_hash,
  clientId: row.client_id,
  encryptedSecret: row.client_secret,
  authMethod: row.auth_method,
  expiresAt: row.expires_at,
  callbackId: row.callback_id,
  domain: row.domain,
  provider: row.provider,
  codeId: row.code_id,
  organization: row.organization,
})
