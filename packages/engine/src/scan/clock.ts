import type { ClockFunctions, Kernel } from './kernel/kernel.js'
import type { KernelMemory } from './kernel/memory.js'

/** The twin of kernel/clock.ts. */
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

/** Earlier than any timestamp. */
export const BEFORE_TIME = -(1n << 63n)

/** The clock of a source, batch by batch. */
export interface Clock {
  /** What the clock shows now. */
  now: bigint
  /**
   * Takes a batch of timestamps; `at` and `firstAbove` then speak of its entries. Returns them anew, because the memory
   * that they are a view into may have grown.
   */
  advance(timestamps: BigInt64Array): BigInt64Array
  /** What the clock showed when this entry of the batch had arrived. */
  at(entry: number): bigint
  /** The first entry from `from` on at which the clock was above `time`, or `to` where there is none before it. */
  firstAbove(time: bigint, from: number, to: number): number
}

/** Makes a clock that computes in kernel memory, so that a batch costs one call and no number per entry. */
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
      // Timestamps that came from another thread are copied into kernel memory first.
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
