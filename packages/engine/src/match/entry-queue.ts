import type { Entry } from './entry.js'
import type { Limits, Overflow } from './limits.js'
import { Ring } from './ring.js'

/** The entries that a condition has collected, oldest first. Invariant: timestamps never fall from one to the next. */
export class EntryQueue {
  readonly #entries = new Ring<Entry>()
  readonly #limits: Limits
  #characters = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  get length(): number {
    return this.#entries.length
  }

  at(index: number): Entry {
    return this.#entries.at(index)
  }

  timeAt(index: number): bigint {
    return this.#entries.at(index).timestamp
  }

  /** Keeps an entry, reading its text while that can still be read. Returns why older ones had to go for it, if they had. */
  push(entry: Entry): Overflow | undefined {
    this.#characters += entry.text.length
    this.#entries.push(entry)
    let overflow: Overflow | undefined
    if (this.length > this.#limits.entries) {
      this.shift()
      overflow = 'entries'
    }
    while (this.#characters > this.#limits.characters && this.length > 1) {
      this.shift()
      overflow = 'characters'
    }
    return overflow
  }

  shift(): Entry {
    const entry = this.#entries.shift()
    this.#characters -= entry.text.length
    return entry
  }

  /** Takes `count` entries from number `index` on away: the work is as much as there are older ones, and these. */
  remove(index: number, count: number): void {
    for (let i = index; i < index + count; i++) this.#characters -= this.at(i).text.length
    this.#entries.remove(index, count)
  }

  clear(): void {
    this.#entries.clear()
    this.#characters = 0
  }

  /** Drops what is older than `time`. Returns whether anything was. */
  dropBefore(time: bigint): boolean {
    const before = this.length
    while (this.length > 0 && this.timeAt(0) < time) this.shift()
    return this.length < before
  }

  /** How many of the oldest `among` entries are older than `time`. */
  countBefore(time: bigint, among: number): number {
    let low = 0
    let high = among
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.timeAt(middle) < time) low = middle + 1
      else high = middle
    }
    return low
  }
}
