import type { Entry } from './detection.js'

/** The entries that a condition has collected, oldest first. Invariant: timestamps never decrease. */
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

  /** Adds an entry and reads its text. Returns the limit that made older entries be dropped, if any. */
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

  /** Removes `count` entries from `index` on. The time is proportional to `index + count`. */
  remove(index: number, count: number): void {
    for (let i = index; i < index + count; i++) this.#characters -= this.at(i).text.length
    this.#entries.remove(index, count)
  }

  clear(): void {
    this.#entries.clear()
    this.#characters = 0
  }

  /** Drops entries older than `time`. Returns whether there were any. */
  dropBefore(time: bigint): boolean {
    const before = this.length
    while (this.length > 0 && this.timeAt(0) < time) this.shift()
    return this.length < before
  }

  /** The number of entries older than `time` among the oldest `among`. */
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

/** How much a rule keeps for one condition. Beyond either limit the oldest entry is dropped. */
export interface Limits {
  /** Entries, or timestamps of a negate condition. */
  readonly entries: number
  /** Characters of all its entries in total. */
  readonly characters: number
}

/** The limit that was exceeded. */
export type Overflow = keyof Limits

/** 100,000 entries is the limit of the rule language; 64 Mi characters bound the memory for entries of a megabyte each. */
export const DEFAULT_LIMITS: Limits = { entries: 100_000, characters: 64 * 1024 * 1024 }

/** The times at which a negate condition was met, each once. Invariant: strictly increasing. */
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

  /** Adds a time that is not below the last one. Returns the limit that made the oldest be dropped, if any. */
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

  /** Whether one of the times is in [from, to], both included. */
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

const FIRST_CAPACITY = 8

/**
 * A queue with random access: a circular array that doubles when it is full. Invariant: the elements are
 * `#slots[(#head + i) & mask]` for i below `#length`, and every other slot is undefined, so that dropped elements are freed.
 */
export class Ring<T> {
  #slots: (T | undefined)[] = new Array(FIRST_CAPACITY)
  #head = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  /** The element at `index`; 0 is the oldest. It must exist. */
  at(index: number): T {
    return this.#slots[(this.#head + index) & (this.#slots.length - 1)] as T
  }

  push(element: T): void {
    if (this.#length === this.#slots.length) this.#grow()
    this.#slots[(this.#head + this.#length) & (this.#slots.length - 1)] = element
    this.#length++
  }

  /** Removes the oldest element. There must be one. */
  shift(): T {
    const oldest = this.#slots[this.#head] as T
    this.#slots[this.#head] = undefined
    this.#head = (this.#head + 1) & (this.#slots.length - 1)
    this.#length--
    return oldest
  }

  /** Removes `count` elements from `index` on, by moving the older ones up. They must exist. */
  remove(index: number, count: number): void {
    const mask = this.#slots.length - 1
    for (let i = index - 1; i >= 0; i--) {
      this.#slots[(this.#head + i + count) & mask] = this.#slots[(this.#head + i) & mask]
    }
    for (let i = 0; i < count; i++) this.shift()
  }

  clear(): void {
    if (this.#length === 0) return
    this.#slots = new Array(FIRST_CAPACITY)
    this.#head = 0
    this.#length = 0
  }

  #grow(): void {
    const grown: (T | undefined)[] = new Array(this.#slots.length * 2)
    for (let i = 0; i < this.#length; i++) grown[i] = this.at(i)
    this.#slots = grown
    this.#head = 0
  }
}
