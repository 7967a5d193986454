import { setImmediate as nextTurn } from 'node:timers/promises'
import { monotonic } from '../console/clock.js'

/** How long a scan may block the event loop: Ctrl-C and messages of other threads are noticed this soon. */
const MAX_BLOCKED_MS = 50

/** Reading a plain file never awaits, so the scan has to yield to the event loop. */
export interface Pace {
  /** The scan is to stop. */
  readonly stopped: boolean
  /** A promise to await when it is time to yield to the event loop. */
  turn(): Promise<unknown> | undefined
  /** Waits for a promise that may never settle, such as data from a pipe; undefined if the scan stops first. */
  unlessStopped<T>(work: Promise<T>): Promise<T | undefined>
}

/** Creates the pace of a scan that an abort signal stops. */
export function createPace(signal: AbortSignal): Pace {
  let last = monotonic()
  const waits = new Set<() => void>()
  const stopAll = () => {
    for (const stop of waits) stop()
  }
  signal.addEventListener('abort', stopAll, { once: true })
  return {
    get stopped() {
      return signal.aborted
    },
    turn() {
      if (monotonic() - last < MAX_BLOCKED_MS) return undefined
      return nextTurn().then(() => {
        last = monotonic()
      })
    },
    // Not a race with one promise for the whole scan: that would keep all results in memory until the end.
    unlessStopped: <T>(work: Promise<T>) =>
      new Promise<T | undefined>((resolve, reject) => {
        const stop = () => resolve(undefined)
        waits.add(stop)
        work.then(resolve, reject).finally(() => waits.delete(stop))
        // A promise that has settled already counts.
        if (signal.aborted) queueMicrotask(stop)
      }),
  }
}
