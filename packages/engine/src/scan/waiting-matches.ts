import { Ring } from '../match/queues.js'
import { BatchEntry } from './batch-entry.js'

/** A match that waits for its turn. */
export class WaitingMatch extends BatchEntry {
  /** The number of entries before it in the log. Entries with the same time keep the order of the log. */
  readonly order: number
  /** The conditions that it meets, ascending. */
  readonly conditions: readonly number[]

  constructor(
    timestamp: bigint,
    line: number,
    bytes: Uint8Array,
    start: number,
    end: number,
    order: number,
    conditions: readonly number[],
  ) {
    super(timestamp, line, bytes, start, end)
    this.order = order
    this.conditions = conditions
  }
}

/** Matches share a text while it has at most this many times their bytes. */
const SHARED = 4

/** Above this many bytes the texts of all waiting matches are copied. */
const MOST_KEPT = 32 * 1024 * 1024

/**
 * Matches in the order of their times. Most arrive in that order and are appended to a queue; the others, which are earlier
 * than its last one, are in a heap. So a match that arrives in order costs nearly nothing, and no order of arrival is slow.
 */
export class WaitingMatches {
  /** The bytes of all texts. */
  bytes = 0
  /** The bytes that the matches keep in memory, at most. */
  #kept = 0
  readonly #inOrder = new Ring<WaitingMatch>()
  /** A binary heap. Invariant: no match is before its parent, which is at index (i - 1) >> 1. */
  readonly #heap: WaitingMatch[] = []

  get size(): number {
    return this.#inOrder.length + this.#heap.length
  }

  /** The earliest match. There must be one. */
  get first(): WaitingMatch {
    return this.#firstIsInHeap() ? this.#heap[0] : this.#inOrder.at(0)
  }

  add(match: WaitingMatch): void {
    this.bytes += match.size
    const { length } = this.#inOrder
    if (length > 0 && match.timestamp < this.#inOrder.at(length - 1).timestamp) this.#push(match)
    else this.#inOrder.push(match)
  }

  /** Removes the earliest match. There must be one. */
  take(): WaitingMatch {
    const taken = this.#firstIsInHeap() ? this.#pop() : this.#inOrder.shift()
    this.bytes -= taken.size
    return taken
  }

  /** All matches, the earliest first. */
  sorted(): WaitingMatch[] {
    return this.#since(Number.NEGATIVE_INFINITY).sort((a, b) => (isBefore(a, b) ? -1 : 1))
  }

  /**
   * The matches from number `order` on share `text`. If few of them still wait, their texts are copied, so that they do not
   * keep all of it in memory.
   */
  settleTexts(order: number, text: Uint8Array): void {
    if (this.size === 0) {
      this.#kept = 0
      return
    }
    const added = this.#since(order)
    if (added.length === 0) return
    let bytes = 0
    for (const match of added) bytes += match.size
    const isShared = bytes * SHARED >= text.length
    if (!isShared) copyTexts(added, bytes)
    this.#kept += isShared ? text.length : bytes
    if (this.#kept <= MOST_KEPT || this.#kept <= SHARED * this.bytes) return
    copyTexts(this.#since(Number.NEGATIVE_INFINITY), this.bytes)
    this.#kept = this.bytes
  }

  /** The matches with at least this `order`, which arrived last; in any order. */
  #since(order: number): WaitingMatch[] {
    const found = this.#heap.filter((match) => match.order >= order)
    for (let i = this.#inOrder.length - 1; i >= 0 && this.#inOrder.at(i).order >= order; i--) {
      found.push(this.#inOrder.at(i))
    }
    return found
  }

  /** Between equal times the queue is first: a match in the heap came after a later one, and so after all of its time in the queue. */
  #firstIsInHeap(): boolean {
    if (this.#heap.length === 0) return false
    return this.#inOrder.length === 0 || this.#heap[0].timestamp < this.#inOrder.at(0).timestamp
  }

  #push(match: WaitingMatch): void {
    const heap = this.#heap
    let index = heap.push(match) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!isBefore(heap[index], heap[parent])) return
      ;[heap[index], heap[parent]] = [heap[parent], heap[index]]
      index = parent
    }
  }

  #pop(): WaitingMatch {
    const heap = this.#heap
    const taken = heap[0]
    const last = heap.pop()!
    if (heap.length === 0) return taken
    heap[0] = last
    for (let index = 0; ; ) {
      let first = index
      for (const child of [2 * index + 1, 2 * index + 2]) {
        if (child < heap.length && isBefore(heap[child], heap[first])) first = child
      }
      if (first === index) return taken
      ;[heap[index], heap[first]] = [heap[first], heap[index]]
      index = first
    }
  }
}

/** Copies the texts of these matches, which have so many bytes in total. */
function copyTexts(matches: readonly WaitingMatch[], bytes: number): void {
  const copy = new Uint8Array(bytes)
  let at = 0
  for (const match of matches) {
    match.moveTo(copy, at)
    at += match.size
  }
}

function isBefore(a: WaitingMatch, b: WaitingMatch): boolean {
  return a.timestamp < b.timestamp || (a.timestamp === b.timestamp && a.order < b.order)
}
