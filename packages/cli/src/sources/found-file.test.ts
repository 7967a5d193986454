import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inNaturalOrder } from './found-file.js'

it.each([
  [
    ['app.log.10', 'app.log.9', 'app.log', 'app.log.1'],
    ['app.log', 'app.log.1', 'app.log.9', 'app.log.10'],
  ],
  [
    ['b', 'a10b2', 'a10b10', 'a9'],
    ['a9', 'a10b2', 'a10b10', 'b'],
  ],
  [
    ['2026-03-01.log', '2026-02-28.log'],
    ['2026-02-28.log', '2026-03-01.log'],
  ],
  [
    ['a01', 'a1', 'a001'],
    ['a001', 'a01', 'a1'],
  ],
  [
    ['é', 'z', 'Z', ''],
    ['', 'Z', 'z', 'é'],
  ],
])('sorts %j', (names, sorted) => {
  expect(names.toSorted(inNaturalOrder)).toEqual(sorted)
})

it('is a total order', () => {
  const name = fc.stringMatching(/^[a0-9.]{0,8}$/)
  fc.assert(
    fc.property(name, name, name, (a, b, c) => {
      expect(Math.sign(inNaturalOrder(a, b))).toBe(-Math.sign(inNaturalOrder(b, a)) + 0)
      expect(inNaturalOrder(a, b) === 0).toBe(a === b)
      if (inNaturalOrder(a, b) < 0 && inNaturalOrder(b, c) < 0) expect(inNaturalOrder(a, c)).toBeLessThan(0)
    }),
    { numRuns: 2000 },
  )
})
