import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Timestamps } from './timestamps.js'

function holding(times: readonly bigint[], most = 1_000): Timestamps {
  const timestamps = new Timestamps(most)
  for (const time of times) timestamps.push(time)
  return timestamps
}

test('a time is kept once', () => {
  expect(holding([1n, 1n, 2n, 2n, 2n]).length).toBe(2)
})

test('the oldest goes when there are too many, and it is said', () => {
  const timestamps = holding([1n, 2n], 2)
  expect([timestamps.push(3n), timestamps.at(0), timestamps.push(3n)]).toEqual(['entries', 2n, undefined])
})

test('times before a given one can be dropped', () => {
  const timestamps = holding([1n, 2n, 3n])
  timestamps.dropBefore(2n)
  expect([timestamps.length, timestamps.at(0)]).toEqual([2, 2n])
})

test('a time is found between two others, both included', () => {
  const time = fc.integer({ min: 0, max: 30 }).map(BigInt)
  fc.assert(
    fc.property(fc.array(time), time, time, (times, from, to) => {
      const sorted = times.toSorted((a, b) => Number(a - b))
      expect(holding(sorted).anyWithin(from, to)).toBe(times.some((one) => from <= one && one <= to))
    }),
    { numRuns: 300 },
  )
})
