import { authenticate } from './authenticate.js'
import { beginTest } from './begin-test.js'
import { complete } from './complete.js'
import { exchangeCode } from './exchange-code.js'
import { finishTest } from './finish-test.js'
import type { Onboarding } from './onboarding.js'
import { openTransaction } from './open-transaction.js'
import type { OnboardingParts } from './parts.js'
import { readTest } from './read-test.js'
import { startTest } from './start-test.js'

/**
 * The four steps of onboarding on a database that `prepareDatabase` has prepared.
 *
 * @example
 * const onboarding = createOnboarding({ database, keys, discovery, signIn, clock: () => new Date(), urls: settings })
 * const { token } = await onboarding.exchangeCode('K7QF2M-9XTR4B', { address: '192.0.2.7', requestId: 'r1' })
 */
export function createOnboarding(parts: OnboardingParts): Onboarding & { authenticate(token: string): Promise<void> } {
  return {
    exchangeCode: (code, caller) => exchangeCode(parts, code, caller),
    openTransaction: (token, request, caller) => openTransaction(parts, token, request, caller),
    authenticate: (token) => authenticate(parts, token),
    complete: (token, id, request, caller) => complete(parts, token, id, request, caller),
    startTest: (token, id, request, caller) => startTest(parts, token, id, request, caller),
    readTest: (token, id) => readTest(parts, token, id),
    beginTest: (link, browser) => beginTest(parts, link, browser),
    finishTest: (back, caller) => finishTest(parts, back, caller),
  }
}
