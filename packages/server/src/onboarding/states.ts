import type { ProblemCode } from '../problem.js'

/**
 * The states of an onboarding and what each event does in them: section 3 of the specification, as data. Every change of a
 * code or a transaction asks these tables; the states themselves are computed from what is stored and the clock.
 */

export type CodeState = 'issued' | 'exchanged' | 'last_day' | 'expired' | 'completed' | 'revoked'
export type CodeEvent = 'exchange' | 'open' | 'complete' | 'revoke'

export type TransactionState = 'open' | 'expired' | 'completed' | 'superseded'
export type TransactionEvent = 'complete' | 'repeat' | 'replace'

/** Where an event leads, or the problem it is refused with. */
export type Outcome<State> = { readonly next: State } | { readonly problem: ProblemCode }

/** On the last day (D itself) the code is not exchanged any more, while the tokens that it gave still work. */
export const CODE_TABLE: Readonly<Record<CodeState, Readonly<Record<CodeEvent, Outcome<CodeState>>>>> = {
  issued: {
    exchange: { next: 'exchanged' },
    // No token was given yet, so whatever was shown is none of ours.
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

/** `repeat` is the request that opened it, made again; `replace` is another one of the same code. */
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

/** A transaction lives this long. */
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

/** The moment from which a code with this expiry date is not exchanged any more: the date begins (UTC). */
function codeEndMs(expiresOn: string): number {
  // Field by field: to find out how a text writes its date takes ten times as long.
  return Date.UTC(Number(expiresOn.slice(0, 4)), Number(expiresOn.slice(5, 7)) - 1, Number(expiresOn.slice(8)))
}

/** The moment from which its tokens do not work any more: the date has ended (UTC). */
export function tokenEnd(expiresOn: string): Date {
  return new Date(codeEndMs(expiresOn) + DAY_MS)
}

export function transactionEnd(createdAt: Date): Date {
  return new Date(createdAt.getTime() + TRANSACTION_HOURS * HOUR_MS)
}
