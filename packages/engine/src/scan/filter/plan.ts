import {
  FINGERPRINT,
  FIRST_SIZE,
  FLAG,
  ITEM,
  MODEL,
  NEEDLE,
  PLAN,
  QUEUE_GROUPS,
  SCRATCH,
  SECOND_SIZE,
} from '../kernel/filter-layout.js'
import type { KernelMemory } from '../kernel/memory.js'
import { storeModel } from './model.js'

/** A byte string to look for. */
export interface FilterNeedle {
  /** At least one byte; with `fold`, its ASCII letters in lower case. */
  readonly bytes: Uint8Array
  /** Whether ASCII letters match in either case. */
  readonly fold: boolean
  /** Whether `run` reports it (the default), or only `find` uses it. */
  readonly trigger?: boolean
}

/** Pairs per call of `found`: 64 KiB of them, for few calls and little memory. */
const PAIR_LIMIT = 8192
/** Needles are read 16 bytes at a time, so each is followed by at least this many zeros. */
const NEEDLE_PADDING = 16

function padded(length: number): number {
  return (length + NEEDLE_PADDING + 15) & ~15
}

/** Allocates the empty tables for these needles in kernel memory; returns the address of the plan. */
export function makePlan(memory: KernelMemory, needles: readonly FilterNeedle[]): number {
  // A needle has at most four keys. Twice as many heads keep collisions rare.
  const items = needles.length * 4
  const headsPower = Math.ceil(Math.log2(Math.max(items, 1))) + 1
  let bytes = 0
  for (const needle of needles) bytes += padded(needle.bytes.length)
  const sizes: readonly (readonly [field: number, size: number])[] = [
    [PLAN.needles, needles.length * NEEDLE.size],
    [PLAN.model, MODEL.size],
    [PLAN.queue, QUEUE_GROUPS * 8 + 8],
    [PLAN.checkList, QUEUE_GROUPS * 8 + 8],
    // The limit can be exceeded by one pair per needle: those found at the last position.
    [PLAN.pairs, (PAIR_LIMIT + needles.length) * 8],
    [PLAN.seen, needles.length * 4],
    [PLAN.masks, FINGERPRINT * 32],
    [PLAN.classes, FINGERPRINT * 256],
    [PLAN.byteCounts, 256 * 4],
    [PLAN.scratch, SCRATCH.size],
    [PLAN.heads, (2 ** headsPower + 1) * 4],
    [PLAN.items, items * ITEM.size],
    [PLAN.second, SECOND_SIZE],
    [PLAN.first, FIRST_SIZE],
  ]
  const aligned = (size: number) => (size + 63) & ~63
  let total = aligned(PLAN.size) + bytes
  for (const [, size] of sizes) total += aligned(size)
  // One allocation, because growing the memory is slow.
  const plan = memory.allocate(total)
  const set = (field: number, value: number) => {
    memory.u32[(plan + field) >>> 2] = value
  }
  let address = plan + aligned(PLAN.size)
  for (const [field, size] of sizes) {
    set(field, address)
    address += aligned(size)
  }
  set(PLAN.needleCount, needles.length)
  set(PLAN.pairLimit, PAIR_LIMIT)
  set(PLAN.headsShift, 32 - headsPower)
  storeModel(memory.u8, memory.u32[(plan + PLAN.model) >>> 2]!)
  storeNeedles(memory, memory.u32[(plan + PLAN.needles) >>> 2]!, needles, address)
  return plan
}

function storeNeedles(
  { u8, u32 }: KernelMemory,
  records: number,
  needles: readonly FilterNeedle[],
  bytes: number,
): void {
  let record = records >>> 2
  let address = bytes
  for (const needle of needles) {
    u8.set(needle.bytes, address)
    u32[record + (NEEDLE.bytes >>> 2)] = address
    u32[record + (NEEDLE.length >>> 2)] = needle.bytes.length
    u32[record + (NEEDLE.flags >>> 2)] = (needle.fold ? FLAG.fold : 0) | (needle.trigger === false ? 0 : FLAG.trigger)
    address += padded(needle.bytes.length)
    record += NEEDLE.size >>> 2
  }
}
