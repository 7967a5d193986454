// The kernel: the loops that touch every byte. Compiled to WebAssembly by scripts/build-kernel.mjs; src/scan has a plain
// TypeScript twin of every function here, with equal results, as the judge in tests and the fallback without SIMD.

/** The first address that the kernel's own data does not use: the host lays out its buffers from here on. */
export function heapBase(): usize {
  return __heap_base
}

export { raiseClock } from './clock'
export * from './filter'
export { readLines } from './reading'
