import { CLOCK } from './kernel/clock-layout.js'
import type { ClockFunctions, Kernel } from './kernel/kernel.js'
import type { KernelMemory } from './kernel/memory.js'

/** A time before all timestamps. */
export const BEFORE_TIME = -(1n << 63n)

/** A time after all timestamps. */
export const AFTER_TIME = -BEFORE_TIME - 1n

/** The TypeScript twin of kernel/clock.ts. */
export function plainClock(memory: KernelMemory): ClockFunctions {
  return {
    takeTimes(state, timestamps, count, times) {
      const { u32, i64 } = memory
      const [since, until, window, floor] = [CLOCK.since, CLOCK.until, CLOCK.window, CLOCK.floor].map(
        (field) => i64[(state + field) >> 3],
      )
      const found = { now: i64[(state + CLOCK.now) >> 3], first: AFTER_TIME, last: BEFORE_TIME, lateBy: 0n }
      const counts = { inRange: 0, late: 0, stragglers: 0 }
      for (let i = 0; i < count; i++) {
        const timestamp = i64[(timestamps >> 3) + i]
        let time = found.now
        if (timestamp < found.first) found.first = timestamp
        if (timestamp > found.last) found.last = timestamp
        if (timestamp < since || timestamp > until) i64[(timestamps >> 3) + i] = BEFORE_TIME
        else {
          counts.inRange++
          const by = found.now - timestamp
          if (by <= 0n) found.now = time = timestamp
          else if (by <= window && timestamp >= floor) {
            counts.stragglers++
            time = timestamp
          } else {
            counts.late++
            if (by > found.lateBy) found.lateBy = by > AFTER_TIME ? AFTER_TIME : by
          }
        }
        i64[(times >> 3) + i] = time
      }
      for (const [name, value] of Object.entries(found)) i64[(state + CLOCK[name as keyof typeof found]) >> 3] = value
      for (const [name, value] of Object.entries(counts)) u32[(state + CLOCK[name as keyof typeof counts]) >> 2] = value
    },
  }
}

export interface ClockOptions {
  /** Entries before `since` and after `until` are ignored: they do not move the clock. */
  readonly since?: bigint | undefined
  readonly until?: bigint | undefined
  /** An entry that is more than this before the clock is late. */
  readonly window?: bigint | undefined
}

/** What a clock has counted since it was started. `entries`, `first` and `last` include ignored entries. */
export interface TimeCounts {
  readonly entries: number
  readonly inRange: number
  /** Entries that arrived too late to be put in order. */
  readonly late: number
  /** The most that one of them was before the clock, in nanoseconds. */
  readonly lateBy: bigint
  /** The smallest and the largest timestamp. */
  readonly first: bigint | undefined
  readonly last: bigint | undefined
}

/** The clock of a source: the highest timestamp so far, batch by batch. */
export interface Clock {
  /** The current time of the clock. */
  readonly now: bigint
  /** Starts at this time, with all counts 0. Entries before `floor` will be late. */
  start(now: bigint, floor?: bigint): void
  /**
   * Takes the timestamps of a batch, to which `times`, `ignored` and `stragglers` then refer. Returns a new view of the
   * timestamps, because the memory may have grown. Those of ignored entries are BEFORE_TIME.
   */
  advance(timestamps: BigInt64Array): BigInt64Array
  /** From now on entries before this time are late. */
  raiseFloor(floor: bigint): void
  /** Counts one more late entry, which is this much before the clock. */
  addLate(by: bigint): void
  /**
   * When each entry of the batch is delivered: at its timestamp, or, if it is late or ignored, at the time of the clock. Without
   * a window this is always the time of the clock, which never decreases.
   */
  readonly times: BigInt64Array
  /** How many entries of the batch are ignored, and how many are before the clock but not late. */
  readonly ignored: number
  readonly stragglers: number
  readonly counts: TimeCounts
}

const NOTHING: TimeCounts = { entries: 0, inRange: 0, late: 0, lateBy: 0n, first: undefined, last: undefined }

/** Creates a clock that works in kernel memory: one call per batch, and no bigint per entry. */
export function createClock(kernel: Kernel, { since, until, window = 0n }: ClockOptions = {}): Clock {
  const { memory } = kernel
  const state = memory.allocate(CLOCK.size)
  let capacity = 0
  let input = 0
  let output = 0
  let times: BigInt64Array = new BigInt64Array(0)
  let counts = NOTHING
  let ignored = 0

  const long = (field: number) => memory.i64[(state + field) >> 3]
  const count = (field: number) => memory.u32[(state + field) >> 2]
  const set = (field: number, value: bigint) => {
    memory.i64[(state + field) >> 3] = value
  }
  set(CLOCK.since, since ?? BEFORE_TIME)
  set(CLOCK.until, until ?? AFTER_TIME)
  set(CLOCK.window, window)

  function reserve(size: number): void {
    if (size <= capacity) return
    capacity = Math.max(1 << 14, 2 * size)
    input = memory.allocate(8 * capacity)
    output = memory.allocate(8 * capacity)
  }

  function add(entries: number): void {
    const inRange = count(CLOCK.inRange)
    ignored = entries - inRange
    counts = {
      entries: counts.entries + entries,
      inRange: counts.inRange + inRange,
      late: counts.late + count(CLOCK.late),
      lateBy: later(counts.lateBy, long(CLOCK.lateBy)),
      first: entries === 0 ? counts.first : earlier(counts.first, long(CLOCK.first)),
      last: entries === 0 ? counts.last : later(counts.last, long(CLOCK.last)),
    }
  }

  return {
    get now() {
      return long(CLOCK.now)
    },
    start(now, floor = BEFORE_TIME) {
      set(CLOCK.now, now)
      set(CLOCK.floor, floor)
      counts = NOTHING
    },
    addLate(by) {
      counts = { ...counts, late: counts.late + 1, lateBy: later(counts.lateBy, by) }
    },
    raiseFloor: (floor) => set(CLOCK.floor, later(long(CLOCK.floor), floor)),
    advance(timestamps) {
      const size = timestamps.length
      const inKernel = timestamps.buffer === memory.memory.buffer
      const { byteOffset } = timestamps
      reserve(size)
      // Timestamps from another thread are copied to kernel memory first.
      if (!inKernel) memory.i64.set(timestamps, input >> 3)
      const address = inKernel ? byteOffset : input
      kernel.clock.takeTimes(state, address, size, output)
      add(size)
      times = memory.i64.subarray(output >> 3, (output >> 3) + size)
      return memory.i64.subarray(address >> 3, (address >> 3) + size)
    },
    get times() {
      return times
    },
    get ignored() {
      return ignored
    },
    get stragglers() {
      return count(CLOCK.stragglers)
    },
    get counts() {
      return counts
    },
  }
}

/** The index of the first of these ascending times that is above `time`, from `from` on; `to` if there is none before it. */
export function firstAbove(times: BigInt64Array, time: bigint, from = 0, to = times.length): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (times[middle] > time) high = middle
    else low = middle + 1
  }
  return low
}

function earlier(a: bigint | undefined, b: bigint): bigint {
  return a !== undefined && a < b ? a : b
}

function later(a: bigint | undefined, b: bigint): bigint {
  return a !== undefined && a > b ? a : b
}
