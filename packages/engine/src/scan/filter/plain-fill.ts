import type { KernelMemory } from '../kernel/memory.js'
import {
  BYTE_NEEDLES,
  CASE_BITS,
  CONTEXT,
  COUNTS_SHIFT,
  FINGERPRINTED,
  FIRST_SHIFT,
  FIRST_SIZE,
  FLAG_FOLD,
  FLAG_TRIGGER,
  HASH_FACTOR,
  ITEM_BEFORE,
  ITEM_LENGTH,
  ITEM_MASK,
  ITEM_NEEDLE,
  ITEM_REACH,
  ITEM_SIZE,
  ITEM_VALUE,
  NEEDLE_BYTES,
  NEEDLE_FLAGS,
  NEEDLE_KEY,
  NEEDLE_LENGTH,
  NEEDLE_SIDES,
  NEEDLE_SIZE,
  PLAN_BITS,
  PLAN_FACTOR,
  PLAN_FIRST,
  PLAN_FOLD,
  PLAN_HEADS,
  PLAN_HEADS_SHIFT,
  PLAN_ITEMS,
  PLAN_NEEDLE_COUNT,
  PLAN_NEEDLES,
  PLAN_PRINTS,
  PLAN_SECOND,
  PLAN_STRIDE,
  PLAN_TRIGGERS,
  PLAN_WINDOW,
  SAMPLE_SIZE,
  SAMPLE_STEP,
  SEARCHED,
  SECOND_BIT_SHIFT,
  SECOND_SHIFT,
  SECOND_SIZE,
  TRUSTED_SAMPLE,
  WINDOW,
} from './layout.js'
import { countSample, modelled, unpackModel } from './plain-model.js'
import { choosePrint, fillMasks, printHash } from './plain-prints.js'
import { contextHash, isLetter, load32, type Tables, triggersOf } from './plain-tables.js'

/** A window that neither the sample nor the model knows is still expected this often in 256 KiB. */
const LEAST_EXPECTED = 0.0625
/** What each needle that has the same window adds to the cost of an occurrence: a compare, a fiftieth of the rest. */
const SHARED_COST = 0.02

/** Twin of the kernel's `filterFill`: the tables come out the same, byte for byte. */
export function fillTables({ u8, u32 }: KernelMemory, plan: number, from: number, to: number): void {
  const records = u32[(plan + PLAN_NEEDLES) >>> 2]!
  const tables: Tables = {
    u8,
    u32,
    read: (field) => u32[(plan + field) >>> 2]!,
    needle: (index, field) => u32[(records + index * NEEDLE_SIZE + field) >>> 2]!,
    write(field, value) {
      u32[(plan + field) >>> 2] = value
    },
    writeNeedle(index, field, value) {
      u32[(records + index * NEEDLE_SIZE + field) >>> 2] = value
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
  u8.fill(0, tables.read(PLAN_FIRST), tables.read(PLAN_FIRST) + FIRST_SIZE)
  u8.fill(0, tables.read(PLAN_SECOND), tables.read(PLAN_SECOND) + SECOND_SIZE)
  for (const index of long) addWindows(tables, index)
  for (const index of short) addPrint(tables, index)
  fillMasks(tables, short)
  fillItems(tables)
}

/** Decides by the needles as a whole how they are looked for: at as few positions as leave little to fingerprints. */
function setShape(tables: Tables): void {
  const lengths: number[] = []
  let folds = false
  for (let index = 0; index < tables.read(PLAN_NEEDLE_COUNT); index++) {
    const flags = tables.needle(index, NEEDLE_FLAGS)
    if ((flags & FLAG_TRIGGER) === 0) continue
    lengths.push(tables.needle(index, NEEDLE_LENGTH))
    folds ||= (flags & FLAG_FOLD) !== 0
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
  tables.write(PLAN_TRIGGERS, lengths.length)
  tables.write(PLAN_STRIDE, long === 0 ? 0 : stride)
  tables.write(PLAN_WINDOW, window)
  tables.write(PLAN_FACTOR, HASH_FACTOR << ((WINDOW - window) * 8))
  tables.write(PLAN_FOLD, folds ? CASE_BITS : 0)
  tables.write(PLAN_BITS, long <= BYTE_NEEDLES ? 0 : 31)
  tables.write(PLAN_PRINTS, 0)
}

function headCount({ read }: Tables): number {
  return 2 ** (32 - read(PLAN_HEADS_SHIFT))
}

function clearHeads(tables: Tables): void {
  const heads = tables.read(PLAN_HEADS) >>> 2
  tables.u32.fill(0, heads, heads + headCount(tables) + 1)
}

function headOf({ read }: Tables, hash: number): number {
  return (read(PLAN_HEADS) >>> 2) + (hash >>> read(PLAN_HEADS_SHIFT))
}

/** Counts all windows that a needle has, so that each can avoid those that many have. */
function countWindows(tables: Tables, index: number): void {
  for (let offset = 0; offset < windowCount(tables, index); offset++) {
    tables.u32[headOf(tables, windowHash(tables, index, offset))]!++
  }
}

function windowCount({ read, needle }: Tables, index: number): number {
  return Math.min(needle(index, NEEDLE_LENGTH) - read(PLAN_WINDOW) + 1, SEARCHED)
}

function chooseWindows(tables: Tables, index: number, sample: number): void {
  const { run, costs } = chooseRun(tables, index, sample)
  tables.writeNeedle(index, NEEDLE_KEY, run)
  let sides = 0
  for (let offset = run; offset < run + tables.read(PLAN_STRIDE); offset++) {
    sides |= Number(isRarerBefore(costs, offset)) << (offset - run)
  }
  tables.writeNeedle(index, NEEDLE_SIDES, sides)
}

/**
 * Whether the two bytes before a window tell more than those after it: as rare as the windows that begin and end with
 * them.
 */
function isRarerBefore(costs: readonly number[], offset: number): boolean {
  if (offset < CONTEXT) return false
  return offset + CONTEXT >= costs.length || costs[offset - CONTEXT]! < costs[offset + CONTEXT]!
}

function addWindows(tables: Tables, index: number): void {
  const { u8, u32, read, needle } = tables
  const run = needle(index, NEEDLE_KEY)
  for (let offset = run; offset < run + read(PLAN_STRIDE); offset++) {
    const hash = windowHash(tables, index, offset)
    u32[headOf(tables, hash)]!++
    setBit(u8, read(PLAN_FIRST) + (hash >>> FIRST_SHIFT), hash & read(PLAN_BITS))
    setSecond(tables, withContext(tables, index, offset, hash))
  }
}

function addPrint(tables: Tables, index: number): void {
  const last = choosePrint(tables, index)
  tables.writeNeedle(index, NEEDLE_KEY, last)
  tables.write(PLAN_PRINTS, tables.read(PLAN_PRINTS) | (1 << Math.min(last, 2)))
  const hash = printHash(tables, index)
  setSecond(tables, hash)
  tables.u32[headOf(tables, hash)]!++
}

function setSecond({ u8, read }: Tables, hash: number): void {
  setBit(u8, read(PLAN_SECOND) + (hash >>> SECOND_SHIFT), (hash >>> SECOND_BIT_SHIFT) & read(PLAN_BITS) & 7)
}

function setBit(u8: Uint8Array, byte: number, bit: number): void {
  u8[byte + (bit >>> 3)]! |= 1 << (bit & 7)
}

/** The hash of a window with the two bytes before it, or after it, or neither, as far as the needle has them. */
function withContext({ u8, read, needle }: Tables, index: number, offset: number, hash: number): number {
  const at = needle(index, NEEDLE_BYTES) + offset
  const fold = read(PLAN_FOLD)
  const window = read(PLAN_WINDOW)
  const before = (needle(index, NEEDLE_SIDES) >>> (offset - needle(index, NEEDLE_KEY))) & 1
  if (before) return contextHash(hash, (load32(u8, at - CONTEXT) | fold) & 0xffff)
  if (offset + window + CONTEXT > needle(index, NEEDLE_LENGTH)) return hash
  return contextHash(hash, (load32(u8, at + window) | fold) & 0xffff)
}

function windowHash({ u8, read, needle }: Tables, index: number, offset: number): number {
  return Math.imul(load32(u8, needle(index, NEEDLE_BYTES) + offset) | read(PLAN_FOLD), read(PLAN_FACTOR)) >>> 0
}

/** Offset of the windows in a row that are expected to cost least in the text, and what each window costs. */
function chooseRun(tables: Tables, index: number, sample: number): { run: number; costs: readonly number[] } {
  const { u8, u32, read, needle } = tables
  const stride = read(PLAN_STRIDE)
  const scale = (SAMPLE_SIZE * SAMPLE_STEP) / Math.max(sample, 1)
  const trust = Math.min(1, TRUSTED_SAMPLE / Math.max(sample, 1))
  const costs: number[] = []
  let sum = 0
  let least = Number.POSITIVE_INFINITY
  let run = 0
  for (let offset = 0; offset < windowCount(tables, index); offset++) {
    const hash = windowHash(tables, index, offset)
    const seen = sample === 0 ? 0 : u8[read(PLAN_FIRST) + (hash >>> COUNTS_SHIFT)]!
    // What the sample has, the model need not be asked for.
    const expected = seen !== 0 ? seen * scale : trust * modelled(tables, needle(index, NEEDLE_BYTES) + offset)
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

/** Sorts the items by hash: each head says where its items start, and the next one where they end. */
function fillItems(tables: Tables): void {
  const { u32, read, needle } = tables
  const heads = read(PLAN_HEADS) >>> 2
  for (let head = 1; head <= headCount(tables); head++) u32[heads + head]! += u32[heads + head - 1]!
  const long = new Set(triggersOf(tables, true))
  const all = [...long, ...triggersOf(tables, false)].sort((a, b) => b - a)
  // Each head now tells where its items end; filling them from the back moves it to where they start.
  for (const index of all) {
    const key = needle(index, NEEDLE_KEY)
    if (long.has(index)) {
      for (let offset = key; offset < key + read(PLAN_STRIDE); offset++) {
        addItem(tables, index, offset, windowHash(tables, index, offset))
      }
    } else addItem(tables, index, key, printHash(tables, index))
  }
}

function addItem(tables: Tables, index: number, offset: number, hash: number): void {
  const { u8, u32, read, needle } = tables
  const item = read(PLAN_ITEMS) + --u32[headOf(tables, hash)]! * ITEM_SIZE
  const length = needle(index, NEEDLE_LENGTH)
  const fold = (needle(index, NEEDLE_FLAGS) & FLAG_FOLD) !== 0
  // The 8 bytes around the key, as far as the needle has them; zeros follow it.
  const from = Math.max(0, Math.min(offset - 2, length - 8))
  for (let place = 0; place < 8; place++) {
    const byte = u8[needle(index, NEEDLE_BYTES) + from + place]!
    u8[item + ITEM_VALUE + place] = byte
    u8[item + ITEM_MASK + place] = place >= length ? 0 : fold && isLetter(byte) ? 0xdf : 0xff
  }
  u32[(item + ITEM_REACH) >>> 2] = from - offset
  u32[(item + ITEM_BEFORE) >>> 2] = offset
  u32[(item + ITEM_NEEDLE) >>> 2] = index
  u32[(item + ITEM_LENGTH) >>> 2] = length
}
