import type { ReadingFunctions } from '../../src/scan/kernel/kernel.js'
import { loadKernel } from '../../src/scan/kernel/kernel.js'
import { KernelMemory } from '../../src/scan/kernel/memory.js'
import { plainReading } from '../../src/scan/reading/plain.js'

/** As much of a kernel as a reader needs. */
export interface ReadingKernel {
  readonly memory: KernelMemory
  readonly reading: ReadingFunctions
}

/** What the compiled kernel keeps free for its constants: with it, both kernels have the same addresses. */
const STATIC_BYTES = 32_768

export function plainReadingKernel(): ReadingKernel {
  const memory = new KernelMemory(STATIC_BYTES)
  return { memory, reading: plainReading(memory) }
}

/** The kernel as `npm run build:kernel` has made it. */
export const wasmReadingKernel: () => ReadingKernel = await loadKernel().then((makeKernel) => {
  if (makeKernel().name !== 'wasm') throw new Error('WebAssembly with SIMD is needed to test the kernel')
  return makeKernel
})

/** Both, with their names. */
export const READING_KERNELS = [
  ['plain', plainReadingKernel],
  ['wasm', wasmReadingKernel],
] as const
