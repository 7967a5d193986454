import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Ring, Timestamps } from './queues.js'

function contents<T>(ring: Ring<T>): T[] {
  return Array.from({ length: ring.length }, (_, index) => ring.at(index))
}

test('a ring has the same elements as an array after the same changes', () => {
  const change = fc.oneof(
    { weight: 5, arbitrary: fc.constant('push' as const) },
    { weight: 3, arbitrary: fc.constant('shift' as const) },
    { weight: 1, arbitrary: fc.constant('clear' as const) },
    { weight: 3, arbitrary: fc.tuple(fc.nat(40), fc.nat(40)) },
  )
  fc.assert(
    fc.property(fc.array(change, { maxLength: 120, size: 'max' }), (changes) => {
      const ring = new Ring<number>()
      const model: number[] = []
      for (const [step, change] of changes.entries()) {
        if (change === 'push') {
          ring.push(step)
          model.push(step)
        } else if (change === 'clear') {
          ring.clear()
          model.length = 0
        } else if (change === 'shift') {
          if (model.length > 0) expect(ring.shift()).toBe(model.shift())
        } else {
          const index = Math.min(change[0], model.length)
          const count = Math.min(change[1], model.length - index)
          ring.remove(index, count)
          model.splice(index, count)
        }
        expect(contents(ring)).toEqual(model)
      }
    }),
    { numRuns: 100 },
  )
})

function holding(times: readonly bigint[], most = 1_000): Timestamps {
  const timestamps = new Timestamps(most)
  for (const time of times) timestamps.push(time)
  return timestamps
}

test('timestamps keep each time once', () => {
  expect(holding([1n, 1n, 2n, 2n, 2n]).length).toBe(2)
})

test('timestamps drop the oldest beyond their limit and return the limit', () => {
  const timestamps = holding([1n, 2n], 2)
  expect([timestamps.push(3n), timestamps.at(0), timestamps.push(3n)]).toEqual(['entries', 2n, undefined])
})

test('timestamps drop the times before a given one', () => {
  const timestamps = holding([1n, 2n, 3n])
  timestamps.dropBefore(2n)
  expect([timestamps.length, timestamps.at(0)]).toEqual([2, 2n])
})

test('timestamps find a time in a range, both ends included', () => {
  const time = fc.integer({ min: 0, max: 30 }).map(BigInt)
  fc.assert(
    fc.property(fc.array(time), time, time, (times, from, to) => {
      const sorted = times.toSorted((a, b) => Number(a - b))
      expect(holding(sorted).anyWithin(from, to)).toBe(times.some((one) => from <= one && one <= to))
    }),
    { numRuns: 300 },
  )
})
