// Windows: the keys of needles that are long enough.

import {
  CONTEXT,
  COUNTS_SHIFT,
  LEAST_EXPECTED,
  NEEDLE,
  PLAN,
  SAMPLE_SIZE,
  SAMPLE_STEP,
  SEARCHED,
  SHARED_COST,
  TRUSTED_SAMPLE,
} from './constants.generated'
import { addHead, headOf } from './filter-items'
import { modelled } from './filter-model'
import { contextHash, setFirst, setSecond } from './filter-tables'


/** Counts all windows of a needle, so that needles can avoid windows that many of them have. */
export function countWindows(plan: usize, needle: usize): void {
  const windows = windowCount(plan, needle)
  for (let offset: u32 = 0; offset < windows; offset++) addHead(plan, windowHash(plan, needle, offset))
}

function windowCount(plan: usize, needle: usize): u32 {
  return min<u32>(load<u32>(needle, NEEDLE.length) - load<u32>(plan, PLAN.window) + 1, SEARCHED)
}

/** Chooses the windows of a needle, and for each of them the side whose bytes are in the second table. */
export function chooseWindows(plan: usize, needle: usize, sample: u32): void {
  const run = chooseRun(plan, needle, sample)
  const stride = load<u32>(plan, PLAN.stride)
  store<u32>(needle, run, NEEDLE.key)
  let sides: u32 = 0
  for (let offset = run; offset < run + stride; offset++) {
    sides |= u32(isRarerBefore(plan, needle, offset)) << (offset - run)
  }
  store<u32>(needle, sides, NEEDLE.sides)
}

/** Whether the two bytes before a window are rarer than those after it, estimated by the windows that contain them. */
function isRarerBefore(plan: usize, needle: usize, offset: u32): bool {
  const windows = windowCount(plan, needle)
  if (offset < <u32>CONTEXT) return false
  if (offset + CONTEXT >= windows) return true
  const costs: usize = load<u32>(plan, PLAN.scratch)
  return load<f64>(costs + ((offset - CONTEXT) << 3)) < load<f64>(costs + ((offset + CONTEXT) << 3))
}

/** Offset of the consecutive windows with the lowest expected cost. */
function chooseRun(plan: usize, needle: usize, sample: u32): u32 {
  const costs: usize = load<u32>(plan, PLAN.scratch)
  const counts: usize = load<u32>(plan, PLAN.first)
  const stride = load<u32>(plan, PLAN.stride)
  const windows = windowCount(plan, needle)
  const scale: f64 = <f64>(SAMPLE_SIZE * SAMPLE_STEP) / <f64>max<u32>(sample, 1)
  const trust: f64 = min<f64>(1, <f64>TRUSTED_SAMPLE / <f64>max<u32>(sample, 1))
  let sum: f64 = 0
  let least: f64 = Infinity
  let best: u32 = 0
  for (let offset: u32 = 0; offset < windows; offset++) {
    const hash = windowHash(plan, needle, offset)
    const seen: u32 = sample == 0 ? 0 : load<u8>(counts + (hash >> COUNTS_SHIFT))
    // The model is used only for windows that are not in the sample.
    const expected = seen != 0 ? <f64>seen * scale : trust * modelled(plan, load<u32>(needle, NEEDLE.bytes) + offset)
    const cost = (expected + LEAST_EXPECTED) * (1 + SHARED_COST * <f64>load<u32>(headOf(plan, hash)))
    store<f64>(costs + (offset << 3), cost)
    sum += cost
    if (offset >= stride) sum -= load<f64>(costs + ((offset - stride) << 3))
    if (offset + 1 >= stride && sum < least) {
      least = sum
      best = offset + 1 - stride
    }
  }
  return best
}

/** Puts the windows of a needle into both tables and counts their items. */
export function addWindows(plan: usize, needle: usize): void {
  const run = load<u32>(needle, NEEDLE.key)
  const stride = load<u32>(plan, PLAN.stride)
  for (let offset = run; offset < run + stride; offset++) {
    const hash = windowHash(plan, needle, offset)
    addHead(plan, hash)
    setFirst(plan, hash)
    setSecond(plan, withContext(plan, needle, offset, hash))
  }
}

/** The hash of a window with the two bytes before or after it, or of the window alone if the needle has neither. */
function withContext(plan: usize, needle: usize, offset: u32, hash: u32): u32 {
  const at: usize = load<u32>(needle, NEEDLE.bytes) + offset
  const fold = load<u32>(plan, PLAN.fold) & 0xffff
  const window = load<u32>(plan, PLAN.window)
  const before = (load<u32>(needle, NEEDLE.sides) >> (offset - load<u32>(needle, NEEDLE.key))) & 1
  if (before) return contextHash(hash, <u32>load<u16>(at - CONTEXT) | fold)
  if (offset + window + CONTEXT > load<u32>(needle, NEEDLE.length)) return hash
  return contextHash(hash, <u32>load<u16>(at + window) | fold)
}

export function windowHash(plan: usize, needle: usize, offset: u32): u32 {
  const text = load<u32>(load<u32>(needle, NEEDLE.bytes) + offset) | load<u32>(plan, PLAN.fold)
  return text * load<u32>(plan, PLAN.factor)
}
