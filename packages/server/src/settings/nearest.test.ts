import { expect, test } from 'vitest'
import { nearest } from './nearest.js'

const NAMES = ['host', 'port', 'baseUrl', 'limitCalls']

test.each([
  ['prot', 'port'],
  ['base-url', 'baseUrl'],
  ['BASE_URL', 'baseUrl'],
  ['limitCall', 'limitCalls'],
  ['x', undefined],
  ['something', undefined],
  ['p'.repeat(1_000_000), undefined],
])('%.20s is most likely %s', (word, meant) => {
  expect(nearest(word, NAMES)).toBe(meant)
})
