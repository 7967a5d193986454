// The kernel: the loops that process every byte, compiled to WebAssembly by scripts/build-kernel.mjs. Every exported
// function has a TypeScript twin in src/scan with the same results: the oracle in tests, and the fallback without SIMD.

/** The first address after the kernel's static data. */
export function heapBase(): usize {
  return __heap_base
}

export { takeTimes } from './clock'
export { decodeStrings } from './envelopes'
export * from './filter'
export { readLines } from './reading'
