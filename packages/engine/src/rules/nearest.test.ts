import { expect, test } from 'vitest'
import { nearest } from './nearest.js'

const words = ['value', 'regex', 'count', 'window', 'negate']

test('finds what a slip of the finger meant', () => {
  expect(
    ['valeu', 'vlaue', 'Value', 'regexp', 'coutn', 'windw', 'negates'].map((word) => nearest(word, words)),
  ).toEqual(['value', 'value', 'value', 'regex', 'count', 'window', 'negate'])
})

test('makes up no meaning for another word', () => {
  expect(['pattern', 'x', '', 'valuable-things', 'y'.repeat(10_000)].map((word) => nearest(word, words))).toEqual(
    Array(5).fill(undefined),
  )
})
