import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quote, quoteAll } from './quote.js'

test.each([
  ['https://idp.acme.com', '"https://idp.acme.com"'],
  ['a "b"', '"a \\"b\\""'],
  ['a\nb\u001b[31m', '"a\\nb\\u001b[31m"'],
  ['a\u202eb\u2028c', '"a\\u{202e}b\\u{2028}c"'],
  ['x'.repeat(300), `"${'x'.repeat(200)}…"`],
  [undefined, 'nothing'],
  [null, 'null'],
  [3, 'a number'],
  [['code'], 'a list'],
  [{}, 'an object'],
])('%j is told as %s', (value, told) => {
  expect(quote(value)).toBe(told)
})

test('many values are told in part', () => {
  expect(quoteAll(Array.from({ length: 1000 }, () => 'x'))).toBe(`${Array(8).fill('"x"').join(', ')} and 992 more`)
  expect(quoteAll([])).toBe('nothing')
})

test('whatever is told is short and on one line', () => {
  fc.assert(
    fc.property(fc.anything(), fc.string({ unit: 'binary', maxLength: 1000 }), (value, text) => {
      for (const told of [quote(value), quote(text)]) {
        expect(told.length).toBeLessThan(2500)
        expect(told).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u202e]/u)
      }
    }),
  )
})
