import type { FollowOptions, FollowOutcome } from './follow-options.js'
import { prepareFollowing } from './following.js'

export { type Clock, systemClock } from './clock.js'
export type { FollowedAmount, FollowOptions, FollowOutcome } from './follow-options.js'
export { openStateFile, type StateFile } from './state-file.js'
export type { Found, Place } from './trail.js'

/**
 * Follows files as `tail -F` does, and standard input as it comes, and tells what the rules find in them, until the signal
 * aborts or nothing more can come. With `once`, reads what has come since the state was saved.
 *
 * @example
 * await followSources({ sources, rules, detector: {}, found: (source, detections) => show(detections), onProblem: warn,
 *   onWarning: warn, once: false, signal, clock: systemClock })
 */
export async function followSources(options: FollowOptions): Promise<FollowOutcome> {
  const failed = new AbortController()
  const signal = AbortSignal.any([options.signal, failed.signal])
  const following = prepareFollowing({ ...options, signal }, (error) => failed.abort(error))
  try {
    await following.run()
    failed.signal.throwIfAborted()
    await following.finish()
    return following.outcome()
  } finally {
    following.close()
  }
}
