import type { TestState } from '../store/sign-in-tests.js'
import { findTestSituation } from '../store/transactions.js'
import type { TestReport } from './onboarding.js'
import { codeIdOf, type OnboardingParts, signInUri } from './parts.js'
import { admitCode, admitTransaction, plainProblem } from './refuse.js'
import { transactionStateAt } from './states.js'
import { isTransactionId } from './transaction-id.js'

/** What has come of the latest test of a transaction. It changes nothing, and shows nothing that was sent in confidence. */
export async function readTest(
  parts: OnboardingParts,
  token: string | undefined,
  transactionId: string,
): Promise<TestReport> {
  const codeId = await codeIdOf(parts, token)
  const id = isTransactionId(transactionId) ? transactionId : ''
  const found = await findTestSituation(parts.database, codeId, id)
  const now = parts.clock()
  admitCode(found?.code, 'complete', now)
  const { transaction, test } = found!
  if (!transaction) throw plainProblem('unknown_transaction')
  admitTransaction(transactionStateAt(transaction, now), 'complete')
  return test ? report(test, signInUri(parts, transaction.callbackId), now) : { status: 'none' }
}

function report(state: TestState, redirectUri: string, now: Date): TestReport {
  const { status, email, detail, expiresAt, finishedAt } = state
  if (status === 'pending') {
    return now < expiresAt
      ? {
          status,
          detail: state.begun ? waitingFor(redirectUri) : 'Open the address of the test in a browser and sign in.',
        }
      : { status: 'failed', detail: nobodyCame(redirectUri), at: expiresAt.toISOString() }
  }
  return {
    status,
    ...(email !== undefined && { email }),
    ...(detail !== undefined && { detail }),
    ...(finishedAt !== undefined && { at: finishedAt.toISOString() }),
  }
}

/** A wrong redirect URI is told by the identity provider alone: it does not send people to an address that it does not know. */
function redirectAdvice(redirectUri: string): string {
  return `If the identity provider shows an error about the redirect URI, enter exactly this one at the application: ${redirectUri}`
}

/** What is said of a test whose browser has not come back. */
export function waitingFor(redirectUri: string): string {
  return `Somebody went to the identity provider and has not come back yet. ${redirectAdvice(redirectUri)}`
}

/** What is said of a test whose time is over. */
export function nobodyCame(redirectUri: string): string {
  return `Nobody came back from the identity provider in time. ${redirectAdvice(redirectUri)}. Then start another test.`
}
