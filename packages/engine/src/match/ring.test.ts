import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Ring } from './ring.js'

function contents<T>(ring: Ring<T>): T[] {
  return Array.from({ length: ring.length }, (_, index) => ring.at(index))
}

test('a ring holds what an array would after the same changes', () => {
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
