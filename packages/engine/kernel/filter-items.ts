// Items: the list of needles for each hash.

import { FLAG, ITEM, NEEDLE, PLAN } from './constants.generated'
import { fingerprintHash } from './filter-fingerprints'
import { hasWindows, isLetter, isTrigger } from './filter-tables'
import { windowHash } from './filter-windows'

@inline
function headCount(plan: usize): u32 {
  return 1 << (32 - load<u32>(plan, PLAN.headsShift))
}

export function clearHeads(plan: usize): void {
  memory.fill(load<u32>(plan, PLAN.heads), 0, (headCount(plan) + 1) << 2)
}

@inline
export function headOf(plan: usize, hash: u32): usize {
  return load<u32>(plan, PLAN.heads) + ((hash >> load<u32>(plan, PLAN.headsShift)) << 2)
}

/** Counts an item for a hash: heads are counts until the items are filled in. */
export function addHead(plan: usize, hash: u32): void {
  const head = headOf(plan, hash)
  store<u32>(head, load<u32>(head) + 1)
}

/** Sorts the items by hash: each head is the index of its first item, and the next head is the end. */
export function fillItems(plan: usize): void {
  const heads: usize = load<u32>(plan, PLAN.heads)
  const needles: usize = load<u32>(plan, PLAN.needles)
  const stride = load<u32>(plan, PLAN.stride)
  let sum: u32 = 0
  for (let head = heads; head <= heads + (headCount(plan) << 2); head += 4) {
    sum += load<u32>(head)
    store<u32>(head, sum)
  }
  // Each head is now the end of its items; filling them backwards moves it to their start.
  for (let index = load<u32>(plan, PLAN.needleCount); index > 0; index--) {
    const needle = needles + (index - 1) * NEEDLE.size
    if (!isTrigger(needle)) continue
    const key = load<u32>(needle, NEEDLE.key)
    if (hasWindows(plan, needle)) {
      for (let offset = key; offset < key + stride; offset++) {
        addItem(plan, needle, index - 1, offset, windowHash(plan, needle, offset))
      }
    } else addItem(plan, needle, index - 1, key, fingerprintHash(plan, needle))
  }
}

function addItem(plan: usize, needle: usize, index: u32, offset: u32, hash: u32): void {
  const head = headOf(plan, hash)
  const slot = load<u32>(head) - 1
  store<u32>(head, slot)
  const item: usize = load<u32>(plan, PLAN.items) + slot * ITEM.size
  const length = load<u32>(needle, NEEDLE.length)
  // The 8 bytes around the key, as far as they are in the needle; zeros follow it.
  const from: u32 = offset < 2 || length < 8 ? 0 : min<u32>(offset - 2, length - 8)
  const value = load<u64>(load<u32>(needle, NEEDLE.bytes) + from)
  store<u64>(item, value, ITEM.value)
  store<u64>(item, maskOf(value, length, (load<u32>(needle, NEEDLE.flags) & FLAG.fold) != 0), ITEM.mask)
  store<u32>(item, from - offset, ITEM.reach)
  store<u32>(item, offset, ITEM.before)
  store<u32>(item, index, ITEM.needle)
  store<u32>(item, length, ITEM.length)
}

/** The bits of 8 bytes of a needle that are compared. */
function maskOf(value: u64, length: u32, fold: bool): u64 {
  let mask: u64 = length < 8 ? (<u64>1 << (length << 3)) - 1 : -1
  if (!fold) return mask
  for (let byte: u32 = 0; byte < 8; byte++) {
    if (isLetter(<u32>(value >> (byte << 3)) & 255)) mask &= ~(<u64>0x20 << (byte << 3))
  }
  return mask
}
