import type { ClockFunctions, Kernel } from './kernel/kernel.js'
import type { KernelMemory } from './kernel/memory.js'

/** The TypeScript twin of `raiseClock` in kernel/index.ts. */
export function plainClock(memory: KernelMemory): ClockFunctions {
  return {
    raiseClock(timestamps, count, clocks, before) {
      const { i64 } = memory
      let clock = before
      for (let i = 0; i < count; i++) {
        const timestamp = i64[(timestamps >> 3) + i]
        if (timestamp > clock) clock = timestamp
        i64[(clocks >> 3) + i] = clock
      }
      return clock
    },
  }
}

/** A time before all timestamps. */
export const BEFORE_TIME = -(1n << 63n)

/** The clock of a source: the highest timestamp so far, batch by batch. */
export interface Clock {
  /** The current time of the clock. */
  now: bigint
  /**
   * Takes the timestamps of a batch; `at` and `firstAbove` then refer to its entries. Returns a new view of the timestamps,
   * because the memory may have grown.
   */
  advance(timestamps: BigInt64Array): BigInt64Array
  /** The time of the clock at this entry of the batch, including the entry. */
  at(entry: number): bigint
  /** The first entry in [from, to) at which the clock is above `time`, or `to` if there is none. */
  firstAbove(time: bigint, from: number, to: number): number
}

/** Creates a clock that works in kernel memory: one call per batch, and no bigint per entry. */
export function createClock(kernel: Kernel): Clock {
  const { memory } = kernel
  let capacity = 0
  let input = 0
  let output = 0
  let clocks: BigInt64Array = new BigInt64Array(0)

  function reserve(count: number): void {
    if (count <= capacity) return
    capacity = Math.max(1 << 14, 2 * count)
    input = memory.allocate(8 * capacity)
    output = memory.allocate(8 * capacity)
  }

  return {
    now: BEFORE_TIME,
    advance(timestamps) {
      const count = timestamps.length
      const inKernel = timestamps.buffer === memory.memory.buffer
      const { byteOffset } = timestamps
      reserve(count)
      // Timestamps from another thread are copied to kernel memory first.
      if (!inKernel) memory.i64.set(timestamps, input >> 3)
      const address = inKernel ? byteOffset : input
      this.now = kernel.clock.raiseClock(address, count, output, this.now)
      clocks = memory.i64.subarray(output >> 3, (output >> 3) + count)
      return memory.i64.subarray(address >> 3, (address >> 3) + count)
    },
    at: (entry) => clocks[entry],
    firstAbove(time, from, to) {
      let low = from
      let high = to
      while (low < high) {
        const middle = (low + high) >>> 1
        if (clocks[middle] > time) high = middle
        else low = middle + 1
      }
      return low
    },
  }
}
