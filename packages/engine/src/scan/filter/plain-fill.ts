import {
  BYTE_NEEDLES,
  CASE_BITS,
  CONTEXT,
  COUNTS_SHIFT,
  FINGERPRINTED,
  FIRST_SHIFT,
  FIRST_SIZE,
  FLAG,
  HASH_FACTOR,
  ITEM,
  LEAST_EXPECTED,
  NEEDLE,
  PLAN,
  SAMPLE_SIZE,
  SAMPLE_STEP,
  SEARCHED,
  SECOND_BIT_SHIFT,
  SECOND_SHIFT,
  SECOND_SIZE,
  SHARED_COST,
  TRUSTED_SAMPLE,
  WINDOW,
} from '../kernel/filter-layout.js'
import type { KernelMemory } from '../kernel/memory.js'
import { chooseFingerprint, fillMasks, fingerprintHash } from './plain-fingerprints.js'
import {
  contextHash,
  countSample,
  isLetter,
  load32,
  modelled,
  type Tables,
  triggersOf,
  unpackModel,
} from './plain-tables.js'

/** Twin of the kernel's `filterFill`: the tables are the same, byte for byte. */
export function fillTables({ u8, u32 }: KernelMemory, plan: number, from: number, to: number): void {
  const records = u32[(plan + PLAN.needles) >>> 2]!
  const tables: Tables = {
    u8,
    u32,
    read: (field) => u32[(plan + field) >>> 2]!,
    needle: (index, field) => u32[(records + index * NEEDLE.size + field) >>> 2]!,
    write(field, value) {
      u32[(plan + field) >>> 2] = value
    },
    writeNeedle(index, field, value) {
      u32[(records + index * NEEDLE.size + field) >>> 2] = value
    },
  }
  setShape(tables)
  unpackModel(tables)
  countSample(tables, from, to)
  const long = triggersOf(tables, true)
  const short = triggersOf(tables, false)
  clearHeads(tables)
  for (const index of long) countWindows(tables, index)
  for (const index of long) chooseWindows(tables, index, to - from)
  clearHeads(tables)
  u8.fill(0, tables.read(PLAN.first), tables.read(PLAN.first) + FIRST_SIZE)
  u8.fill(0, tables.read(PLAN.second), tables.read(PLAN.second) + SECOND_SIZE)
  for (const index of long) addWindows(tables, index)
  for (const index of short) addFingerprint(tables, index)
  fillMasks(tables, short)
  fillItems(tables)
}

/** Chooses stride and window size for all needles: the largest that leave few needles to fingerprints. */
function setShape(tables: Tables): void {
  const lengths: number[] = []
  let folds = false
  for (let index = 0; index < tables.read(PLAN.needleCount); index++) {
    const flags = tables.needle(index, NEEDLE.flags)
    if ((flags & FLAG.trigger) === 0) continue
    lengths.push(tables.needle(index, NEEDLE.length))
    folds ||= (flags & FLAG.fold) !== 0
  }
  const shapes = [
    [4, 4],
    [2, 4],
    [1, 4],
    [1, 3],
    [1, 2],
  ] as const
  const short = ([stride, window]: (typeof shapes)[number]) => lengths.filter((n) => n < stride + window - 1).length
  const shape = shapes.find((candidate) => short(candidate) <= FINGERPRINTED) ?? shapes[4]
  const [stride, window] = shape
  const long = lengths.length - short(shape)
  tables.write(PLAN.triggers, lengths.length)
  tables.write(PLAN.stride, long === 0 ? 0 : stride)
  tables.write(PLAN.window, window)
  tables.write(PLAN.factor, HASH_FACTOR << ((WINDOW - window) * 8))
  tables.write(PLAN.fold, folds ? CASE_BITS : 0)
  tables.write(PLAN.bits, long <= BYTE_NEEDLES ? 0 : 31)
  tables.write(PLAN.fingerprints, 0)
}

function headCount({ read }: Tables): number {
  return 2 ** (32 - read(PLAN.headsShift))
}

function clearHeads(tables: Tables): void {
  const heads = tables.read(PLAN.heads) >>> 2
  tables.u32.fill(0, heads, heads + headCount(tables) + 1)
}

function headOf({ read }: Tables, hash: number): number {
  return (read(PLAN.heads) >>> 2) + (hash >>> read(PLAN.headsShift))
}

/** Counts all windows of a needle, so that needles can avoid windows that many of them have. */
function countWindows(tables: Tables, index: number): void {
  for (let offset = 0; offset < windowCount(tables, index); offset++) {
    tables.u32[headOf(tables, windowHash(tables, index, offset))]!++
  }
}

function windowCount({ read, needle }: Tables, index: number): number {
  return Math.min(needle(index, NEEDLE.length) - read(PLAN.window) + 1, SEARCHED)
}

function chooseWindows(tables: Tables, index: number, sample: number): void {
  const { run, costs } = chooseRun(tables, index, sample)
  tables.writeNeedle(index, NEEDLE.key, run)
  let sides = 0
  for (let offset = run; offset < run + tables.read(PLAN.stride); offset++) {
    sides |= Number(isRarerBefore(costs, offset)) << (offset - run)
  }
  tables.writeNeedle(index, NEEDLE.sides, sides)
}

/** Whether the two bytes before a window are rarer than those after it, estimated by the windows that contain them. */
function isRarerBefore(costs: readonly number[], offset: number): boolean {
  if (offset < CONTEXT) return false
  return offset + CONTEXT >= costs.length || costs[offset - CONTEXT]! < costs[offset + CONTEXT]!
}

function addWindows(tables: Tables, index: number): void {
  const { u8, u32, read, needle } = tables
  const run = needle(index, NEEDLE.key)
  for (let offset = run; offset < run + read(PLAN.stride); offset++) {
    const hash = windowHash(tables, index, offset)
    u32[headOf(tables, hash)]!++
    setBit(u8, read(PLAN.first) + (hash >>> FIRST_SHIFT), hash & read(PLAN.bits))
    setSecond(tables, withContext(tables, index, offset, hash))
  }
}

function addFingerprint(tables: Tables, index: number): void {
  const last = chooseFingerprint(tables, index)
  tables.writeNeedle(index, NEEDLE.key, last)
  tables.write(PLAN.fingerprints, tables.read(PLAN.fingerprints) | (1 << Math.min(last, 2)))
  const hash = fingerprintHash(tables, index)
  setSecond(tables, hash)
  tables.u32[headOf(tables, hash)]!++
}

function setSecond({ u8, read }: Tables, hash: number): void {
  setBit(u8, read(PLAN.second) + (hash >>> SECOND_SHIFT), (hash >>> SECOND_BIT_SHIFT) & read(PLAN.bits) & 7)
}

function setBit(u8: Uint8Array, byte: number, bit: number): void {
  u8[byte + (bit >>> 3)]! |= 1 << (bit & 7)
}

/** The hash of a window with the two bytes before or after it, or of the window alone if the needle has neither. */
function withContext({ u8, read, needle }: Tables, index: number, offset: number, hash: number): number {
  const at = needle(index, NEEDLE.bytes) + offset
  const fold = read(PLAN.fold)
  const window = read(PLAN.window)
  const before = (needle(index, NEEDLE.sides) >>> (offset - needle(index, NEEDLE.key))) & 1
  if (before) return contextHash(hash, (load32(u8, at - CONTEXT) | fold) & 0xffff)
  if (offset + window + CONTEXT > needle(index, NEEDLE.length)) return hash
  return contextHash(hash, (load32(u8, at + window) | fold) & 0xffff)
}

function windowHash({ u8, read, needle }: Tables, index: number, offset: number): number {
  return Math.imul(load32(u8, needle(index, NEEDLE.bytes) + offset) | read(PLAN.fold), read(PLAN.factor)) >>> 0
}

/** Offset of the consecutive windows with the lowest expected cost, and the cost of each window. */
function chooseRun(tables: Tables, index: number, sample: number): { run: number; costs: readonly number[] } {
  const { u8, u32, read, needle } = tables
  const stride = read(PLAN.stride)
  const scale = (SAMPLE_SIZE * SAMPLE_STEP) / Math.max(sample, 1)
  const trust = Math.min(1, TRUSTED_SAMPLE / Math.max(sample, 1))
  const costs: number[] = []
  let sum = 0
  let least = Number.POSITIVE_INFINITY
  let run = 0
  for (let offset = 0; offset < windowCount(tables, index); offset++) {
    const hash = windowHash(tables, index, offset)
    const seen = sample === 0 ? 0 : u8[read(PLAN.first) + (hash >>> COUNTS_SHIFT)]!
    // The model is used only for windows that are not in the sample.
    const expected = seen !== 0 ? seen * scale : trust * modelled(tables, needle(index, NEEDLE.bytes) + offset)
    const cost = (expected + LEAST_EXPECTED) * (1 + SHARED_COST * u32[headOf(tables, hash)]!)
    costs.push(cost)
    sum += cost
    if (offset >= stride) sum -= costs[offset - stride]!
    if (offset + 1 >= stride && sum < least) {
      least = sum
      run = offset + 1 - stride
    }
  }
  return { run, costs }
}

/** Sorts the items by hash: each head is the index of its first item, and the next head is the end. */
function fillItems(tables: Tables): void {
  const { u32, read, needle } = tables
  const heads = read(PLAN.heads) >>> 2
  for (let head = 1; head <= headCount(tables); head++) u32[heads + head]! += u32[heads + head - 1]!
  const long = new Set(triggersOf(tables, true))
  const all = [...long, ...triggersOf(tables, false)].sort((a, b) => b - a)
  // Each head is now the end of its items; filling them backwards moves it to their start.
  for (const index of all) {
    const key = needle(index, NEEDLE.key)
    if (long.has(index)) {
      for (let offset = key; offset < key + read(PLAN.stride); offset++) {
        addItem(tables, index, offset, windowHash(tables, index, offset))
      }
    } else addItem(tables, index, key, fingerprintHash(tables, index))
  }
}

function addItem(tables: Tables, index: number, offset: number, hash: number): void {
  const { u8, u32, read, needle } = tables
  const item = read(PLAN.items) + --u32[headOf(tables, hash)]! * ITEM.size
  const length = needle(index, NEEDLE.length)
  const fold = (needle(index, NEEDLE.flags) & FLAG.fold) !== 0
  // The 8 bytes around the key, as far as they are in the needle; zeros follow it.
  const from = Math.max(0, Math.min(offset - 2, length - 8))
  for (let i = 0; i < 8; i++) {
    const byte = u8[needle(index, NEEDLE.bytes) + from + i]!
    u8[item + ITEM.value + i] = byte
    u8[item + ITEM.mask + i] = i >= length ? 0 : fold && isLetter(byte) ? 0xdf : 0xff
  }
  u32[(item + ITEM.reach) >>> 2] = from - offset
  u32[(item + ITEM.before) >>> 2] = offset
  u32[(item + ITEM.needle) >>> 2] = index
  u32[(item + ITEM.length) >>> 2] = length
}
