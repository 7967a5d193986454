import { authenticate } from './authenticate.js'
import { complete } from './complete.js'
import { exchangeCode } from './exchange-code.js'
import type { Onboarding } from './onboarding.js'
import { openTransaction } from './open-transaction.js'
import type { OnboardingParts } from './parts.js'

/**
 * The four steps of onboarding on a database that `prepareDatabase` has prepared.
 *
 * @example
 * const onboarding = createOnboarding({ database, keys, discovery, clock: () => new Date(), urls: settings })
 * const { token } = await onboarding.exchangeCode('K7QF2M-9XTR4B', { address: '192.0.2.7', requestId: 'r1' })
 */
export function createOnboarding(parts: OnboardingParts): Onboarding & { authenticate(token: string): Promise<void> } {
  return {
    exchangeCode: (code, caller) => exchangeCode(parts, code, caller),
    openTransaction: (token, request, caller) => openTransaction(parts, token, request, caller),
    authenticate: (token) => authenticate(parts, token),
    complete: (token, id, request, caller) => complete(parts, token, id, request, caller),
  }
}
