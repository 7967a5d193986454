// The kernel: the loops that process every byte, compiled to WebAssembly by scripts/build-kernel.mjs. Every exported
// function has a TypeScript twin in src/scan with the same results: the oracle in tests, and the fallback without SIMD.

/** The first address after the kernel's static data. */
export function heapBase(): usize {
  return __heap_base
}

export * from './filter'
export { readLines } from './reading'

/**
 * Writes the highest timestamp so far to `clocks` for each of `count` timestamps, starting from `before`; returns the last
 * of them.
 */
export function raiseClock(timestamps: usize, count: u32, clocks: usize, before: i64): i64 {
  let clock = before
  for (let i: usize = 0, end: usize = (<usize>count) << 3; i < end; i += 8) {
    const timestamp = load<i64>(timestamps + i)
    clock = timestamp > clock ? timestamp : clock
    store<i64>(clocks + i, clock)
  }
  return clock
}
