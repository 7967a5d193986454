import { setImmediate as otherWork } from 'node:timers/promises'
import { monotonic } from '../console/monotonic.js'

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
  const stopped = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
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
    unlessStopped: (work) => Promise.race([work, stopped]),
  }
}
