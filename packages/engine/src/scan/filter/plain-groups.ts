import {
  CONTEXT,
  FIRST_SHIFT,
  GROUP,
  KEY_1,
  KEY_2,
  PLAN,
  QUEUE_GROUPS,
  SECOND_BIT_SHIFT,
  SECOND_SHIFT,
} from '../kernel/filter-layout.js'
import { contextHash, hashOf, load32 } from './plain-tables.js'

/** The memory and the plan's constant fields during one call. */
export interface Scan {
  readonly u8: Uint8Array
  readonly u32: Uint32Array
  readonly plan: number
  readonly first: number
  readonly second: number
  readonly bits: number
  readonly fold: number
  readonly stride: number
  readonly window: number
  readonly factor: number
  readonly fingerprints: number
  /** Index of the class table in `u32`. */
  readonly classes: number
  /** Pairs found in this call. */
  pairs: number
}

/** A field of the plan. */
export function field({ u32, plan }: Scan, offset: number): number {
  return u32[(plan + offset) >>> 2]!
}

export function setField({ u32, plan }: Scan, offset: number, value: number): void {
  u32[(plan + offset) >>> 2] = value
}

/** Puts the groups that may contain a needle into the check list: the kernel's first and second loop. */
export function filterGroups(state: Scan): void {
  const { u32, stride, fingerprints } = state
  const start = field(state, PLAN.at)
  const end = Math.min(field(state, PLAN.end), start + QUEUE_GROUPS * GROUP)
  const list = field(state, PLAN.checkList) >>> 2
  let candidates = 0
  let checks = 0
  for (let group = start; group < end; group += GROUP) {
    const starts = stride === 0 ? 0 : windowStarts(state, group)
    const ends = fingerprints === 0 ? 0 : fingerprintEnds(state, group)
    if (starts === 0 && ends === 0) continue
    candidates++
    const positions =
      (starts !== 0 && keepsWindows(state, group, starts) ? starts : 0) |
      (ends !== 0 && keepsFingerprints(state, group, ends) ? ends << 16 : 0)
    u32[list + checks * 2] = group
    u32[list + checks * 2 + 1] = positions
    checks += Number(positions !== 0)
  }
  setField(state, PLAN.at, start + QUEUE_GROUPS * GROUP)
  setField(state, PLAN.candidates, field(state, PLAN.candidates) + candidates)
  setField(state, PLAN.checked, field(state, PLAN.checked) + checks)
  setField(state, PLAN.checks, checks)
  setField(state, PLAN.next, 0)
  setField(state, PLAN.byte, 0)
}

/** A bit for each position whose window is known. */
function windowStarts(state: Scan, group: number): number {
  const { u8, u32, stride } = state
  let starts = 0
  if (stride === 4) {
    const word = group >>> 2
    starts =
      firstBit(state, windowHash(state, u32[word]!)) |
      (firstBit(state, windowHash(state, u32[word + 1]!)) << 4) |
      (firstBit(state, windowHash(state, u32[word + 2]!)) << 8) |
      (firstBit(state, windowHash(state, u32[word + 3]!)) << 12)
  } else {
    for (let byte = 0; byte < GROUP; byte += stride) {
      starts |= firstBit(state, windowHash(state, load32(u8, group + byte))) << byte
    }
  }
  return starts
}

/** The hash of a window that starts with these 4 bytes. */
export function windowHash({ fold, factor }: Scan, text: number): number {
  return Math.imul(text | fold, factor) >>> 0
}

function firstBit({ u8, first, bits }: Scan, hash: number): number {
  const bit = hash & bits
  return (u8[first + (hash >>> FIRST_SHIFT) + (bit >>> 3)]! >>> (bit & 7)) & 1
}

function secondBit({ u8, second, bits }: Scan, hash: number): number {
  return (u8[second + (hash >>> SECOND_SHIFT)]! >>> ((hash >>> SECOND_BIT_SHIFT) & bits & 7)) & 1
}

const several = (bits: number): boolean => (bits & (bits - 1)) !== 0
const firstOf = (bits: number): number => 31 - Math.clz32(bits & -bits)

/** Whether the only window is known with the bytes next to it. With several windows each is checked later. */
function keepsWindows(state: Scan, group: number, starts: number): boolean {
  if (several(starts)) return true
  const { u8, fold, stride, window } = state
  const at = group + firstOf(starts)
  const hash = windowHash(state, load32(u8, at))
  const after = (load32(u8, at + window) | fold) & 0xffff
  const before = (load32(u8, at - CONTEXT) | fold) & 0xffff
  const known = secondBit(state, contextHash(hash, after)) | secondBit(state, contextHash(hash, before))
  return known !== 0 || (stride !== 4 && secondBit(state, hash) !== 0)
}

/**
 * A bit for each position at which a fingerprint may end. Byte `n` of `accepted` has the buckets that accepted the last
 * `n + 1` bytes of text; with every byte they move up by one.
 */
function fingerprintEnds({ u8, u32, classes }: Scan, group: number): number {
  let accepted = 0
  let ends = 0
  for (let byte = -3; byte < GROUP; byte++) {
    accepted = ((accepted << 8) | 0xff) & u32[classes + u8[group + byte]!]!
    if (accepted >>> 24 !== 0 && byte >= 0) ends |= 1 << byte
  }
  return ends
}

/** Whether the only fingerprint is known. With several fingerprints each is checked later. */
function keepsFingerprints(state: Scan, group: number, ends: number): boolean {
  const at = group + firstOf(ends)
  return several(ends) || fingerprintHashes(state, at).some((hash) => secondBit(state, hash) !== 0)
}

/** The hashes of the fingerprints of all used lengths that end here. */
export function fingerprintHashes({ u8, fold, fingerprints }: Scan, at: number): number[] {
  const text = load32(u8, at - 3) | fold
  const hashes: number[] = []
  if (fingerprints & 4) hashes.push(hashOf(text >>> 8))
  if (fingerprints & 2) hashes.push(hashOf((text >>> 16) | KEY_2))
  if (fingerprints & 1) hashes.push(hashOf((text >>> 24) | KEY_1))
  return hashes
}
