// Fills the filter's tables. Here and not in the host because that code runs once, when everything is cold: for 600
// needles 30 ms there, about 1 ms here.

import {
  BYTE_NEEDLES,
  CASE_BITS,
  FINGERPRINTED,
  FIRST_SIZE,
  FLAG_FOLD,
  HASH_FACTOR,
  NEEDLE_FLAGS,
  NEEDLE_LENGTH,
  NEEDLE_SIZE,
  PLAN_BITS,
  PLAN_FACTOR,
  PLAN_FIRST,
  PLAN_FOLD,
  PLAN_NEEDLES,
  PLAN_NEEDLE_COUNT,
  PLAN_PRINTS,
  PLAN_SECOND,
  PLAN_STRIDE,
  PLAN_TRIGGERS,
  PLAN_WINDOW,
  SECOND_SIZE,
  WINDOW,
} from '../src/scan/filter/layout'
import { chooseRareBytes } from './filter-find'
import { clearHeads, fillItems } from './filter-items'
import { countSample, unpackModel } from './filter-model'
import { addPrint, fillMasks } from './filter-prints'
import { hasWindows, isTrigger } from './filter-tables'
import { addWindows, chooseWindows, countWindows } from './filter-windows'

export function filterFill(plan: usize, from: usize, to: usize): void {
  const needles: usize = load<u32>(plan, PLAN_NEEDLES)
  const end: usize = needles + load<u32>(plan, PLAN_NEEDLE_COUNT) * NEEDLE_SIZE
  setShape(plan)
  unpackModel(plan)
  countSample(plan, from, to)
  clearHeads(plan)
  for (let needle = needles; needle < end; needle += NEEDLE_SIZE) {
    if (isTrigger(needle) && hasWindows(plan, needle)) countWindows(plan, needle)
  }
  for (let needle = needles; needle < end; needle += NEEDLE_SIZE) {
    chooseRareBytes(plan, needle)
    if (isTrigger(needle) && hasWindows(plan, needle)) chooseWindows(plan, needle, <u32>(to - from))
  }
  clearHeads(plan)
  // The counts of the sample have served, and the first table takes their place.
  memory.fill(load<u32>(plan, PLAN_FIRST), 0, FIRST_SIZE)
  memory.fill(load<u32>(plan, PLAN_SECOND), 0, SECOND_SIZE)
  for (let needle = needles; needle < end; needle += NEEDLE_SIZE) {
    if (!isTrigger(needle)) continue
    if (hasWindows(plan, needle)) addWindows(plan, needle)
    else addPrint(plan, needle)
  }
  fillMasks(plan)
  fillItems(plan)
}

/** Decides by the needles as a whole how they are looked for: at as few positions as leave little to fingerprints. */
function setShape(plan: usize): void {
  const needles: usize = load<u32>(plan, PLAN_NEEDLES)
  const end: usize = needles + load<u32>(plan, PLAN_NEEDLE_COUNT) * NEEDLE_SIZE
  let flags: u32 = 0
  for (let needle = needles; needle < end; needle += NEEDLE_SIZE) {
    if (isTrigger(needle)) flags |= load<u32>(needle, NEEDLE_FLAGS)
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
  store<u32>(plan, triggers, PLAN_TRIGGERS)
  store<u32>(plan, long == 0 ? 0 : stride, PLAN_STRIDE)
  store<u32>(plan, window, PLAN_WINDOW)
  store<u32>(plan, HASH_FACTOR << ((WINDOW - window) << 3), PLAN_FACTOR)
  store<u32>(plan, flags & FLAG_FOLD ? CASE_BITS : 0, PLAN_FOLD)
  store<u32>(plan, long <= <u32>BYTE_NEEDLES ? 0 : 31, PLAN_BITS)
  store<u32>(plan, 0, PLAN_PRINTS)
}

/** Number of the triggers that have at least this many bytes. */
function countTriggers(plan: usize, length: u32): u32 {
  const needles: usize = load<u32>(plan, PLAN_NEEDLES)
  const end: usize = needles + load<u32>(plan, PLAN_NEEDLE_COUNT) * NEEDLE_SIZE
  let count: u32 = 0
  for (let needle = needles; needle < end; needle += NEEDLE_SIZE) {
    count += u32(isTrigger(needle) && load<u32>(needle, NEEDLE_LENGTH) >= length)
  }
  return count
}
