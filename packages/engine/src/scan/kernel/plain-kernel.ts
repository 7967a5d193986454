import { plainClock } from '../clock.js'
import { plainEnvelopes } from '../envelopes/plain.js'
import { plainFilter } from '../filter/plain.js'
import { plainReading } from '../reading/plain.js'
import type { KernelFactory } from './kernel.js'
import { KernelMemory } from './memory.js'

/** The TypeScript twin of the kernel: the oracle in tests, and the fallback without SIMD. */
export const plainKernel: KernelFactory = () => {
  const memory = new KernelMemory()
  return {
    name: 'plain',
    memory,
    reading: plainReading(memory),
    filter: plainFilter(memory),
    envelopes: plainEnvelopes(memory),
    clock: plainClock(memory),
  }
}
