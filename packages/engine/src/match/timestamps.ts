import type { Overflow } from './limits.js'
import { Ring } from './ring.js'

/** The times at which a negate condition was met, each once. Invariant: strictly rising. */
export class Timestamps {
  readonly #times = new Ring<bigint>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get length(): number {
    return this.#times.length
  }

  at(index: number): bigint {
    return this.#times.at(index)
  }

  /** Keeps a time that is not below the last one. Returns why an older one had to go for it, if it had. */
  push(time: bigint): Overflow | undefined {
    if (this.length > 0 && this.at(this.length - 1) === time) return undefined
    this.#times.push(time)
    if (this.length <= this.#most) return undefined
    this.#times.shift()
    return 'entries'
  }

  dropBefore(time: bigint): void {
    while (this.length > 0 && this.at(0) < time) this.#times.shift()
  }

  /** Whether one of the times lies between the two, both included. */
  anyWithin(from: bigint, to: bigint): boolean {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.at(middle) < from) low = middle + 1
      else high = middle
    }
    return low < this.length && this.at(low) <= to
  }
}
