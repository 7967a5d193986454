import { monotonic } from '../console/clock.js'

/** The clock and the timer of the sign-in. */
export interface AccountClock {
  /** Milliseconds since 1970, for times that are stored. */
  now(): number
  /** Milliseconds of a clock that is never set back, for waiting. */
  monotonic(): number
  /** Rejects with the signal's reason as soon as that is aborted. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const CLOCK: AccountClock = {
  now: Date.now,
  monotonic,
  pause: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }, milliseconds)
      if (signal?.aborted) abort()
      else signal?.addEventListener('abort', abort, { once: true })
    }),
}
