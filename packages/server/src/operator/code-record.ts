import { codeStateAt, type CodeState as OnboardingState } from '../onboarding/states.js'
import type { Code } from '../store/onboarding/codes.js'
import type { CodeRecord, CodeState } from './operations.js'

/** On its last day a code is not exchanged any more: to the operator it has expired. */
const SHOWN: Readonly<Record<OnboardingState, CodeState>> = {
  issued: 'issued',
  exchanged: 'exchanged',
  last_day: 'expired',
  expired: 'expired',
  completed: 'completed',
  revoked: 'revoked',
}

/** A code as the operator sees it at a time. */
export function codeRecordOf(code: Code, now: Date): CodeRecord {
  return {
    id: code.id,
    org: code.organization,
    ...(code.domain !== undefined && { domain: code.domain }),
    expires: code.expiresOn,
    state: SHOWN[codeStateAt(code, now)],
    issuedAt: code.issuedAt.toISOString(),
  }
}
