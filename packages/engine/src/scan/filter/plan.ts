import type { KernelMemory } from '../kernel/memory.js'
import {
  FINGERPRINT,
  FIRST_SIZE,
  FLAG_FOLD,
  FLAG_TRIGGER,
  ITEM_SIZE,
  MODEL_SIZE,
  NEEDLE_BYTES,
  NEEDLE_FLAGS,
  NEEDLE_LENGTH,
  NEEDLE_SIZE,
  PLAN_BYTE_COUNTS,
  PLAN_CHECK_LIST,
  PLAN_CLASSES,
  PLAN_FIRST,
  PLAN_HEADS,
  PLAN_HEADS_SHIFT,
  PLAN_ITEMS,
  PLAN_MASKS,
  PLAN_MODEL,
  PLAN_NEEDLE_COUNT,
  PLAN_NEEDLES,
  PLAN_PAIR_LIMIT,
  PLAN_PAIRS,
  PLAN_QUEUE,
  PLAN_SCRATCH,
  PLAN_SECOND,
  PLAN_SEEN,
  PLAN_SIZE,
  QUEUE_GROUPS,
  SCRATCH_SIZE,
  SECOND_SIZE,
} from './layout.js'
import { storeModel } from './model.js'

/** A byte string to look for. */
export interface FilterNeedle {
  /** At least one byte; with `fold`, its ASCII letters in lower case. */
  readonly bytes: Uint8Array
  /** Whether ASCII letters match in either case. */
  readonly fold: boolean
  /** Whether `run` reports it (the default), or only `find` is asked for it. */
  readonly trigger?: boolean
}

/** Pairs handed over at once: 64 KiB of them, few calls and little memory. */
const PAIR_LIMIT = 8192
/** Needles are read 16 bytes at a time, so each is followed by that many zeros at least. */
const NEEDLE_PADDING = 16

function padded(length: number): number {
  return (length + NEEDLE_PADDING + 15) & ~15
}

/** Lays out the tables for these needles in the kernel's memory, still to be filled, and returns the plan's address. */
export function makePlan(memory: KernelMemory, needles: readonly FilterNeedle[]): number {
  // Four keys of a needle are the most that the kernel looks for, and twice as many heads keep them apart.
  const items = needles.length * 4
  const headsPower = Math.ceil(Math.log2(Math.max(items, 1))) + 1
  let bytes = 0
  for (const needle of needles) bytes += padded(needle.bytes.length)
  const sizes: readonly (readonly [field: number, size: number])[] = [
    [PLAN_NEEDLES, needles.length * NEEDLE_SIZE],
    [PLAN_MODEL, MODEL_SIZE],
    [PLAN_QUEUE, QUEUE_GROUPS * 8 + 8],
    [PLAN_CHECK_LIST, QUEUE_GROUPS * 8 + 8],
    // At one position each needle can be found once, so that is what may come on top of the limit.
    [PLAN_PAIRS, (PAIR_LIMIT + needles.length) * 8],
    [PLAN_SEEN, needles.length * 4],
    [PLAN_MASKS, FINGERPRINT * 32],
    [PLAN_CLASSES, FINGERPRINT * 256],
    [PLAN_BYTE_COUNTS, 256 * 4],
    [PLAN_SCRATCH, SCRATCH_SIZE],
    [PLAN_HEADS, (2 ** headsPower + 1) * 4],
    [PLAN_ITEMS, items * ITEM_SIZE],
    [PLAN_SECOND, SECOND_SIZE],
    [PLAN_FIRST, FIRST_SIZE],
  ]
  const aligned = (size: number) => (size + 63) & ~63
  let total = aligned(PLAN_SIZE) + bytes
  for (const [, size] of sizes) total += aligned(size)
  // One piece of memory: growing it is what takes the time.
  const plan = memory.allocate(total)
  const set = (field: number, value: number) => {
    memory.u32[(plan + field) >>> 2] = value
  }
  let address = plan + aligned(PLAN_SIZE)
  for (const [field, size] of sizes) {
    set(field, address)
    address += aligned(size)
  }
  set(PLAN_NEEDLE_COUNT, needles.length)
  set(PLAN_PAIR_LIMIT, PAIR_LIMIT)
  set(PLAN_HEADS_SHIFT, 32 - headsPower)
  storeModel(memory.u8, memory.u32[(plan + PLAN_MODEL) >>> 2]!)
  storeNeedles(memory, memory.u32[(plan + PLAN_NEEDLES) >>> 2]!, needles, address)
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
    u32[record + (NEEDLE_BYTES >>> 2)] = address
    u32[record + (NEEDLE_LENGTH >>> 2)] = needle.bytes.length
    u32[record + (NEEDLE_FLAGS >>> 2)] = (needle.fold ? FLAG_FOLD : 0) | (needle.trigger === false ? 0 : FLAG_TRIGGER)
    address += padded(needle.bytes.length)
    record += NEEDLE_SIZE >>> 2
  }
}
