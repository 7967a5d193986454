import { firstAbove } from './clock.js'

/** The number of blocks of entries that are kept at least, if there are so many within the window. */
const BLOCKS = 4

/**
 * When the last entries of the log are delivered, whether they meet a condition or not: the clock of the rules moves at each of
 * them. The entries are numbered in the order of the log.
 */
export class WaitingTimes {
  /** The times of the entries from number `#from` on are at [#start, #end). */
  #times = new BigInt64Array(1 << 10)
  #start = 0
  #end = 0
  #from: number
  /** Times from this number on are in order. */
  #inOrderFrom = Number.NEGATIVE_INFINITY
  /** A sorted copy, if they are not in order. */
  #sorted: BigInt64Array | undefined

  readonly #block: number

  /** `next` is the number of the next entry. So that memory is bounded, `block` entries are forgotten if there are too many. */
  constructor(next: number, block: number) {
    this.#from = next
    this.#block = block
  }

  /** The number of the next entry. */
  get next(): number {
    return this.#from + this.#end - this.#start
  }

  /** How many entries may be added before `forget` must be called. */
  get room(): number {
    const passed = this.next % this.#block
    return passed < 0 ? -passed : this.#block - passed
  }

  /** Adds the times of the next entries. The times of the `skipped` first ones, and of all entries before, are not needed. */
  add(times: BigInt64Array, isInOrder: boolean, skipped: number): void {
    if (skipped > 0) {
      this.#from = this.next + skipped
      this.#start = this.#end = 0
    }
    const added = skipped > 0 ? times.subarray(skipped) : times
    this.#reserve(added.length)
    this.#times.set(added, this.#end)
    this.#end += added.length
    this.#sorted = undefined
    if (!isInOrder) this.#inOrderFrom = this.next
  }

  /** Drops what is not needed any more: times below this one at the start, and the oldest if there are too many. */
  forget(below: bigint): void {
    let start = this.#start
    if (this.#isInOrder) start += firstAbove(this.#view(), below - 1n)
    else while (start < this.#end && this.#times[start] < below) start++
    // Only at the end of a block: the result does not depend on how the entries are divided into batches.
    if (this.room === this.#block) start = Math.max(start, this.#end - BLOCKS * this.#block)
    if (start === this.#start) return
    this.#from += start - this.#start
    this.#start = start
    this.#sorted = undefined
  }

  /** The earliest time after `after` that is before `before`, or is `before` and has an entry before number `number`. */
  firstBetween(after: bigint, before: bigint, number: number): bigint | undefined {
    const values = this.#values()
    const index = firstAbove(values, after)
    if (index === values.length) return undefined
    const time = values[index]
    return time < before || (time === before && this.numberOf(time) < number) ? time : undefined
  }

  /** The number of the first entry with this time, which must exist. */
  numberOf(time: bigint): number {
    const index = this.#isInOrder ? firstAbove(this.#view(), time - 1n) : this.#view().indexOf(time)
    return this.#from + index
  }

  /** All times, each once and ascending. */
  distinct(): bigint[] {
    return [...new Set(this.#values())]
  }

  get #isInOrder(): boolean {
    return this.#inOrderFrom <= this.#from
  }

  #view(): BigInt64Array {
    return this.#times.subarray(this.#start, this.#end)
  }

  #values(): BigInt64Array {
    if (this.#isInOrder) return this.#view()
    this.#sorted ??= this.#view().slice().sort()
    return this.#sorted
  }

  #reserve(size: number): void {
    if (this.#end + size <= this.#times.length) return
    const kept = this.#end - this.#start
    const target = 2 * (kept + size) <= this.#times.length ? this.#times : new BigInt64Array(2 * (kept + size))
    target.set(this.#view())
    this.#times = target
    this.#start = 0
    this.#end = kept
  }
}
