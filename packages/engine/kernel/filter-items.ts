// Items: what leads from a hash to the needles that have it.

import {
  FLAG_FOLD,
  ITEM_BEFORE,
  ITEM_LENGTH,
  ITEM_MASK,
  ITEM_NEEDLE,
  ITEM_REACH,
  ITEM_SIZE,
  ITEM_VALUE,
  NEEDLE_BYTES,
  NEEDLE_FLAGS,
  NEEDLE_KEY,
  NEEDLE_LENGTH,
  NEEDLE_SIZE,
  PLAN_HEADS,
  PLAN_HEADS_SHIFT,
  PLAN_ITEMS,
  PLAN_NEEDLES,
  PLAN_NEEDLE_COUNT,
  PLAN_STRIDE,
} from '../src/scan/filter/layout'
import { printHash } from './filter-prints'
import { hasWindows, isLetter, isTrigger } from './filter-tables'
import { windowHash } from './filter-windows'

@inline
function headCount(plan: usize): u32 {
  return 1 << (32 - load<u32>(plan, PLAN_HEADS_SHIFT))
}

export function clearHeads(plan: usize): void {
  memory.fill(load<u32>(plan, PLAN_HEADS), 0, (headCount(plan) + 1) << 2)
}

@inline
export function headOf(plan: usize, hash: u32): usize {
  return load<u32>(plan, PLAN_HEADS) + ((hash >> load<u32>(plan, PLAN_HEADS_SHIFT)) << 2)
}

/** Counts one more for a hash: heads are counts until the items are filled in. */
export function addHead(plan: usize, hash: u32): void {
  const head = headOf(plan, hash)
  store<u32>(head, load<u32>(head) + 1)
}

/** Sorts the items by hash: each head says where its items start, and the next one where they end. */
export function fillItems(plan: usize): void {
  const heads: usize = load<u32>(plan, PLAN_HEADS)
  const needles: usize = load<u32>(plan, PLAN_NEEDLES)
  const stride = load<u32>(plan, PLAN_STRIDE)
  let sum: u32 = 0
  for (let head = heads; head <= heads + (headCount(plan) << 2); head += 4) {
    sum += load<u32>(head)
    store<u32>(head, sum)
  }
  // Each head now tells where its items end; filling them from the back moves it to where they start.
  for (let index = load<u32>(plan, PLAN_NEEDLE_COUNT); index > 0; index--) {
    const needle = needles + (index - 1) * NEEDLE_SIZE
    if (!isTrigger(needle)) continue
    const key = load<u32>(needle, NEEDLE_KEY)
    if (hasWindows(plan, needle)) {
      for (let offset = key; offset < key + stride; offset++) {
        addItem(plan, needle, index - 1, offset, windowHash(plan, needle, offset))
      }
    } else addItem(plan, needle, index - 1, key, printHash(plan, needle))
  }
}

function addItem(plan: usize, needle: usize, index: u32, offset: u32, hash: u32): void {
  const head = headOf(plan, hash)
  const place = load<u32>(head) - 1
  store<u32>(head, place)
  const item: usize = load<u32>(plan, PLAN_ITEMS) + place * ITEM_SIZE
  const length = load<u32>(needle, NEEDLE_LENGTH)
  // The 8 bytes around the key, as far as the needle has them; zeros follow it.
  const from: u32 = offset < 2 || length < 8 ? 0 : min<u32>(offset - 2, length - 8)
  const value = load<u64>(load<u32>(needle, NEEDLE_BYTES) + from)
  store<u64>(item, value, ITEM_VALUE)
  store<u64>(item, maskOf(value, length, (load<u32>(needle, NEEDLE_FLAGS) & FLAG_FOLD) != 0), ITEM_MASK)
  store<u32>(item, from - offset, ITEM_REACH)
  store<u32>(item, offset, ITEM_BEFORE)
  store<u32>(item, index, ITEM_NEEDLE)
  store<u32>(item, length, ITEM_LENGTH)
}

/** Which bits of 8 bytes of a needle count. */
function maskOf(value: u64, length: u32, fold: bool): u64 {
  let mask: u64 = length < 8 ? (<u64>1 << (length << 3)) - 1 : -1
  if (!fold) return mask
  for (let byte: u32 = 0; byte < 8; byte++) {
    if (isLetter(<u32>(value >> (byte << 3)) & 255)) mask &= ~(<u64>0x20 << (byte << 3))
  }
  return mask
}
