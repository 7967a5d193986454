import { assert, nat, property } from 'fast-check'
import { expect, test } from 'vitest'
import { readByteRange } from './conditional.js'

test.each([
  ['bytes=0-0', { start: 0, end: 1 }],
  ['bytes=10-19', { start: 10, end: 20 }],
  ['bytes=90-', { start: 90, end: 100 }],
  ['bytes=-10', { start: 90, end: 100 }],
  ['bytes=-1000', { start: 0, end: 100 }],
  ['bytes=0-99999999999999999999999', { start: 0, end: 100 }],
  ['BYTES = 1 - 2', { start: 1, end: 3 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=99999999999999999999999-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=20-10', 'whole'],
  ['bytes=0-1,5-6', 'whole'],
  ['bytes=', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=a-b', 'whole'],
  ['items=0-1', 'whole'],
  [undefined, 'whole'],
])('the range %s of a file of 100 bytes is parsed', (header, range) =>
  expect(readByteRange(header, 100)).toEqual(range),
)

test('every range inside the file is used as it is written', () => {
  assert(
    property(nat({ max: 1000 }), nat({ max: 1000 }), nat({ max: 1000 }), (a, b, more) => {
      const [first, last] = [Math.min(a, b), Math.max(a, b)]
      expect(readByteRange(`bytes=${first}-${last}`, last + 1 + more)).toEqual({ start: first, end: last + 1 })
    }),
  )
})
