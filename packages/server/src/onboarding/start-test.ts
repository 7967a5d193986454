import { type Requester, recordAudit, requesterDetail } from '../audit/audit.js'
import { after } from '../clock.js'
import type { Provider } from '../discovery/provider.js'
import { encryptSecret } from '../keys/secrets.js'
import { encryptionKey, testSecretContext } from '../organizations/secrets.js'
import { TEST_MINUTES, testTimedOut, waitingForBrowser } from '../organizations/sign-in-test.js'
import { signInUri } from '../organizations/urls.js'
import { hashString, randomString } from '../signin/begin-authorization.js'
import type { Queries } from '../store/database.js'
import { deleteExpiredAuthorizations } from '../store/onboarding/authorizations.js'
import { lockCode } from '../store/onboarding/codes.js'
import { finishTest, lockExpiredTests, replaceTest, type TestState } from '../store/onboarding/sign-in-tests.js'
import { findTestSituation, lockTransaction } from '../store/onboarding/transactions.js'
import { type AcceptedClient, checkClientOf } from './complete.js'
import { codeIdOf } from './exchange-code.js'
import type { CompletionRequest, OnboardingDeps, StartedTest, TestReport } from './onboarding.js'
import { isTransactionId } from './open-transaction.js'
import { admitCode, admitTransaction, fixedProblem, tokenEnd, transactionStateAt } from './states.js'

/**
 * Prepares a test sign-in, which creates no account and no session. It is rejected where the completion would be, and does
 * not change the onboarding; an earlier test ends. The client secret is stored encrypted until the test is over.
 */
export async function startTest(
  deps: OnboardingDeps,
  token: string | undefined,
  transactionId: string,
  body: CompletionRequest,
  requester: Requester,
): Promise<StartedTest> {
  const { codeId, client } = await checkClientOf(deps, token, transactionId, body)
  const link = randomString()
  const starting = { codeId, transactionId, linkHash: hashString(link), client, requester }
  const expiresAt = await deps.database.transaction((queries) => startNow(queries, deps, starting))
  return { test_url: `${deps.urls.baseUrl}/v1/auth/test/${link}`, expires_at: expiresAt.toISOString() }
}

interface Starting {
  readonly codeId: string
  readonly transactionId: string
  readonly linkHash: string
  readonly client: AcceptedClient
  readonly requester: Requester
}

/** Checks everything again after code and transaction have been locked, in the same order as the completion. */
async function startNow(
  queries: Queries,
  { keys, clock }: OnboardingDeps,
  { codeId, transactionId, linkHash, client, requester }: Starting,
): Promise<Date> {
  const code = await lockCode(queries, codeId)
  const transaction = await lockTransaction<Provider>(queries, codeId, transactionId)
  const now = clock()
  admitCode(code, 'complete', now)
  if (!transaction) throw fixedProblem('unknown_transaction')
  admitTransaction(transactionStateAt(transaction, now), 'complete')
  const key = await encryptionKey(queries, keys)
  const expiresAt = earliest([after(now, TEST_MINUTES * 60_000), transaction.expiresAt, tokenEnd(code!.expiresOn)])
  await replaceTest(queries, {
    transactionId,
    linkHash,
    clientId: client.clientId,
    encryptedSecret: encryptSecret(key, client.clientSecret, testSecretContext(linkHash)),
    secretKeyId: key.id,
    authMethod: client.authMethod,
    startedAt: now,
    expiresAt,
  })
  await recordAudit(queries, {
    at: now,
    actor: `code ${codeId}`,
    action: 'sign_in_test.started',
    org: code!.organization,
    detail: { transaction: transactionId, client_id: client.clientId, ...requesterDetail(requester) },
  })
  return expiresAt
}

function earliest(times: readonly Date[]): Date {
  return new Date(Math.min(...times.map((time) => time.getTime())))
}

/** The state of the latest test of a transaction. It changes nothing and shows no secret. */
export async function readTest(
  deps: OnboardingDeps,
  token: string | undefined,
  transactionId: string,
): Promise<TestReport> {
  const codeId = await codeIdOf(deps, token)
  const id = isTransactionId(transactionId) ? transactionId : ''
  const found = await findTestSituation(deps.database, codeId, id)
  const now = deps.clock()
  admitCode(found?.code, 'complete', now)
  const { transaction, test } = found!
  if (!transaction) throw fixedProblem('unknown_transaction')
  admitTransaction(transactionStateAt(transaction, now), 'complete')
  return test ? reportOf(test, signInUri(deps, transaction.callbackId), now) : { status: 'none' }
}

function reportOf(state: TestState, redirectUri: string, now: Date): TestReport {
  const { status, email, detail, expiresAt, finishedAt } = state
  if (status === 'pending') {
    if (now >= expiresAt) return { status: 'failed', detail: testTimedOut(redirectUri), at: expiresAt.toISOString() }
    return {
      status,
      detail: state.begun ? waitingForBrowser(redirectUri) : 'Open the test URL in a browser and sign in.',
    }
  }
  return {
    status,
    ...(email !== undefined && { email }),
    ...(detail !== undefined && { detail }),
    ...(finishedAt !== undefined && { at: finishedAt.toISOString() }),
  }
}

const BATCH = 100

/**
 * Ends the tests that have expired, so that no client secret outlives its test. Any number of processes may run it at once.
 *
 * @example
 * await endExpiredTests({ database, clock, urls })
 */
export async function endExpiredTests(deps: Pick<OnboardingDeps, 'database' | 'clock' | 'urls'>): Promise<void> {
  for (;;) {
    const ended = await deps.database.transaction(async (queries) => {
      const now = deps.clock()
      const expired = await lockExpiredTests(queries, now, BATCH)
      for (const { transactionId, linkHash, codeId, organization, callbackId } of expired) {
        const detail = testTimedOut(signInUri(deps, callbackId))
        await finishTest(queries, linkHash, { status: 'failed', email: undefined, detail, finishedAt: now })
        await recordAudit(queries, {
          at: now,
          actor: `code ${codeId}`,
          action: 'sign_in_test.finished',
          org: organization,
          detail: { transaction: transactionId, status: 'failed', reason: 'expired' },
        })
      }
      await deleteExpiredAuthorizations(queries, now)
      return expired.length
    })
    if (ended < BATCH) return
  }
}
