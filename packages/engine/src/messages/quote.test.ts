import fc from 'fast-check'
import { expect, test } from 'vitest'
import { orList, quote, quoteAll } from './quote.js'

test.each([
  ['https://idp.acme.com', '"https://idp.acme.com"'],
  ['a "b"', '"a \\"b\\""'],
  ['a\nb\u001b[31m', '"a\\nb\\u001b[31m"'],
  ['a\u202eb\u2028c', '"a\\u{202e}b\\u{2028}c"'],
  ['x'.repeat(300), `"${'x'.repeat(120)}…"`],
  [undefined, 'nothing'],
  [null, 'null'],
  [3, 'a number'],
  [['code'], 'a list'],
  [{}, 'an object'],
])('%j is shown as %s', (value, shown) => {
  expect(quote(value)).toBe(shown)
})

test('only the first eight of many values are shown', () => {
  expect(quoteAll(Array.from({ length: 1000 }, () => 'x'))).toBe(`${Array(8).fill('"x"').join(', ')} and 992 more`)
  expect(quoteAll([])).toBe('nothing')
})

test('a quoted value is short, on one line, and has no invisible characters', () => {
  fc.assert(
    fc.property(fc.anything(), fc.string({ unit: 'binary', maxLength: 1000 }), (value, text) => {
      for (const shown of [quote(value), quote(text)]) {
        expect(shown.length).toBeLessThan(2500)
        expect(shown).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u202e]/u)
      }
    }),
  )
})

test('choices are listed with commas and a final "or"', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(orList)).toEqual(['', 'a', 'a or b', 'a, b or c'])
})
