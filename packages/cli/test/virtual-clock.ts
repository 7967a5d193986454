import type { AccountClock } from '../src/account/account-clock.js'

/** A clock whose pauses take no time. */
export interface VirtualClock extends AccountClock {
  /** The length of each pause, in milliseconds. */
  readonly pauses: number[]
  /** Changes the time of day, as when the clock of the machine is set. */
  jump(milliseconds: number): void
}

export function createVirtualClock(start = Date.parse('2026-11-15T12:00:00Z')): VirtualClock {
  let passed = 0
  let jumped = 0
  const pauses: number[] = []
  return {
    pauses,
    now: () => start + passed + jumped,
    monotonic: () => passed,
    jump(milliseconds) {
      jumped += milliseconds
    },
    async pause(milliseconds, signal) {
      signal?.throwIfAborted()
      pauses.push(milliseconds)
      passed += milliseconds
    },
  }
}
