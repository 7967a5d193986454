import { recordAudit } from '../audit/audit.js'
import { canonicalCode, hashCode } from '../onboarding/codes.js'
import { CODE_TABLE, codeStateAt, type CodeState as OnboardingState } from '../onboarding/states.js'
import { checkDomain, publicDomain } from '../organizations/domain.js'
import { invalidRequest, NAME_RULE, nameIn } from '../organizations/fields.js'
import { type FieldError, Problem } from '../problem.js'
import type { Queries } from '../store/database.js'
import { type Code, findCodeByHash, lockCode, markRevoked } from '../store/onboarding/codes.js'
import { lockOpenTransaction, markSuperseded } from '../store/onboarding/transactions.js'
import type { CodeRecord, CodeState } from './operations.js'
import { OPERATOR, type OperationsDeps } from './operations.js'

export interface IssueRequest {
  readonly org: string
  readonly expires: string
  readonly domain?: string
}

export interface CheckedIssue {
  readonly org: string
  readonly expires: string
  readonly domain: string | undefined
}

/** Checks the request for a code. Throws with all errors, by field. */
export function checkIssue({ org, expires, domain }: IssueRequest, now: Date): CheckedIssue {
  const errors: FieldError[] = []
  const name = nameIn(org)
  if (name === undefined) errors.push({ field: 'org', message: NAME_RULE })
  const today = now.toISOString().slice(0, 10)
  if (!isDate(expires)) {
    errors.push({ field: 'expires', message: 'is not a date such as 2030-12-31' })
  } else if (expires <= today) {
    errors.push({ field: 'expires', message: `is ${expires}, but must be after today, ${today} (UTC)` })
  }
  const checked = domain === undefined ? { domain: undefined } : checkDomain(domain)
  if ('problem' in checked && checked.problem === 'invalid_request') {
    errors.push({ field: 'domain', message: checked.message })
  }
  if (errors.length > 0) throw invalidRequest(errors)
  if ('problem' in checked) throw publicDomain(checked.message)
  return { org: name!, expires, domain: checked.domain }
}

/** Year, month and day of the calendar: there is no 30th of February, and no year before 1000 or after 9999. */
export function isDate(text: string): boolean {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** On its last day a code can no longer be exchanged: for the operator it has expired. */
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

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Revokes a code, given as the code or its id, with its tokens and its open transaction. Revoking it again has no effect. */
export function revokeCode({ database, clock }: OperationsDeps, text: string): Promise<CodeRecord> {
  return database.transaction(async (queries) => {
    const code = await lockCodeOf(queries, text.trim())
    if (!code) {
      throw new Problem('invalid_code', 'There is no such code. Give the code or its id: see omen-server code list.')
    }
    const now = clock()
    const outcome = CODE_TABLE[codeStateAt(code, now)].revoke
    if ('problem' in outcome) {
      const remove = `omen-server org remove ${JSON.stringify(code.organization)}`
      throw new Problem(outcome.problem, `The onboarding with this code is complete. To end the connection: ${remove}`)
    }
    if (code.revokedAt) return codeRecordOf(code, now)
    await markRevoked(queries, code.id, now)
    const open = await lockOpenTransaction(queries, code.id)
    if (open) await markSuperseded(queries, open.id)
    await recordAudit(queries, {
      at: now,
      actor: OPERATOR,
      action: 'code.revoked',
      org: code.organization,
      detail: { code: code.id, ...(open && { transaction: open.id }) },
    })
    return codeRecordOf({ ...code, revokedAt: now }, now)
  })
}

async function lockCodeOf(queries: Queries, text: string): Promise<Code | undefined> {
  if (ID.test(text)) return lockCode(queries, text.toLowerCase())
  const canonical = canonicalCode(text)
  const found = canonical === undefined ? undefined : await findCodeByHash(queries, hashCode(canonical))
  return found && lockCode(queries, found.id)
}
