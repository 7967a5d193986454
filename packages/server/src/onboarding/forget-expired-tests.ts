import { recordAudit } from '../audit/audit.js'
import { deleteExpiredAuthorizations } from '../store/authorizations.js'
import { finishTest, lockExpiredTests } from '../store/sign-in-tests.js'
import { type OnboardingParts, signInUri } from './parts.js'
import { nobodyCame } from './read-test.js'

const BATCH = 100

/**
 * Ends the tests whose time is over, so that no secret outlives its test. Any number of processes may do it at once.
 *
 * @example
 * await forgetExpiredTests({ database, clock, urls })
 */
export async function forgetExpiredTests(parts: Pick<OnboardingParts, 'database' | 'clock' | 'urls'>): Promise<void> {
  for (;;) {
    const ended = await parts.database.transaction(async (queries) => {
      const now = parts.clock()
      const expired = await lockExpiredTests(queries, now, BATCH)
      for (const { transactionId, linkHash, codeId, organization, callbackId } of expired) {
        const detail = nobodyCame(signInUri(parts, callbackId))
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
