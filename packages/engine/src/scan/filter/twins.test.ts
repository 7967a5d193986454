import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Kernel, loadKernel } from '../kernel/kernel.js'
import { plainKernel } from '../kernel/plain-kernel.js'
import {
  FIRST_SIZE,
  ITEM_SIZE,
  PLAN_AT,
  PLAN_BITS,
  PLAN_CANDIDATES,
  PLAN_CHECKED,
  PLAN_DONE,
  PLAN_END,
  PLAN_FIRST,
  PLAN_FOLD,
  PLAN_HEADS,
  PLAN_HEADS_SHIFT,
  PLAN_ITEMS,
  PLAN_MASKS,
  PLAN_MASKS_HIGH,
  PLAN_PRINTS,
  PLAN_SECOND,
  PLAN_STRIDE,
  SECOND_SIZE,
} from './layout.js'
import { type FilterNeedle, makePlan } from './plan.js'

const makeKernel = await loadKernel()
const encoder = new TextEncoder()

/** Fills the tables for needles with a sample, filters the sample with them, and returns everything that came of it. */
function tablesOf({ memory, filter }: Kernel, needles: readonly FilterNeedle[], sample: Uint8Array): unknown {
  // Both kernels start their memory elsewhere, and addresses do not matter.
  const plan = makePlan(memory, needles)
  const at = (memory.allocate(sample.length + 256) + 127) & ~63
  memory.u8.set(sample, at)
  filter.filterFill(plan, at, at + sample.length)
  const field = (offset: number) => memory.u32[(plan + offset) >>> 2]!
  const bytes = (offset: number, size: number) => memory.u8.slice(field(offset), field(offset) + size)
  const heads = bytes(PLAN_HEADS, (2 ** (32 - field(PLAN_HEADS_SHIFT)) + 1) * 4)
  const items = new Uint32Array(heads.buffer)[heads.length / 4 - 1]! * ITEM_SIZE
  const tables = [bytes(PLAN_FIRST, FIRST_SIZE), bytes(PLAN_SECOND, SECOND_SIZE), bytes(PLAN_ITEMS, items)]
  const masks = bytes(PLAN_MASKS, 128)
  const shape = [PLAN_STRIDE, PLAN_FOLD, PLAN_BITS, PLAN_PRINTS, PLAN_MASKS_HIGH].map(field)
  memory.u32[(plan + PLAN_AT) >>> 2] = at
  memory.u32[(plan + PLAN_END) >>> 2] = at + sample.length
  filter.filterScan(plan)
  const statistics = [PLAN_DONE, PLAN_CANDIDATES, PLAN_CHECKED].map(field)
  return { shape, statistics, masks, heads: digest(heads), tables: tables.map(digest) }
}

/** Comparing megabytes element by element takes an assertion library seconds. */
function digest(bytes: Uint8Array): number {
  return bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0x811c9dc5)
}

const anyWord = fc.string({ unit: fc.constantFrom(...'abcdefgABC 019-é'), minLength: 1, maxLength: 14 })
const anyNeedle = fc.record({
  bytes: anyWord.map((word) => encoder.encode(word)),
  fold: fc.boolean(),
  trigger: fc.boolean(),
})
const anySample = fc.array(anyWord, { maxLength: 60 }).map((words) => encoder.encode(words.join('=')))

describe('the plain and the wasm filter', () => {
  it('fill the same tables and have the same candidates', () => {
    fc.assert(
      fc.property(fc.array(anyNeedle, { maxLength: 20 }), anySample, (needles, sample) => {
        expect(tablesOf(plainKernel(), needles, sample)).toEqual(tablesOf(makeKernel(), needles, sample))
      }),
      { numRuns: 40 },
    )
  })

  it.each([4, 5, 7])('do so for many needles of %i bytes', (length) => {
    const text = (number: number) =>
      Math.imul(number + 1, 0x9e3779b1)
        .toString(36)
        .padEnd(length, 'xyz')
    const needles = Array.from({ length: 3000 }, (_, n) => ({
      bytes: encoder.encode(text(n).slice(-length)),
      fold: n % 3 === 0,
    }))
    const sample = encoder.encode(Array.from({ length: 2000 }, (_, n) => text(n * 5)).join(' '))
    expect(tablesOf(plainKernel(), needles, sample)).toEqual(tablesOf(makeKernel(), needles, sample))
  })
})
