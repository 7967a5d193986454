import type { Provider } from '../discovery/provider.js'
import { Problem, type ProblemCode } from '../problem.js'
import type { Replacement } from '../store/organizations/replacements.js'

/**
 * The states of a connection that is to replace the current one, and what each event does in them (docs/protocol.md, section 7).
 * The current connection works until the switch; a switch requires a test that has passed.
 */

export type ReplacementState = 'none' | 'untested' | 'testing' | 'passed' | 'failed'
export type ReplacementEvent = 'propose' | 'test' | 'pass' | 'fail' | 'switch' | 'drop'

/** The next state, or the problem of an event that is not allowed. */
export type Outcome = { readonly next: ReplacementState } | { readonly problem: ProblemCode }

const PROPOSED: Outcome = { next: 'untested' }
const UNTESTED: Outcome = { problem: 'connection_untested' }
/** A browser comes back and no test is running. */
const NO_TEST_RUNNING: Outcome = { problem: 'bad_request' }

export const REPLACEMENT_TABLE: Readonly<Record<ReplacementState, Readonly<Record<ReplacementEvent, Outcome>>>> = {
  none: {
    propose: PROPOSED,
    test: { problem: 'not_found' },
    pass: NO_TEST_RUNNING,
    fail: NO_TEST_RUNNING,
    switch: UNTESTED,
    drop: { problem: 'not_found' },
  },
  untested: {
    propose: PROPOSED,
    test: { next: 'testing' },
    pass: NO_TEST_RUNNING,
    fail: NO_TEST_RUNNING,
    switch: UNTESTED,
    drop: { next: 'none' },
  },
  testing: {
    propose: PROPOSED,
    test: { next: 'testing' },
    pass: { next: 'passed' },
    fail: { next: 'failed' },
    switch: UNTESTED,
    drop: { next: 'none' },
  },
  passed: {
    propose: PROPOSED,
    test: { next: 'testing' },
    pass: NO_TEST_RUNNING,
    fail: NO_TEST_RUNNING,
    // The replacement becomes the current connection.
    switch: { next: 'none' },
    drop: { next: 'none' },
  },
  failed: {
    propose: PROPOSED,
    test: { next: 'testing' },
    pass: NO_TEST_RUNNING,
    fail: NO_TEST_RUNNING,
    switch: UNTESTED,
    drop: { next: 'none' },
  },
}

/** As long as an onboarding transaction. */
export const REPLACEMENT_HOURS = 48

export interface ReplacementTimes {
  readonly status: Exclude<ReplacementState, 'none'>
  readonly testExpiresAt: Date | undefined
  readonly expiresAt: Date
}

/** The state at a time: an expired replacement is `none`, and a test that has expired is `failed`. */
export function replacementStateAt(replacement: ReplacementTimes | undefined, now: Date): ReplacementState {
  if (replacement === undefined || now >= replacement.expiresAt) return 'none'
  const { status, testExpiresAt } = replacement
  return status === 'testing' && testExpiresAt !== undefined && now >= testExpiresAt ? 'failed' : status
}

const NONE = 'There is no next connection. Start with POST /v1/org/connection.'

/** Why the organization cannot switch, by the state of the next connection. */
const WHY_UNTESTED: Readonly<Record<ReplacementState, string>> = {
  none: NONE,
  untested: 'The next connection has not been tested yet. Test it first: POST /v1/org/connection/test.',
  testing: 'The test of the next connection is not finished. Sign in, then switch.',
  failed: 'The test of the next connection failed. Fix what the test reported, then test again.',
  passed: 'The test of the next connection has passed.',
}

/**
 * Gives the replacement if the event is allowed in its state. Throws the problem from the table otherwise.
 *
 * @example
 * const next = admitReplacement(await lockReplacement(queries, organizationId), 'switch', now)
 */
export function admitReplacement(
  replacement: Replacement<Provider> | undefined,
  event: ReplacementEvent,
  now: Date,
): Replacement<Provider> {
  const state = replacementStateAt(replacement, now)
  const outcome = REPLACEMENT_TABLE[state][event]
  if ('problem' in outcome) throw problemOf(outcome.problem, state)
  return replacement!
}

function problemOf(problem: ProblemCode, state: ReplacementState): Problem {
  if (problem === 'connection_untested')
    return new Problem(problem, `${WHY_UNTESTED[state]} The current connection stays in use.`)
  if (problem === 'not_found') return new Problem(problem, NONE)
  return new Problem(problem, 'This sign-in has already ended, or it took too long. Start the test again.')
}
