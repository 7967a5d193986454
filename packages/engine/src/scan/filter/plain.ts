import type { KernelMemory } from '../kernel/memory.js'
import type { FilterFunctions } from './abi.js'
import { fillTables } from './plain-fill.js'
import { find } from './plain-find.js'
import { scan } from './plain-scan.js'

/**
 * The kernel's filter functions in plain TypeScript, with equal results: their judge in tests, and what runs without
 * SIMD.
 *
 * @example
 * const memory = new KernelMemory()
 * const filter = createFilter({ memory, filter: plainFilter(memory) }, needles)
 */
export function plainFilter(memory: KernelMemory): FilterFunctions {
  return {
    filterFill: (plan, from, to) => fillTables(memory, plan, from, to),
    filterScan: (plan) => scan(memory, plan),
    filterFind: (needle, from, to) => find(memory, needle, from, to),
  }
}
