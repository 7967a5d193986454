import type { ProblemCode } from '../problem.js'

/**
 * The states of a connection that is to replace the one in use, and what each event does in them. The connection in use works
 * until the switch, whatever happens here; a switch needs a sign-in that has passed.
 */

export type ReplacementState = 'none' | 'untested' | 'testing' | 'passed' | 'failed'
export type ReplacementEvent = 'propose' | 'test' | 'pass' | 'fail' | 'switch' | 'drop'

/** Where an event leads, or the problem it is refused with. */
export type Outcome = { readonly next: ReplacementState } | { readonly problem: ProblemCode }

const PROPOSED: Outcome = { next: 'untested' }
const UNTESTED: Outcome = { problem: 'connection_untested' }
/** Nobody waits for a browser that comes back now. */
const NOTHING_WAITS: Outcome = { problem: 'bad_request' }

export const REPLACEMENT_TABLE: Readonly<Record<ReplacementState, Readonly<Record<ReplacementEvent, Outcome>>>> = {
  none: {
    propose: PROPOSED,
    test: { problem: 'not_found' },
    pass: NOTHING_WAITS,
    fail: NOTHING_WAITS,
    switch: UNTESTED,
    drop: { problem: 'not_found' },
  },
  untested: {
    propose: PROPOSED,
    test: { next: 'testing' },
    pass: NOTHING_WAITS,
    fail: NOTHING_WAITS,
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
    pass: NOTHING_WAITS,
    fail: NOTHING_WAITS,
    // It is the connection in use from then on.
    switch: { next: 'none' },
    drop: { next: 'none' },
  },
  failed: {
    propose: PROPOSED,
    test: { next: 'testing' },
    pass: NOTHING_WAITS,
    fail: NOTHING_WAITS,
    switch: UNTESTED,
    drop: { next: 'none' },
  },
}

/** As long as an onboarding transaction: over a weekend, and no secret is forgotten for longer. */
export const REPLACEMENT_HOURS = 48

export interface ReplacementTimes {
  readonly status: Exclude<ReplacementState, 'none'>
  readonly testExpiresAt: Date | undefined
  readonly expiresAt: Date
}

/** The state at a moment: what is over counts for nothing, and a test that nobody came back from has failed. */
export function replacementStateAt(replacement: ReplacementTimes | undefined, now: Date): ReplacementState {
  if (replacement === undefined || now >= replacement.expiresAt) return 'none'
  const { status, testExpiresAt } = replacement
  return status === 'testing' && testExpiresAt !== undefined && now >= testExpiresAt ? 'failed' : status
}
