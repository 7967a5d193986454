import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Deadlines } from './deadlines.js'

test('the earliest and the passed deadlines are the same as in a plain list', () => {
  const rules = 11
  const change = fc.tuple(fc.nat(rules - 1), fc.option(fc.integer({ min: 0, max: 20 }).map(BigInt), { nil: undefined }))
  fc.assert(
    fc.property(fc.array(change), fc.integer({ min: 0, max: 21 }).map(BigInt), (changes, clock) => {
      const deadlines = new Deadlines(rules)
      const model: (bigint | undefined)[] = new Array(rules).fill(undefined)
      for (const [rule, deadline] of changes) {
        deadlines.set(rule, deadline)
        model[rule] = deadline
      }
      const known = model.filter((deadline) => deadline !== undefined)
      expect(deadlines.earliest).toBe(known.toSorted((a, b) => Number(a - b))[0])
      expect(deadlines.passed(clock)).toEqual([...model.keys()].filter((rule) => (model[rule] ?? clock) < clock))
    }),
    { numRuns: 300 },
  )
})

test('deadlines work for no rule and for one rule', () => {
  expect(new Deadlines(0).earliest).toBeUndefined()
  const one = new Deadlines(1)
  one.set(0, 5n)
  expect([one.earliest, one.passed(5n), one.passed(6n)]).toEqual([5n, [], [0]])
})
