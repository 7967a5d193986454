import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalCode, hashCode, makeCode } from './codes.js'
import { isTransactionId, makeTransactionId } from './open-transaction.js'

test('a code is two groups of six letters that cannot be confused', () => {
  for (let round = 0; round < 1_000; round++) {
    const code = makeCode()
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{6}-[0-9A-HJKMNP-TV-Z]{6}$/)
    expect(canonicalCode(code)).toBe(code)
  }
})

test('all 60 bits of a code are used', () => {
  expect(makeCode(() => new Uint8Array(12))).toBe('000000-000000')
  expect(makeCode(() => new Uint8Array(12).fill(255))).toBe('ZZZZZZ-ZZZZZZ')
  expect(makeCode(() => Uint8Array.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]))).toBe('012345-6789AB')
})

test.each([
  ['k7qf2m-9xtr4b', 'K7QF2M-9XTR4B'],
  ['K7QF2M9XTR4B', 'K7QF2M-9XTR4B'],
  [' K7QF2M \u2013 9XTR4B\u00a0', 'K7QF2M-9XTR4B'],
  ['oOiIlL-000000', '001111-000000'],
])('%j is read as %s', (typed, code) => expect(canonicalCode(typed)).toBe(code))

test.each([
  '',
  '-',
  'K7QF2M',
  'K7QF2M-9XTR4B1',
  'K7QF2M-9XTR4U',
  'K7QF2M_9XTR4B',
  'ſ7QF2M-9XTR4B',
  'ı7QF2M-9XTR4B',
  '\0',
])('%j is not a code', (typed) => expect(canonicalCode(typed)).toBeUndefined())

test('only the hash of a code is stored, and no two codes have the same hash', () => {
  expect(hashCode('K7QF2M-9XTR4B')).toMatch(/^[0-9a-f]{64}$/)
  expect(hashCode('K7QF2M-9XTR4B')).not.toBe(hashCode('K7QF2M-9XTR4C'))
})

test('the id of a transaction is a UUID in 22 characters, for every UUID', () => {
  expect(makeTransactionId('00000000-0000-0000-0000-000000000000')).toBe('1'.repeat(22))
  expect(makeTransactionId('00000000-0000-0000-0000-00000000003a')).toBe(`${'1'.repeat(20)}21`)
  expect(makeTransactionId('ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe('YcVfxkQb6JRzqk5kF2tNLv')
  fc.assert(fc.property(fc.uuid(), (uuid) => isTransactionId(makeTransactionId(uuid))))
})

test.each(['', '1'.repeat(21), '1'.repeat(23), `${'1'.repeat(21)}0`, `${'1'.repeat(21)}l`, `${'1'.repeat(22)}\n`])(
  '%j is not a transaction id',
  (text) => expect(isTransactionId(text)).toBe(false),
)
