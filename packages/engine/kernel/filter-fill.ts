// Fills the filter's tables. This is in the kernel because it runs once, before JavaScript is optimized: 600 needles take
// 30 ms in TypeScript and about 1 ms here.

import {
  BYTE_NEEDLES,
  CASE_BITS,
  FINGERPRINTED,
  FIRST_SIZE,
  FLAG,
  HASH_FACTOR,
  NEEDLE,
  PLAN,
  SECOND_SIZE,
  WINDOW,
} from './constants.generated'
import { chooseRareBytes } from './filter-find'
import { clearHeads, fillItems } from './filter-items'
import { countSample, unpackModel } from './filter-model'
import { addFingerprint, fillMasks } from './filter-fingerprints'
import { hasWindows, isTrigger } from './filter-tables'
import { addWindows, chooseWindows, countWindows } from './filter-windows'

export function filterFill(plan: usize, from: usize, to: usize): void {
  const needles: usize = load<u32>(plan, PLAN.needles)
  const end: usize = needles + load<u32>(plan, PLAN.needleCount) * NEEDLE.size
  setShape(plan)
  unpackModel(plan)
  countSample(plan, from, to)
  clearHeads(plan)
  for (let needle = needles; needle < end; needle += NEEDLE.size) {
    if (isTrigger(needle) && hasWindows(plan, needle)) countWindows(plan, needle)
  }
  for (let needle = needles; needle < end; needle += NEEDLE.size) {
    chooseRareBytes(plan, needle)
    if (isTrigger(needle) && hasWindows(plan, needle)) chooseWindows(plan, needle, <u32>(to - from))
  }
  clearHeads(plan)
  // The counts of the sample are no longer needed; the first table takes their memory.
  memory.fill(load<u32>(plan, PLAN.first), 0, FIRST_SIZE)
  memory.fill(load<u32>(plan, PLAN.second), 0, SECOND_SIZE)
  for (let needle = needles; needle < end; needle += NEEDLE.size) {
    if (!isTrigger(needle)) continue
    if (hasWindows(plan, needle)) addWindows(plan, needle)
    else addFingerprint(plan, needle)
  }
  fillMasks(plan)
  fillItems(plan)
}

/** Chooses stride and window size for all needles: the largest that leave few needles to fingerprints. */
function setShape(plan: usize): void {
  const needles: usize = load<u32>(plan, PLAN.needles)
  const end: usize = needles + load<u32>(plan, PLAN.needleCount) * NEEDLE.size
  let flags: u32 = 0
  for (let needle = needles; needle < end; needle += NEEDLE.size) {
    if (isTrigger(needle)) flags |= load<u32>(needle, NEEDLE.flags)
  }
  const triggers = countTriggers(plan, 0)
  let stride: u32 = 4
  let window: u32 = WINDOW
  while (triggers - countTriggers(plan, stride + window - 1) > <u32>FINGERPRINTED && window > 1) {
    if (stride > 1) stride >>= 1
    else window--
  }
  if (window == 1) window = 2
  const long = countTriggers(plan, stride + window - 1)
  store<u32>(plan, triggers, PLAN.triggers)
  store<u32>(plan, long == 0 ? 0 : stride, PLAN.stride)
  store<u32>(plan, window, PLAN.window)
  store<u32>(plan, HASH_FACTOR << ((WINDOW - window) << 3), PLAN.factor)
  store<u32>(plan, flags & FLAG.fold ? CASE_BITS : 0, PLAN.fold)
  store<u32>(plan, long <= <u32>BYTE_NEEDLES ? 0 : 31, PLAN.bits)
  store<u32>(plan, 0, PLAN.fingerprints)
}

/** The number of triggers with at least this many bytes. */
function countTriggers(plan: usize, length: u32): u32 {
  const needles: usize = load<u32>(plan, PLAN.needles)
  const end: usize = needles + load<u32>(plan, PLAN.needleCount) * NEEDLE.size
  let count: u32 = 0
  for (let needle = needles; needle < end; needle += NEEDLE.size) {
    count += u32(isTrigger(needle) && load<u32>(needle, NEEDLE.length) >= length)
  }
  return count
}
