import { type Requester, recordAudit, requesterDetail } from '../audit/audit.js'
import { signToken, verifyToken } from '../keys/tokens.js'
import {
  type ExchangeStatus,
  findCodeByHash,
  findCodeStatus,
  lockCode,
  markExchanged,
} from '../store/onboarding/codes.js'
import { canonicalCode, hashCode } from './codes.js'
import type { OnboardingDeps } from './onboarding.js'
import { admitCode, fixedProblem, tokenEnd } from './states.js'

/** The audience of onboarding tokens: no other token is accepted. */
export const ONBOARDING_AUDIENCE = 'omen-onboarding'

/** Exchanges from the same address within this time share one audit record, so that reloading a page does not fill the audit log. */
const SAME_EXCHANGE_MS = 60_000

/** Exchanges a code for a token. A code can be exchanged again, because a response can get lost; each exchange issues a new token. */
export async function exchangeCode(
  deps: OnboardingDeps,
  typed: string,
  requester: Requester,
): Promise<{ readonly token: string }> {
  const canonical = canonicalCode(typed)
  if (canonical === undefined) throw fixedProblem('invalid_code')
  const found = await findCodeByHash(deps.database, hashCode(canonical))
  const now = deps.clock()
  admitCode(found, 'exchange', now)
  const code = isRepetition(found!, requester, now) ? found! : await recordExchange(deps, found!.id, requester)
  const claims = { audience: ONBOARDING_AUDIENCE, subject: code.id, issuedAt: now, expiresAt: tokenEnd(code.expiresOn) }
  return { token: await signToken(deps.keys, claims) }
}

function isRepetition(
  { lastExchangedAt, lastExchangedFrom }: ExchangeStatus,
  requester: Requester,
  now: Date,
): boolean {
  if (!lastExchangedAt || lastExchangedFrom !== requesterDetail(requester).address) return false
  // The difference is negative after the clock was set back: the exchange is recorded again.
  const passed = now.getTime() - lastExchangedAt.getTime()
  return passed >= 0 && passed < SAME_EXCHANGE_MS
}

function recordExchange(
  { database, clock }: OnboardingDeps,
  id: string,
  requester: Requester,
): Promise<ExchangeStatus> {
  return database.transaction(async (queries) => {
    const code = await lockCode(queries, id)
    const now = clock()
    admitCode(code, 'exchange', now)
    // A concurrent request may have recorded this exchange while this one waited for the lock.
    if (isRepetition(code!, requester, now)) return code!
    const detail = requesterDetail(requester)
    await markExchanged(queries, id, now, detail.address)
    await recordAudit(queries, {
      at: now,
      actor: `code ${id}`,
      action: 'code.exchanged',
      org: code!.organization,
      detail,
    })
    return code!
  })
}

/** Verifies an onboarding token and gives the id of its code. */
export async function codeIdOf({ keys, clock }: OnboardingDeps, token: string | undefined): Promise<string> {
  if (!token) throw fixedProblem('missing_token')
  const verified = await verifyToken(keys, token, ONBOARDING_AUDIENCE, clock())
  if (verified === 'expired') throw fixedProblem('token_expired')
  if (verified === 'invalid') throw fixedProblem('invalid_token')
  return verified.subject
}

/** Checks the token of a request whose body is invalid: the token's problem is reported before the body's. */
export async function authenticate(deps: OnboardingDeps, token: string): Promise<void> {
  const code = await findCodeStatus(deps.database, await codeIdOf(deps, token))
  admitCode(code, 'open', deps.clock())
}
