import { Problem, type ProblemCode } from '../problem.js'

/**
 * The states of an onboarding and what each event does in them, as data (docs/protocol.md, sections 1.2 and 1.4). Every change
 * of a code or a transaction looks these tables up; the states are computed from the stored row and the clock.
 */

export type CodeState = 'issued' | 'exchanged' | 'last_day' | 'expired' | 'completed' | 'revoked'
export type CodeEvent = 'exchange' | 'open' | 'complete' | 'revoke'

export type TransactionState = 'open' | 'expired' | 'completed' | 'superseded'
export type TransactionEvent = 'complete' | 'repeat' | 'replace'

/** The next state, or the problem of an event that is not allowed. */
export type Outcome<State> = { readonly next: State } | { readonly problem: ProblemCode }

/** On the last day, the expiry date itself, the code can no longer be exchanged, while its tokens still work. */
export const CODE_TABLE: Readonly<Record<CodeState, Readonly<Record<CodeEvent, Outcome<CodeState>>>>> = {
  issued: {
    exchange: { next: 'exchanged' },
    // No token has been issued for this code yet.
    open: { problem: 'invalid_token' },
    complete: { problem: 'invalid_token' },
    revoke: { next: 'revoked' },
  },
  exchanged: {
    exchange: { next: 'exchanged' },
    open: { next: 'exchanged' },
    complete: { next: 'completed' },
    revoke: { next: 'revoked' },
  },
  last_day: {
    exchange: { problem: 'code_expired' },
    open: { next: 'last_day' },
    complete: { next: 'completed' },
    revoke: { next: 'revoked' },
  },
  expired: {
    exchange: { problem: 'code_expired' },
    open: { problem: 'token_expired' },
    complete: { problem: 'token_expired' },
    revoke: { next: 'revoked' },
  },
  completed: {
    exchange: { problem: 'code_used' },
    open: { problem: 'code_used' },
    complete: { problem: 'code_used' },
    revoke: { problem: 'code_used' },
  },
  revoked: {
    exchange: { problem: 'invalid_code' },
    open: { problem: 'invalid_token' },
    complete: { problem: 'invalid_token' },
    revoke: { next: 'revoked' },
  },
}

/** `repeat` is the request that opened the transaction, sent again; `replace` is a different request with the same code. */
export const TRANSACTION_TABLE: Readonly<
  Record<TransactionState, Readonly<Record<TransactionEvent, Outcome<TransactionState>>>>
> = {
  open: {
    complete: { next: 'completed' },
    repeat: { next: 'open' },
    replace: { next: 'superseded' },
  },
  expired: {
    complete: { problem: 'transaction_expired' },
    repeat: { next: 'superseded' },
    replace: { next: 'superseded' },
  },
  completed: {
    complete: { problem: 'already_completed' },
    repeat: { problem: 'code_used' },
    replace: { problem: 'code_used' },
  },
  superseded: {
    complete: { problem: 'transaction_expired' },
    repeat: { next: 'superseded' },
    replace: { next: 'superseded' },
  },
}

/** The lifetime of a transaction. */
export const TRANSACTION_HOURS = 48
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export interface CodeTimes {
  /** `YYYY-MM-DD`. */
  readonly expiresOn: string
  readonly isExchanged: boolean
  readonly completedAt: Date | undefined
  readonly revokedAt: Date | undefined
}

export function codeStateAt(code: CodeTimes, now: Date): CodeState {
  if (code.revokedAt) return 'revoked'
  if (code.completedAt) return 'completed'
  const end = codeEndMs(code.expiresOn)
  if (now.getTime() >= end + DAY_MS) return 'expired'
  if (now.getTime() >= end) return 'last_day'
  return code.isExchanged ? 'exchanged' : 'issued'
}

export function transactionStateAt(
  transaction: { readonly state: 'open' | 'completed' | 'superseded'; readonly expiresAt: Date },
  now: Date,
): TransactionState {
  return transaction.state === 'open' && now >= transaction.expiresAt ? 'expired' : transaction.state
}

/** A code can be exchanged until its expiry date begins (UTC). */
function codeEndMs(expiresOn: string): number {
  return Date.parse(`${expiresOn}T00:00:00Z`)
}

/** Its tokens work until the expiry date ends (UTC). */
export function tokenEnd(expiresOn: string): Date {
  return new Date(codeEndMs(expiresOn) + DAY_MS)
}

export function transactionEnd(createdAt: Date): Date {
  return new Date(createdAt.getTime() + TRANSACTION_HOURS * HOUR_MS)
}

const NEW_CODE = 'Ask the operator for a new code.'

/** The details say what to do next. */
const DETAILS = {
  // The same for an unknown, a mistyped and a revoked code, so that it does not reveal which codes exist.
  invalid_code: `This code is mistyped or was revoked. Compare it with the message in which you received it. ${NEW_CODE}`,
  code_expired: `This code has reached its expiry date. ${NEW_CODE}`,
  code_used:
    'The onboarding with this code is complete. Administrators can change the connection in the app. If no administrator can sign in, ask the operator for a new code.',
  missing_token: 'Send the token of step 1 in the header "Authorization: Bearer <token>".',
  invalid_token:
    'This token was not issued by this service, or its code was revoked. Exchange the code again: GET /v1/auth/validate?code=<code>.',
  token_expired: `This token and its code have expired. ${NEW_CODE}`,
  unknown_transaction:
    'This token has no such transaction. Use the transaction_id from the response to POST /v1/api/oauth with the same code.',
  already_completed: 'Another request has just completed this transaction. You do not need to do anything.',
} as const satisfies Partial<Record<ProblemCode, string>>

type FixedProblem = keyof typeof DETAILS

/** A problem whose detail is always the same. */
export function fixedProblem(code: FixedProblem): Problem {
  return new Problem(code, DETAILS[code])
}

/** The next state of a code. Throws the problem from the table if the event is not allowed. */
export function admitCode(code: CodeTimes | undefined, event: CodeEvent, now: Date): CodeState {
  if (!code) throw fixedProblem(event === 'exchange' ? 'invalid_code' : 'invalid_token')
  const outcome = CODE_TABLE[codeStateAt(code, now)][event]
  if ('next' in outcome) return outcome.next
  if (outcome.problem === 'code_expired') {
    throw new Problem('code_expired', `This code expired on ${code.expiresOn} (UTC). ${NEW_CODE}`)
  }
  throw fixedProblem(outcome.problem as FixedProblem)
}

const CLOSED: Readonly<Record<string, string>> = {
  expired: `This transaction expired after ${TRANSACTION_HOURS} hours.`,
  superseded: 'A later POST /v1/api/oauth with different values replaced this transaction.',
}

/** The next state of a transaction. Throws the problem from the table if the event is not allowed. */
export function admitTransaction(state: TransactionState, event: TransactionEvent): TransactionState {
  const outcome: Outcome<TransactionState> = TRANSACTION_TABLE[state][event]
  if ('next' in outcome) return outcome.next
  if (outcome.problem === 'transaction_expired') {
    const next =
      'Repeat POST /v1/api/oauth, register the sign_in_uri of its response, and complete the new transaction.'
    throw new Problem('transaction_expired', `${CLOSED[state]} ${next}`)
  }
  throw fixedProblem(outcome.problem as FixedProblem)
}
