import type { Clock } from '../../src/follow/follow-options.js'

/** A clock that stands still until it is moved: for tests. */
export interface ManualClock extends Clock {
  /** Moves the time, which ends the waits that are over then. */
  advance(milliseconds: number): void
  /** Resolves when somebody waits: everything that was to be done at this time is done. */
  waiting(): Promise<void>
}

interface Wait {
  readonly until: number
  readonly end: () => void
}

/**
 * Makes a clock that a test moves by hand, from this many milliseconds since 1970.
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
