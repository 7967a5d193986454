// The kernel: the loops that touch every byte. Compiled to WebAssembly by scripts/build-kernel.mjs; src/scan has a plain
// TypeScript twin of every function here, with equal results, as the judge in tests and the fallback without SIMD.

/** The first address that the kernel's own data does not use: the host lays out its buffers from here on. */
export function heapBase(): usize {
  return __heap_base
}

export * from './filter'
export { readLines } from './reading'

/**
 * Writes to `clocks` what the clock shows at each of `count` timestamps, given what it showed before, and returns what it
 * shows after the last.
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
