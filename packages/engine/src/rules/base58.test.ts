import { expect, test } from 'vitest'
import { base58 } from './base58.js'

test('writes bytes as one number in base 58', () => {
  expect(base58(new TextEncoder().encode('Hello World!'), 0)).toBe('2NEpo7TZRRrLZSi2U')
  expect(base58(Uint8Array.of(0), 0)).toBe('')
  expect(base58(Uint8Array.of(57), 0)).toBe('z')
})

test('fills up on the left', () => {
  expect(base58(Uint8Array.of(1), 4)).toBe('1112')
  expect(base58(new Uint8Array(16).fill(255), 22)).toHaveLength(22)
})
