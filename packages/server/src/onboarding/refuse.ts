import { Problem, type ProblemCode } from '../problem.js'
import {
  CODE_TABLE,
  type CodeEvent,
  type CodeState,
  type CodeTimes,
  codeStateAt,
  type Outcome,
  TRANSACTION_HOURS,
  TRANSACTION_TABLE,
  type TransactionEvent,
  type TransactionState,
} from './states.js'

const NEW_CODE = 'Ask the operator for a new code.'

/** What a refused administrator is told to do next. */
const DETAILS = {
  // One text for what is unknown, mistyped and revoked: it says nothing about which codes there are.
  invalid_code: `This code is mistyped or was revoked. Check it against the message it came with. ${NEW_CODE}`,
  code_expired: `This code has reached its expiry date. ${NEW_CODE}`,
  code_used:
    'The onboarding with this code is complete. Administrators change the connection in the app; if none can sign in, ask the operator for a new code.',
  missing_token: 'Send the token of step 1 in a header: "Authorization: Bearer <token>".',
  invalid_token:
    'This token is not one of this service, or its code was revoked. Exchange the code again: GET /v1/auth/validate?code=<code>.',
  token_expired: `This token has expired, and its code with it. ${NEW_CODE}`,
  unknown_transaction:
    'There is no such transaction for this token. Use the transaction_id that POST /v1/api/oauth gave for the same code.',
  already_completed: 'Another request has just completed this transaction. There is nothing left to do.',
} as const satisfies Partial<Record<ProblemCode, string>>

type PlainProblem = keyof typeof DETAILS

/** A problem whose detail is always the same. */
export function plainProblem(code: PlainProblem): Problem {
  return new Problem(code, DETAILS[code])
}

/** What an event does to a code now. Throws the problem that the table names. */
export function admitCode(code: CodeTimes | undefined, event: CodeEvent, now: Date): CodeState {
  if (!code) throw plainProblem(event === 'exchange' ? 'invalid_code' : 'invalid_token')
  const outcome = CODE_TABLE[codeStateAt(code, now)][event]
  if ('next' in outcome) return outcome.next
  if (outcome.problem === 'code_expired') {
    throw new Problem('code_expired', `This code could be used before ${code.expiresOn} (UTC). ${NEW_CODE}`)
  }
  throw plainProblem(outcome.problem as PlainProblem)
}

const CLOSED: Readonly<Record<string, string>> = {
  expired: `This transaction has expired after ${TRANSACTION_HOURS} hours.`,
  superseded: 'A later POST /v1/api/oauth with other values has closed this transaction.',
}

/** What an event does to a transaction in a state. Throws the problem that the table names. */
export function admitTransaction(state: TransactionState, event: TransactionEvent): TransactionState {
  const outcome: Outcome<TransactionState> = TRANSACTION_TABLE[state][event]
  if ('next' in outcome) return outcome.next
  if (outcome.problem === 'transaction_expired') {
    const next = 'Repeat POST /v1/api/oauth, register the sign_in_uri that it gives, and complete that one.'
    throw new Problem('transaction_expired', `${CLOSED[state]} ${next}`)
  }
  throw plainProblem(outcome.problem as PlainProblem)
}

export function domainTaken(domain: string): Problem {
  return new Problem(
    'domain_taken',
    `${domain} is connected by another organization. Check the domain; if it is yours, tell the operator.`,
  )
}
