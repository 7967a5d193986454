import type { Clock } from '../../src/follow/follow-options.js'

/** A clock that advances only when a test advances it. */
export interface ManualClock extends Clock {
  /** Advances the time, and ends the waits that are due. */
  advance(milliseconds: number): void
  /** Resolves when there is a pending wait: all work of the current time is done. */
  waiting(): Promise<void>
}

interface Wait {
  readonly until: number
  readonly end: () => void
}

/**
 * Creates a clock that a test advances, starting at `start` milliseconds since 1970.
 *
 * @example
 * const clock = createManualClock(0)
 * await clock.waiting()
 * clock.advance(250)
 */
export function createManualClock(start: number): ManualClock {
  let elapsed = 0
  let waits: Wait[] = []
  let watchers: (() => void)[] = []

  return {
    now: () => start + elapsed,
    elapsed: () => elapsed,
    wait: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const end = () => {
          signal?.removeEventListener('abort', end)
          waits = waits.filter((wait) => wait.end !== end)
          resolve()
        }
        waits.push({ until: elapsed + milliseconds, end })
        signal?.addEventListener('abort', end)
        for (const watch of watchers) watch()
        watchers = []
      }),
    advance(milliseconds) {
      elapsed += milliseconds
      for (const { until, end } of waits) if (until <= elapsed) end()
    },
    waiting: () =>
      new Promise((resolve) => {
        if (waits.length > 0) resolve()
        else watchers.push(resolve)
      }),
  }
}
