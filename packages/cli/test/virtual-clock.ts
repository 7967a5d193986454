import type { AccountClock } from '../src/account/account-clock.js'

/** A clock on which waiting takes no time. */
export interface VirtualClock extends AccountClock {
  /** What was waited for, in milliseconds. */
  readonly pauses: number[]
  /** Sets what other runs read, as somebody does who sets the clock of the machine. */
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
