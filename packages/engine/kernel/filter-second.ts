// The second loop: which of the candidate groups must be checked. Like the first loop it always stores, and moves the end
// of the list only past groups to keep.

import { CONTEXT, GROUP, HASH_FACTOR, KEY_1, KEY_2, PLAN, WINDOW } from './constants.generated'
import { contextHash, firstBit, hashOf, secondBit } from './filter-tables'

/** Puts the groups of the queue that must be checked into the check list; returns their number. */
export function refineGroups(plan: usize, candidates: u32): u32 {
  const stride = load<u32>(plan, PLAN.stride)
  const bits = load<u32>(plan, PLAN.bits)
  if (stride == 4) return bits == 0 ? refineBytes4(plan, candidates) : refineBits4(plan, candidates)
  return stride == 0 ? refineFingerprints(plan, candidates) : refineAny(plan, candidates)
}

// The common cases have functions of their own: constant parameters save a third of the instructions.

function refineBytes4(plan: usize, candidates: u32): u32 {
  return refine(plan, candidates, 4, HASH_FACTOR, WINDOW, 0)
}

function refineBits4(plan: usize, candidates: u32): u32 {
  return refine(plan, candidates, 4, HASH_FACTOR, WINDOW, 31)
}

function refineFingerprints(plan: usize, candidates: u32): u32 {
  return refine(plan, candidates, 0, 0, 0, 0)
}

function refineAny(plan: usize, candidates: u32): u32 {
  const stride = load<u32>(plan, PLAN.stride)
  const window = load<u32>(plan, PLAN.window)
  return refine(plan, candidates, stride, load<u32>(plan, PLAN.factor), window, load<u32>(plan, PLAN.bits))
}

@inline
function refine(plan: usize, candidates: u32, stride: u32, factor: u32, window: u32, bits: u32): u32 {
  const list: usize = load<u32>(plan, PLAN.checkList)
  const first: usize = load<u32>(plan, PLAN.first)
  const second: usize = load<u32>(plan, PLAN.second)
  const fold = load<u32>(plan, PLAN.fold)
  const fingerprints = load<u32>(plan, PLAN.fingerprints)
  let next: usize = load<u32>(plan, PLAN.queue)
  const end: usize = next + (candidates << 3)
  let last = list
  for (; next < end; next += 8) {
    const group: usize = load<u32>(next)
    let positions: u32 = 0
    if (stride != 0) {
      const starts = windowStarts(group, fold, factor, first, bits, stride)
      const at = group + (ctz(starts) & 15)
      const fits = several(starts) | windowFits(at, fold, factor, window, second, bits, stride != 4)
      positions = starts & -(fits & 1)
    }
    if (fingerprints != 0) {
      const ends = load<u32>(next, 4) ^ 0xffff
      const fits = several(ends) | fingerprintFits(group + (ctz(ends) & 15), fingerprints, fold, second, bits)
      positions |= (ends & -(fits & 1)) << 16
    }
    store<u32>(last, <u32>group)
    store<u32>(last, positions, 4)
    last += usize(positions != 0) << 3
  }
  return <u32>(last - list) >> 3
}

/** 1 if there is more than one position: then each is checked later. */
@inline
function several(positions: u32): u32 {
  return u32((positions & (positions - 1)) != 0)
}

/** A bit for each position of the group whose window is known. */
@inline
function windowStarts(group: usize, fold: u32, factor: u32, first: usize, bits: u32, stride: u32): u32 {
  let starts =
    windowKnown(group, fold, factor, first, bits) |
    (windowKnown(group + 4, fold, factor, first, bits) << 4) |
    (windowKnown(group + 8, fold, factor, first, bits) << 8) |
    (windowKnown(group + 12, fold, factor, first, bits) << 12)
  if (stride == 4) return starts
  for (let byte: u32 = stride; byte < <u32>GROUP; byte += stride) {
    starts |= windowKnown(group + byte, fold, factor, first, bits) << byte
  }
  return starts
}

@inline
function windowKnown(at: usize, fold: u32, factor: u32, first: usize, bits: u32): u32 {
  return firstBit(first, (load<u32>(at) | fold) * factor, bits) & 1
}

/**
 * Bit 0: whether the window is known together with the two bytes after or before it. The shortest needles do not have such
 * bytes; with `alone`, their windows are known without them.
 */
@inline
function windowFits(at: usize, fold: u32, factor: u32, window: u32, second: usize, bits: u32, alone: bool): u32 {
  const hash = (load<u32>(at) | fold) * factor
  const after: u32 = <u32>load<u16>(at + window) | (fold & 0xffff)
  const before: u32 = <u32>load<u16>(at - CONTEXT) | (fold & 0xffff)
  let fits = secondBit(second, contextHash(hash, after), bits) | secondBit(second, contextHash(hash, before), bits)
  if (alone) fits |= secondBit(second, hash, bits)
  return fits
}

/** Bit 0: whether a fingerprint that ends here is known. */
@inline
function fingerprintFits(at: usize, fingerprints: u32, fold: u32, second: usize, bits: u32): u32 {
  const text = load<u32>(at - 3) | fold
  let fits: u32 = 0
  if (fingerprints & 4) fits |= secondBit(second, hashOf(text >> 8), bits)
  if (fingerprints & 2) fits |= secondBit(second, hashOf((text >> 16) | KEY_2), bits)
  if (fingerprints & 1) fits |= secondBit(second, hashOf((text >> 24) | KEY_1), bits)
  return fits
}
