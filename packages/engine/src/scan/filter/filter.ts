import { GROUP, NEEDLE, PLAN, SAMPLE_SIZE } from '../kernel/filter-layout.js'
import type { FilterFunctions } from '../kernel/kernel.js'
import type { KernelMemory } from '../kernel/memory.js'
import { type FilterNeedle, makePlan } from './plan.js'
import { createTuning } from './tuning.js'

export type { FilterNeedle } from './plan.js'

/** Finds which needles occur in which entries. */
export interface Filter {
  /**
   * Reports every pair of an entry and a trigger that lies completely in its text, each once, ascending by entry. The text
   * is [from, to) in kernel memory; the ranges of its entries are `count` u32 addresses each at `starts` and `ends`,
   * ascending and not overlapping. `found` gets pairs of u32 (entry, needle) that are valid until it returns.
   */
  run(
    from: number,
    to: number,
    count: number,
    starts: number,
    ends: number,
    found: (address: number, pairs: number) => void,
  ): void
  /** Address of the first occurrence of a needle, trigger or not, within [from, to), or -1. */
  find(needle: number, from: number, to: number): number
  /** Totals of all runs so far, for benchmarks and to measure the cost of a set of needles. */
  readonly statistics: Readonly<FilterStatistics>
}

export interface FilterStatistics {
  /** Bytes of text. */
  bytes: number
  /** Groups of 16 bytes that passed the first loop, and those that also passed the second and were checked. */
  candidates: number
  checked: number
  /** Pairs found. */
  pairs: number
  /** How often the tables were filled. */
  fills: number
}

/** Bytes that the kernel may read on either side of a text. */
const MARGIN = 64
/** A sample of ENOUGH bytes is not replaced; a smaller one is if the text is BETTER times as large. */
const ENOUGH = 65_536
const BETTER = 8
/** The cost of checking a group without a result, relative to that of a false candidate. */
const CHECK_COST = 4

/**
 * Creates a filter for these needles. The keys of the needles are those that are rare in the sample, or without one in the
 * text of the first run; if the text changes too much, they are chosen again. The results do not depend on this choice.
 *
 * @example
 * const needles = ['connection refused', 'oom'].map((text) => ({ bytes: encode(text), fold: true }))
 * const filter = createFilter(kernel, needles)
 * filter.run(from, to, count, starts, ends, (address, pairs) => {
 *   for (let at = address >>> 2; at < (address >>> 2) + 2 * pairs; at += 2) {
 *     console.log(`entry ${kernel.memory.u32[at]} has needle ${kernel.memory.u32[at + 1]}`)
 *   }
 * })
 */
export function createFilter(
  kernel: { readonly memory: KernelMemory; readonly filter: FilterFunctions },
  needles: readonly FilterNeedle[],
  options: { readonly sample?: Uint8Array } = {},
): Filter {
  const { memory, filter } = kernel
  const plan = makePlan(memory, needles)
  const get = (field: number) => memory.u32[(plan + field) >>> 2]!
  const set = (field: number, value: number) => {
    memory.u32[(plan + field) >>> 2] = value
  }
  const tuning = createTuning()
  let filled = false
  /** Size of the sample that the tables were filled with. */
  let sampled = 0
  let stamp = 1
  const statistics: FilterStatistics = { bytes: 0, candidates: 0, checked: 0, pairs: 0, fills: 0 }

  /** Must not grow the memory: the callers of `run` and `find` have views of it. */
  function fill(from: number, to: number): void {
    sampled = Math.min(to - from, SAMPLE_SIZE)
    filter.filterFill(plan, from, from + sampled)
    filled = true
    statistics.fills++
    tuning.restart()
  }

  function fillFrom(sample: Uint8Array): void {
    const at = memory.allocate(sample.length + 2 * MARGIN) + MARGIN
    memory.u8.set(sample, at)
    fill(at, at + sample.length)
  }

  /** Reserves `count` stamps that no run before has used; returns the first. */
  function stampFor(count: number): number {
    if (stamp + count > 0xffff_ffff) {
      const seen = get(PLAN.seen) >>> 2
      memory.u32.fill(0, seen, seen + needles.length)
      stamp = 1
    }
    const first = stamp
    stamp += count
    return first
  }

  function scan(found: (address: number, pairs: number) => void): number {
    let sum = 0
    while (get(PLAN.done) === 0) {
      const pairs = filter.filterScan(plan)
      if (pairs > 0) found(get(PLAN.pairs), pairs)
      sum += pairs
    }
    return sum
  }

  if (options.sample) fillFrom(options.sample.subarray(0, SAMPLE_SIZE))
  return {
    run(from, to, count, starts, ends, found) {
      if (count === 0 || to <= from) return
      if (sampled < ENOUGH && to - from >= sampled * BETTER) fill(from, to)
      if (get(PLAN.triggers) === 0) return
      set(PLAN.at, from - (from % GROUP))
      set(PLAN.end, to)
      set(PLAN.entries, count)
      set(PLAN.starts, starts)
      set(PLAN.ends, ends)
      set(PLAN.entry, 0)
      set(PLAN.stamp, stampFor(count))
      set(PLAN.checks, 0)
      set(PLAN.done, 0)
      set(PLAN.candidates, 0)
      set(PLAN.checked, 0)
      const pairs = scan(found)
      const candidates = get(PLAN.candidates)
      const checked = get(PLAN.checked)
      statistics.bytes += to - from
      statistics.candidates += candidates
      statistics.checked += checked
      statistics.pairs += pairs
      if (tuning.observe(to - from, candidates + CHECK_COST * Math.max(0, checked - pairs))) fill(from, to)
    },
    find(needle, from, to) {
      if (!filled) fill(from, from)
      return filter.filterFind(get(PLAN.needles) + needle * NEEDLE.size, from, to)
    },
    statistics,
  }
}
