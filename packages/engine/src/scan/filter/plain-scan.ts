import type { KernelMemory } from '../kernel/memory.js'
import {
  GROUP,
  ITEM_BEFORE,
  ITEM_LENGTH,
  ITEM_MASK,
  ITEM_NEEDLE,
  ITEM_REACH,
  ITEM_SIZE,
  ITEM_VALUE,
  NEEDLE_SIZE,
  PLAN_AT,
  PLAN_BITS,
  PLAN_BYTE,
  PLAN_CHECK_LIST,
  PLAN_CHECKS,
  PLAN_CLASSES,
  PLAN_DONE,
  PLAN_END,
  PLAN_ENDS,
  PLAN_ENTRIES,
  PLAN_ENTRY,
  PLAN_FACTOR,
  PLAN_FIRST,
  PLAN_FOLD,
  PLAN_HEADS,
  PLAN_HEADS_SHIFT,
  PLAN_ITEMS,
  PLAN_NEEDLES,
  PLAN_NEXT,
  PLAN_PAIR_LIMIT,
  PLAN_PAIRS,
  PLAN_PRINTS,
  PLAN_SECOND,
  PLAN_SEEN,
  PLAN_STAMP,
  PLAN_STARTS,
  PLAN_STRIDE,
  PLAN_WINDOW,
} from './layout.js'
import { equals } from './plain-find.js'
import { field, filterGroups, fingerprintHashes, type Scan, setField, windowHash } from './plain-groups.js'
import { load32 } from './plain-tables.js'

/** Twin of the kernel's `filterScan`. */
export function scan({ u8, u32 }: KernelMemory, plan: number): number {
  const read = (offset: number) => u32[(plan + offset) >>> 2]!
  const state: Scan = {
    u8,
    u32,
    plan,
    first: read(PLAN_FIRST),
    second: read(PLAN_SECOND),
    bits: read(PLAN_BITS),
    fold: read(PLAN_FOLD),
    stride: read(PLAN_STRIDE),
    window: read(PLAN_WINDOW),
    factor: read(PLAN_FACTOR),
    prints: read(PLAN_PRINTS),
    classes: read(PLAN_CLASSES) >>> 2,
    pairs: 0,
  }
  while (checkGroups(state)) {
    if (field(state, PLAN_AT) >= field(state, PLAN_END)) {
      setField(state, PLAN_DONE, 1)
      return state.pairs
    }
    filterGroups(state)
  }
  return state.pairs
}

/** Checks the groups that are left; false when the pairs are full before the end. */
function checkGroups(state: Scan): boolean {
  const { u32 } = state
  const list = field(state, PLAN_CHECK_LIST) >>> 2
  const checks = field(state, PLAN_CHECKS)
  const limit = field(state, PLAN_PAIR_LIMIT)
  let byte = field(state, PLAN_BYTE)
  for (let next = field(state, PLAN_NEXT); next < checks; next++) {
    const group = u32[list + next * 2]!
    const positions = u32[list + next * 2 + 1]!
    for (; byte < GROUP; byte++) {
      const here = positions >>> byte
      if ((here & 0x10001) === 0) continue
      if (state.pairs >= limit) {
        setField(state, PLAN_NEXT, next)
        setField(state, PLAN_BYTE, byte)
        return false
      }
      checkPosition(state, group + byte, (here & 1) !== 0, (here & 0x10000) !== 0)
    }
    byte = 0
  }
  setField(state, PLAN_CHECKS, 0)
  return true
}

function checkPosition(state: Scan, at: number, window: boolean, fingerprint: boolean): void {
  if (window) checkHash(state, windowHash(state, load32(state.u8, at)), at)
  if (fingerprint) for (const hash of fingerprintHashes(state, at)) checkHash(state, hash, at)
}

/** Tries every needle that has a key with this hash. */
function checkHash(state: Scan, hash: number, at: number): void {
  const { u32 } = state
  const head = (field(state, PLAN_HEADS) >>> 2) + (hash >>> field(state, PLAN_HEADS_SHIFT))
  const items = field(state, PLAN_ITEMS)
  for (let index = u32[head]!; index < u32[head + 1]!; index++) checkItem(state, items + index * ITEM_SIZE, at)
}

/** Adds the pair of an item if its needle stands in an entry where it was not seen yet. */
function checkItem(state: Scan, item: number, at: number): void {
  const { u8, u32 } = state
  if (!agrees(u8, item, (at + u32[(item + ITEM_REACH) >>> 2]!) >>> 0)) return
  const entry = entryAt(state, at)
  if (entry < 0) return
  const needle = u32[(item + ITEM_NEEDLE) >>> 2]!
  const start = at - u32[(item + ITEM_BEFORE) >>> 2]!
  if (start < u32[(field(state, PLAN_STARTS) >>> 2) + entry]!) return
  if (start + u32[(item + ITEM_LENGTH) >>> 2]! > u32[(field(state, PLAN_ENDS) >>> 2) + entry]!) return
  const seen = (field(state, PLAN_SEEN) >>> 2) + needle
  const stamp = field(state, PLAN_STAMP) + entry
  if (u32[seen] === stamp || !equals(u8, u32, field(state, PLAN_NEEDLES) + needle * NEEDLE_SIZE, start)) return
  u32[seen] = stamp
  const pair = (field(state, PLAN_PAIRS) >>> 2) + state.pairs * 2
  u32[pair] = entry
  u32[pair + 1] = needle
  state.pairs++
}

/** Whether up to 8 bytes of an item's needle, those around the key, stand here. */
function agrees(u8: Uint8Array, item: number, at: number): boolean {
  for (let index = 0; index < 8; index++) {
    if ((u8[at + index]! ^ u8[item + ITEM_VALUE + index]!) & u8[item + ITEM_MASK + index]!) return false
  }
  return true
}

/**
 * The entry that holds a position, or -1. Positions only ever ascend within a run, so it walks on from the last one.
 */
function entryAt(state: Scan, at: number): number {
  const count = field(state, PLAN_ENTRIES)
  const ends = field(state, PLAN_ENDS) >>> 2
  let entry = field(state, PLAN_ENTRY)
  while (entry < count && state.u32[ends + entry]! <= at) entry++
  setField(state, PLAN_ENTRY, entry)
  return entry < count ? entry : -1
}
