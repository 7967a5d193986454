import { recordAudit } from '../audit/audit.js'
import { signToken } from '../keys/tokens.js'
import { type ExchangeStanding, findCodeByHash, lockCode, markExchanged } from '../store/codes.js'
import { canonicalCode, hashCode } from './codes.js'
import type { Caller } from './onboarding.js'
import { callerDetail, ONBOARDING_AUDIENCE, type OnboardingParts } from './parts.js'
import { admitCode, plainProblem } from './refuse.js'
import { tokenEnd } from './states.js'

/** Repetitions from the same address within this time are one record: a page that is reloaded would otherwise fill the audit. */
const SAME_EXCHANGE_MS = 60_000

/** Step 1. A code can be exchanged again, because an answer can get lost; each exchange gives a fresh token. */
export async function exchangeCode(
  parts: OnboardingParts,
  typed: string,
  caller: Caller,
): Promise<{ readonly token: string }> {
  const canonical = canonicalCode(typed)
  if (canonical === undefined) throw plainProblem('invalid_code')
  const found = await findCodeByHash(parts.database, hashCode(canonical))
  const now = parts.clock()
  admitCode(found, 'exchange', now)
  const code = isRepetition(found!, caller, now) ? found! : await recordExchange(parts, found!.id, caller)
  const claims = {
    audience: ONBOARDING_AUDIENCE,
    subject: code.id,
    issuedAt: now,
    expiresAt: tokenEnd(code.expiresOn),
  }
  return { token: await signToken(parts.keys, claims) }
}

function isRepetition({ lastExchangedAt, lastExchangedFrom }: ExchangeStanding, caller: Caller, now: Date): boolean {
  if (!lastExchangedAt || lastExchangedFrom !== callerDetail(caller).address) return false
  // A clock that was set back makes the difference negative: then it is recorded again.
  const passed = now.getTime() - lastExchangedAt.getTime()
  return passed >= 0 && passed < SAME_EXCHANGE_MS
}

function recordExchange({ database, clock }: OnboardingParts, id: string, caller: Caller): Promise<ExchangeStanding> {
  return database.transaction(async (queries) => {
    const code = await lockCode(queries, id)
    const now = clock()
    admitCode(code, 'exchange', now)
    // Of requests that came together, the others have waited for the first one's record.
    if (isRepetition(code!, caller, now)) return code!
    const detail = callerDetail(caller)
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
