import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FIRST_SIZE, ITEM, PLAN, SECOND_SIZE } from '../kernel/filter-layout.js'
import { type Kernel, loadKernel } from '../kernel/kernel.js'
import { plainKernel } from '../kernel/plain-kernel.js'
import { type FilterNeedle, makePlan } from './plan.js'

const makeKernel = await loadKernel()
const encoder = new TextEncoder()

/** Fills the tables for needles with a sample, filters the sample with them, and returns all results. */
function tablesOf({ memory, filter }: Kernel, needles: readonly FilterNeedle[], sample: Uint8Array): unknown {
  // The memory of the two kernels starts at different addresses, which do not matter here.
  const plan = makePlan(memory, needles)
  const at = (memory.allocate(sample.length + 256) + 127) & ~63
  memory.u8.set(sample, at)
  filter.filterFill(plan, at, at + sample.length)
  const field = (offset: number) => memory.u32[(plan + offset) >>> 2]!
  const bytes = (offset: number, size: number) => memory.u8.slice(field(offset), field(offset) + size)
  const heads = bytes(PLAN.heads, (2 ** (32 - field(PLAN.headsShift)) + 1) * 4)
  const items = new Uint32Array(heads.buffer)[heads.length / 4 - 1]! * ITEM.size
  const tables = [bytes(PLAN.first, FIRST_SIZE), bytes(PLAN.second, SECOND_SIZE), bytes(PLAN.items, items)]
  const masks = bytes(PLAN.masks, 128)
  const shape = [PLAN.stride, PLAN.fold, PLAN.bits, PLAN.fingerprints, PLAN.masksHigh].map(field)
  memory.u32[(plan + PLAN.at) >>> 2] = at
  memory.u32[(plan + PLAN.end) >>> 2] = at + sample.length
  filter.filterScan(plan)
  const statistics = [PLAN.done, PLAN.candidates, PLAN.checked].map(field)
  return { shape, statistics, masks, heads: digest(heads), tables: tables.map(digest) }
}

/** A digest, because comparing megabytes element by element takes an assertion library seconds. */
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

describe('the plain and the WebAssembly filter', () => {
  it('fill the same tables and have the same candidates', () => {
    fc.assert(
      fc.property(fc.array(anyNeedle, { maxLength: 20 }), anySample, (needles, sample) => {
        expect(tablesOf(plainKernel(), needles, sample)).toEqual(tablesOf(makeKernel(), needles, sample))
      }),
      { numRuns: 40 },
    )
  })

  it.each([4, 5, 7])('fill the same tables for thousands of needles of %i bytes', (length) => {
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
