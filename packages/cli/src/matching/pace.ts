import { setImmediate as otherWork } from 'node:timers/promises'
import { monotonic } from '../console/clock.js'

/** How long a scan may keep the process to itself: Ctrl-C and what other threads send are noticed this soon. */
const LONGEST_STRETCH_MS = 50

/** Reading a plain file waits for nothing, so the scan itself has to let others have a turn. */
export interface Pace {
  /** The scan is to stop. */
  readonly stopped: boolean
  /** Something to wait for when it is time to give others a turn. */
  turn(): Promise<unknown> | undefined
  /** Waits for something that may never come, such as data from a pipe; undefined when the scan stops first. */
  unlessStopped<T>(work: Promise<T>): Promise<T | undefined>
}

/** Makes the pace of a scan that an abort signal stops. */
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
      if (monotonic() - last < LONGEST_STRETCH_MS) return undefined
      return otherWork().then(() => {
        last = monotonic()
      })
    },
    // Not a race with one promise for the whole scan: that would hold on to whatever was ever waited for until the end.
    unlessStopped: <T>(work: Promise<T>) =>
      new Promise<T | undefined>((resolve, reject) => {
        const stop = () => resolve(undefined)
        waits.add(stop)
        work.then(resolve, reject).finally(() => waits.delete(stop))
        // What has come already counts.
        if (signal.aborted) queueMicrotask(stop)
      }),
  }
}
