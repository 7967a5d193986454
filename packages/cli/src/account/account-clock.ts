import { monotonic } from '../console/clock.js'

/** Time, as far as signing in needs it. */
export interface AccountClock {
  /** Milliseconds since 1970, for what other runs read. */
  now(): number
  /** Milliseconds that no change of the clock touches, for waiting. */
  monotonic(): number
  /** Rejects with the reason of the signal as soon as that is aborted. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** The real one. */
export const CLOCK: AccountClock = {
  now: Date.now,
  monotonic,
  pause: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }, milliseconds)
      if (signal?.aborted) leave()
      else signal?.addEventListener('abort', leave, { once: true })
    }),
}
