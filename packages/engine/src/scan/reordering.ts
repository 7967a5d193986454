import type { Matcher } from '../match/matcher.js'
import { BatchEntry } from './batch-entry.js'
import { BEFORE_TIME, type Clock } from './clock.js'
import { conditionsOf, type Delivery, type DeliverySnapshot, type HeldEntry } from './delivery.js'
import type { MatchBatch } from './match-batch.js'

/** A waiting entry. If it meets no condition it has only a timestamp, for the clock. */
interface Waiting {
  readonly timestamp: bigint
  /** Entries with the same time keep the order of the log. */
  readonly order: number
  readonly entry: BatchEntry | undefined
  readonly conditions: readonly number[]
}

/** With more waiting entries the earliest is delivered before the end of its window, so that memory is bounded. */
export const MOST_WAITING = 250_000

/**
 * Delivers entries in the order of their timestamps if none is more than `window` before the latest one: an entry is passed
 * on when an entry more than `window` later has arrived. An entry that arrives after that is passed on at once.
 */
export function createReordering(
  sourceClock: Clock,
  matcher: Matcher,
  window: bigint,
  warn: (message: string) => void,
  snapshot?: DeliverySnapshot,
): Delivery {
  const waiting = createQueue()
  let latest = BEFORE_TIME
  let clock = BEFORE_TIME
  let order = 0
  sourceClock.start(snapshot ? BigInt(snapshot.clock) : BEFORE_TIME)

  function hold(timestamp: bigint, entry: BatchEntry | undefined, conditions: readonly number[]): void {
    waiting.add({ timestamp, order: order++, entry, conditions })
    if (timestamp > latest) latest = timestamp
  }

  function pass(next: Waiting): void {
    if (next.timestamp > clock) clock = next.timestamp
    if (next.entry) matcher.arrive(next.entry, clock, next.conditions, next.conditions.length)
    else if (matcher.deadline !== undefined && clock > matcher.deadline) matcher.advance(clock)
  }

  function release(): void {
    while (waiting.size > 0 && waiting.first().timestamp < latest - window) pass(waiting.take())
    if (waiting.size > MOST_WAITING) {
      warn(
        `more than ${MOST_WAITING.toLocaleString('en')} entries are within the reordering window: some stay out of order`,
      )
      pass(waiting.take())
    }
  }

  if (snapshot) {
    clock = BigInt(snapshot.clock)
    for (const [timestamp, line, text, conditions] of snapshot.held ?? []) {
      const time = BigInt(timestamp)
      const bytes = text === undefined ? undefined : new TextEncoder().encode(text)
      hold(time, bytes && new BatchEntry(time, line!, bytes, 0, bytes.length), conditions ?? [])
    }
  }

  return {
    deliver(batch: MatchBatch) {
      const met = conditionsOf(batch)
      let match = 0
      batch.timestamps.forEach((timestamp, index) => {
        if (match < batch.matches && batch.entry[match] === index) {
          const count = met.take(match)
          const { line, text, textStart, textEnd } = batch
          const entry = new BatchEntry(timestamp, line[match], text, textStart[match], textEnd[match])
          // Decoded now, so that a waiting entry does not keep the whole batch in memory.
          void entry.text
          hold(timestamp, entry, met.list.slice(0, count))
          match++
        } else {
          hold(timestamp, undefined, [])
        }
        release()
      })
    },
    end() {
      while (waiting.size > 0) pass(waiting.take())
      matcher.end()
    },
    snapshot: () => ({ clock: String(clock), held: waiting.sorted().map(describe) }),
  }
}

function describe({ timestamp, entry, conditions }: Waiting): HeldEntry {
  return entry ? [String(timestamp), entry.line, entry.text, conditions] : [String(timestamp)]
}

function isBefore(a: Waiting, b: Waiting): boolean {
  return a.timestamp < b.timestamp || (a.timestamp === b.timestamp && a.order < b.order)
}

/** A binary heap. Invariant: no element is before its parent, which is at index (i - 1) >> 1. */
function createQueue() {
  const heap: Waiting[] = []

  function rise(from: number): void {
    let index = from
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!isBefore(heap[index], heap[parent])) return
      ;[heap[index], heap[parent]] = [heap[parent], heap[index]]
      index = parent
    }
  }

  function sink(): void {
    let index = 0
    for (;;) {
      let first = index
      for (const child of [2 * index + 1, 2 * index + 2]) {
        if (child < heap.length && isBefore(heap[child], heap[first])) first = child
      }
      if (first === index) return
      ;[heap[index], heap[first]] = [heap[first], heap[index]]
      index = first
    }
  }

  return {
    get size() {
      return heap.length
    },
    first: () => heap[0],
    add(element: Waiting) {
      heap.push(element)
      rise(heap.length - 1)
    },
    take(): Waiting {
      const taken = heap[0]
      const last = heap.pop()!
      if (heap.length > 0) {
        heap[0] = last
        sink()
      }
      return taken
    },
    sorted: () => [...heap].sort((a, b) => (isBefore(a, b) ? -1 : 1)),
  }
}
