import { KERNEL_STATIC_BYTES, loadKernel } from '../../src/scan/kernel/kernel.js'
import { KernelMemory } from '../../src/scan/kernel/memory.js'
import { plainReading } from '../../src/scan/reading/plain.js'
import type { ReadingKernel } from '../../src/scan/reading/source.js'

/** The twin, with a memory that starts at the same address as that of the WebAssembly kernel. */
export function plainReadingKernel(): ReadingKernel {
  const memory = new KernelMemory(KERNEL_STATIC_BYTES)
  return { memory, reading: plainReading(memory) }
}

/** The kernel that `npm run build:kernel` has built. */
export const wasmReadingKernel: () => ReadingKernel = await loadKernel().then((makeKernel) => {
  if (makeKernel().name !== 'wasm') throw new Error('testing the kernel requires WebAssembly with SIMD')
  return makeKernel
})

/** Both, with their names. */
export const READING_KERNELS = [
  ['plain', plainReadingKernel],
  ['wasm', wasmReadingKernel],
] as const
