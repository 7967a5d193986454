import { setImmediate } from 'node:timers/promises'
import type { Keeper } from './keeper.js'
import { isFresh } from './look.js'
import { isIdle, poll, QUIET } from './poll.js'
import { flush } from './read-on.js'
import type { FollowContext, Trail } from './trail.js'

/** With more files than this, those that have been quiet for a while are looked at every fourth time only. */
const MANY = 64
const QUIET_FILE = 10_000

/** Detectors of files that were quiet for this long give their memory back. */
const SLEEPY = 30_000

/** Looks at names, one round after the other. */
export interface Rounds {
  /** Reads what has come under all names. */
  readAll(trails: readonly Trail[]): Promise<RoundOutcome>
}

/** `more`: there is more to read at once. `idle`: nothing has changed anywhere. */
export type RoundOutcome = 'idle' | 'read' | 'more'

/** `between` is done after every turn: what a file gives in one takes a few milliseconds. */
export function createRounds(context: FollowContext, keeper: Keeper, between: () => Promise<void>): Rounds {
  const { clock, signal } = context
  let round = 0

  /** Names that are skipped in this round are looked at in one of the next three. */
  function isSkipped(trail: Trail, index: number): boolean {
    return clock.elapsed() - trail.readAt >= QUIET_FILE && (index + round) % 4 !== 0
  }

  return {
    async readAll(trails) {
      const areMany = trails.length > MANY
      let outcome: RoundOutcome = 'idle'
      round++
      for (const [index, trail] of trails.entries()) {
        if (signal.aborted) return outcome
        if ((areMany && isSkipped(trail, index)) || isIdle(trail, context)) continue
        const hasMore = await poll(trail, context)
        if (hasMore || outcome === 'idle') outcome = hasMore ? 'more' : 'read'
        // Signals are heard between two turns only.
        await setImmediate()
        await between()
      }
      keeper.rest(clock.elapsed() - SLEEPY)
      return outcome
    },
  }
}

/** Matches the last lines of files that have not changed for a while; others may be in the middle of an entry. */
export async function flushQuiet(trails: readonly Trail[], { clock }: FollowContext): Promise<void> {
  for (const trail of trails) {
    const { matching, look } = trail
    const mayGoOn = look?.kind === 'file' && isFresh(look, clock, QUIET)
    if (matching.isPending && !mayGoOn) await flush(trail)
  }
}
