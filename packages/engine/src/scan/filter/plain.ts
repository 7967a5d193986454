import { FLAG, GROUP, ITEM, NEEDLE, PLAN } from '../kernel/filter-layout.js'
import type { FilterFunctions } from '../kernel/kernel.js'
import type { KernelMemory } from '../kernel/memory.js'
import { fillTables } from './plain-fill.js'
import { field, filterGroups, fingerprintHashes, type Scan, setField, windowHash } from './plain-groups.js'
import { load32 } from './plain-tables.js'

/**
 * The TypeScript twins of the kernel's filter functions: the oracle in tests, and the fallback without SIMD.
 *
 * @example
 * const memory = new KernelMemory()
 * const filter = createFilter({ memory, filter: plainFilter(memory) }, needles)
 */
export function plainFilter(memory: KernelMemory): FilterFunctions {
  return {
    filterFill: (plan, from, to) => fillTables(memory, plan, from, to),
    filterScan: (plan) => scan(memory, plan),
    filterFind: (needle, from, to) => find(memory, needle, from, to),
  }
}

/** Twin of the kernel's `filterFind`. */
export function find({ u8, u32 }: KernelMemory, needle: number, from: number, to: number): number {
  const last = to - u32[(needle + NEEDLE.length) >>> 2]!
  for (let at = from; at <= last; at++) if (equals(u8, u32, needle, at)) return at
  return -1
}

/** Whether the needle with this record is at this address. */
export function equals(u8: Uint8Array, u32: Uint32Array, needle: number, at: number): boolean {
  const bytes = u32[(needle + NEEDLE.bytes) >>> 2]!
  const length = u32[(needle + NEEDLE.length) >>> 2]!
  const fold = (u32[(needle + NEEDLE.flags) >>> 2]! & FLAG.fold) !== 0
  for (let index = 0; index < length; index++) {
    const byte = u8[at + index]!
    if ((fold && byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte) !== u8[bytes + index]) return false
  }
  return true
}

/** Twin of the kernel's `filterScan`. */
export function scan({ u8, u32 }: KernelMemory, plan: number): number {
  const read = (offset: number) => u32[(plan + offset) >>> 2]!
  const state: Scan = {
    u8,
    u32,
    plan,
    first: read(PLAN.first),
    second: read(PLAN.second),
    bits: read(PLAN.bits),
    fold: read(PLAN.fold),
    stride: read(PLAN.stride),
    window: read(PLAN.window),
    factor: read(PLAN.factor),
    fingerprints: read(PLAN.fingerprints),
    classes: read(PLAN.classes) >>> 2,
    pairs: 0,
  }
  while (checkGroups(state)) {
    if (field(state, PLAN.at) >= field(state, PLAN.end)) {
      setField(state, PLAN.done, 1)
      return state.pairs
    }
    filterGroups(state)
  }
  return state.pairs
}

/** Checks the remaining groups; returns false if the pairs are full before the end. */
function checkGroups(state: Scan): boolean {
  const { u32 } = state
  const list = field(state, PLAN.checkList) >>> 2
  const checks = field(state, PLAN.checks)
  const limit = field(state, PLAN.pairLimit)
  let byte = field(state, PLAN.byte)
  for (let next = field(state, PLAN.next); next < checks; next++) {
    const group = u32[list + next * 2]!
    const positions = u32[list + next * 2 + 1]!
    for (; byte < GROUP; byte++) {
      const here = positions >>> byte
      if ((here & 0x10001) === 0) continue
      if (state.pairs >= limit) {
        setField(state, PLAN.next, next)
        setField(state, PLAN.byte, byte)
        return false
      }
      checkPosition(state, group + byte, (here & 1) !== 0, (here & 0x10000) !== 0)
    }
    byte = 0
  }
  setField(state, PLAN.checks, 0)
  return true
}

function checkPosition(state: Scan, at: number, window: boolean, fingerprint: boolean): void {
  if (window) checkHash(state, windowHash(state, load32(state.u8, at)), at)
  if (fingerprint) for (const hash of fingerprintHashes(state, at)) checkHash(state, hash, at)
}

/** Checks every needle whose key has this hash. */
function checkHash(state: Scan, hash: number, at: number): void {
  const { u32 } = state
  const head = (field(state, PLAN.heads) >>> 2) + (hash >>> field(state, PLAN.headsShift))
  const items = field(state, PLAN.items)
  for (let index = u32[head]!; index < u32[head + 1]!; index++) checkItem(state, items + index * ITEM.size, at)
}

/** Adds the pair of an item if its needle is in an entry in which it was not yet found. */
function checkItem(state: Scan, item: number, at: number): void {
  const { u8, u32 } = state
  if (!agrees(u8, item, (at + u32[(item + ITEM.reach) >>> 2]!) >>> 0)) return
  const entry = entryAt(state, at)
  if (entry < 0) return
  const needle = u32[(item + ITEM.needle) >>> 2]!
  const start = at - u32[(item + ITEM.before) >>> 2]!
  if (start < u32[(field(state, PLAN.starts) >>> 2) + entry]!) return
  if (start + u32[(item + ITEM.length) >>> 2]! > u32[(field(state, PLAN.ends) >>> 2) + entry]!) return
  const seen = (field(state, PLAN.seen) >>> 2) + needle
  const stamp = field(state, PLAN.stamp) + entry
  if (u32[seen] === stamp || !equals(u8, u32, field(state, PLAN.needles) + needle * NEEDLE.size, start)) return
  u32[seen] = stamp
  const pair = (field(state, PLAN.pairs) >>> 2) + state.pairs * 2
  u32[pair] = entry
  u32[pair + 1] = needle
  state.pairs++
}

/** Whether up to 8 bytes of an item's needle, those around the key, are at this position. */
function agrees(u8: Uint8Array, item: number, at: number): boolean {
  for (let index = 0; index < 8; index++) {
    if ((u8[at + index]! ^ u8[item + ITEM.value + index]!) & u8[item + ITEM.mask + index]!) return false
  }
  return true
}

/** The entry that contains a position, or -1. Positions ascend within a run, so the search continues at the last entry. */
function entryAt(state: Scan, at: number): number {
  const count = field(state, PLAN.entries)
  const ends = field(state, PLAN.ends) >>> 2
  let entry = field(state, PLAN.entry)
  while (entry < count && state.u32[ends + entry]! <= at) entry++
  setField(state, PLAN.entry, entry)
  return entry < count ? entry : -1
}
