import type { Provider } from '../discovery/provider.js'
import { Problem, type ProblemCode } from '../problem.js'
import type { Replacement } from '../store/replacements.js'
import { REPLACEMENT_TABLE, type ReplacementEvent, type ReplacementState, replacementStateAt } from './states.js'

const NONE = 'There is no next connection: begin with POST /v1/org/connection.'

/** Why there is nothing to switch to, by what there is. */
const UNTESTED: Readonly<Record<ReplacementState, string>> = {
  none: NONE,
  untested: 'Nobody has signed in through the next connection yet. Test it first: POST /v1/org/connection/test.',
  testing: 'The test of the next connection is not over. Sign in, then switch.',
  failed: 'The test of the next connection has failed. Correct what it says, then test it again.',
  passed: 'The test of the next connection has passed.',
}

/**
 * Gives the replacement for which an event is admitted. Throws the problem that the table names.
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
  if ('problem' in outcome) throw refusal(outcome.problem, state)
  return replacement!
}

function refusal(problem: ProblemCode, state: ReplacementState): Problem {
  if (problem === 'connection_untested') return new Problem(problem, `${UNTESTED[state]} The one in use stays.`)
  if (problem === 'not_found') return new Problem(problem, NONE)
  return new Problem(problem, 'No sign-in waits here: it is over already, or it took too long. Start the test again.')
}
