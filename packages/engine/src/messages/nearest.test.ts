import { expect, test } from 'vitest'
import { nearest } from './nearest.js'

const KEYS = ['value', 'regex', 'count', 'window', 'negate', 'baseUrl', 'limitCalls']

test.each([
  ['valeu', 'value'],
  ['vlaue', 'value'],
  ['Value', 'value'],
  ['regexp', 'regex'],
  ['coutn', 'count'],
  ['windw', 'window'],
  ['negates', 'negate'],
  ['base-url', 'baseUrl'],
  ['BASE_URL', 'baseUrl'],
  ['limitCall', 'limitCalls'],
])('%s is a mistyped %s', (word, meant) => {
  expect(nearest(word, KEYS)).toBe(meant)
})

test.each(['pattern', 'x', '', '--', 'something', 'valuable-things', 'y'.repeat(1_000_000)])(
  '%.20j is not a mistyped key',
  (word) => expect(nearest(word, KEYS)).toBeUndefined(),
)
