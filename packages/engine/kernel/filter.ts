// The prefilter: finds which needle occurs in which entry. Its tables are described in
// src/scan/kernel/filter-layout.ts; its twin is src/scan/filter/plain.ts.
//
// A scan runs three loops over 16 KiB of text at a time, each on what the one before has left. The first two have no
// branch that depends on the text: a mispredicted branch costs as much as filtering 64 bytes.
//
// 1. Which groups of 16 bytes contain a known window, or the fingerprint of a short needle? (filter-first.ts)
// 2. Do the bytes next to the window match too? (filter-second.ts)
// 3. Is it the needle, in which entry, and for the first time in it? (this file)

import { GROUP, ITEM, KEY_1, KEY_2, NEEDLE, PLAN, QUEUE_GROUPS } from './constants.generated'
import { equals } from './filter-find'
import { filterGroups } from './filter-first'
import { refineGroups } from './filter-second'
import { hashOf } from './filter-tables'

export { filterFill } from './filter-fill'
export { filterFind } from './filter-find'

export function filterScan(plan: usize): u32 {
  let pairs: u32 = 0
  for (;;) {
    pairs = checkGroups(plan, pairs)
    if (load<u32>(plan, PLAN.checks) != 0) return pairs
    const at: usize = load<u32>(plan, PLAN.at)
    const end: usize = load<u32>(plan, PLAN.end)
    if (at >= end) break
    const stop = min<usize>(end, at + QUEUE_GROUPS * GROUP)
    const candidates = filterGroups(plan, at, stop)
    const checks = refineGroups(plan, candidates)
    store<u32>(plan, <u32>(at + QUEUE_GROUPS * GROUP), PLAN.at)
    store<u32>(plan, load<u32>(plan, PLAN.candidates) + candidates, PLAN.candidates)
    store<u32>(plan, load<u32>(plan, PLAN.checked) + checks, PLAN.checked)
    store<u32>(plan, checks, PLAN.checks)
    store<u32>(plan, 0, PLAN.next)
    store<u32>(plan, 0, PLAN.byte)
  }
  store<u32>(plan, 1, PLAN.done)
  return pairs
}

/** Checks the remaining groups; `checks` of the plan is 0 afterwards unless the pairs are full. */
function checkGroups(plan: usize, pairs: u32): u32 {
  const list: usize = load<u32>(plan, PLAN.checkList)
  const checks = load<u32>(plan, PLAN.checks)
  const limit = load<u32>(plan, PLAN.pairLimit)
  const fold = load<u32>(plan, PLAN.fold)
  const factor = load<u32>(plan, PLAN.factor)
  const fingerprints = load<u32>(plan, PLAN.fingerprints)
  let todo: u32 = <u32>-1 << load<u32>(plan, PLAN.byte)
  for (let next = load<u32>(plan, PLAN.next); next < checks; next++) {
    const group: usize = load<u32>(list + (next << 3))
    const starts: u32 = load<u16>(list + (next << 3), 4)
    const ends: u32 = load<u16>(list + (next << 3), 6)
    let positions = (starts | ends) & todo
    todo = -1
    while (positions != 0) {
      const byte: u32 = ctz(positions)
      if (pairs >= limit) {
        store<u32>(plan, next, PLAN.next)
        store<u32>(plan, byte, PLAN.byte)
        return pairs
      }
      const at = group + byte
      if ((starts >> byte) & 1) pairs = checkHash(plan, (load<u32>(at) | fold) * factor, at, pairs)
      if ((ends >> byte) & 1) pairs = checkFingerprints(plan, fingerprints, fold, at, pairs)
      positions &= positions - 1
    }
  }
  store<u32>(plan, 0, PLAN.checks)
  return pairs
}

/** Checks the needles whose fingerprint ends at this position. */
function checkFingerprints(plan: usize, fingerprints: u32, fold: u32, at: usize, pairs: u32): u32 {
  const text = load<u32>(at - 3) | fold
  if (fingerprints & 4) pairs = checkHash(plan, hashOf(text >> 8), at, pairs)
  if (fingerprints & 2) pairs = checkHash(plan, hashOf((text >> 16) | KEY_2), at, pairs)
  if (fingerprints & 1) pairs = checkHash(plan, hashOf((text >> 24) | KEY_1), at, pairs)
  return pairs
}

/** Compares the needles whose key has this hash; from the first match on the entry matters too. */
function checkHash(plan: usize, hash: u32, at: usize, pairs: u32): u32 {
  const head: usize = load<u32>(plan, PLAN.heads) + ((hash >> load<u32>(plan, PLAN.headsShift)) << 2)
  const items: usize = load<u32>(plan, PLAN.items)
  const end: usize = items + load<u32>(head, 4) * ITEM.size
  for (let item: usize = items + load<u32>(head) * ITEM.size; item < end; item += ITEM.size) {
    if (agrees(item, at)) return checkItems(plan, item, end, at, pairs)
  }
  return pairs
}

/** Whether up to 8 bytes of an item's needle, those around the key, are at this position. */
@inline
function agrees(item: usize, at: usize): bool {
  const text = load<u64>(at + load<u32>(item, ITEM.reach))
  return ((text ^ load<u64>(item, ITEM.value)) & load<u64>(item, ITEM.mask)) == 0
}

/** Adds a pair for each item whose needle lies completely in the entry of this position and was not yet found in it. */
function checkItems(plan: usize, item: usize, end: usize, at: usize, pairs: u32): u32 {
  const count = load<u32>(plan, PLAN.entries)
  const ends: usize = load<u32>(plan, PLAN.ends)
  let entry = load<u32>(plan, PLAN.entry)
  // Positions ascend within a run, so the search continues at the last entry.
  while (entry < count && <usize>load<u32>(ends + (entry << 2)) <= at) entry++
  store<u32>(plan, entry, PLAN.entry)
  if (entry == count) return pairs
  const entryStart: usize = load<u32>(load<u32>(plan, PLAN.starts) + (entry << 2))
  const entryEnd: usize = load<u32>(ends + (entry << 2))
  const needles: usize = load<u32>(plan, PLAN.needles)
  const seen: usize = load<u32>(plan, PLAN.seen)
  const stamp = load<u32>(plan, PLAN.stamp) + entry
  let pair: usize = load<u32>(plan, PLAN.pairs) + (pairs << 3)
  for (; item < end; item += ITEM.size) {
    const needle = load<u32>(item, ITEM.needle)
    if (load<u32>(seen + (needle << 2)) == stamp || !agrees(item, at)) continue
    const start = at - load<u32>(item, ITEM.before)
    const length = load<u32>(item, ITEM.length)
    if (start < entryStart || start + length > entryEnd) continue
    if (length > 8 && !equals(needles + needle * NEEDLE.size, start)) continue
    if (!ASC_NO_ASSERT) assert(pairs < load<u32>(plan, PLAN.pairLimit) + load<u32>(plan, PLAN.needleCount))
    store<u32>(seen + (needle << 2), stamp)
    store<u32>(pair, entry)
    store<u32>(pair, needle, 4)
    pair += 8
    pairs++
  }
  return pairs
}
