import { expect, test } from 'vitest'
import { hashToken, isToken, makeToken } from './token.js'

test('a token is a prefix and 256 random bits in base58, always of the same length', () => {
  const tokens = [
    makeToken(),
    makeToken(),
    makeToken((bytes) => new Uint8Array(bytes)),
    makeToken((bytes) => new Uint8Array(bytes).fill(255)),
  ]
  for (const token of tokens) expect(isToken(token)).toBe(true)
  expect(new Set(tokens).size).toBe(4)
  expect(tokens[2]).toBe(`omen_${'1'.repeat(44)}`)
  expect(hashToken(tokens[0]!)).toMatch(/^[0-9a-f]{64}$/)
})

test.each(['', 'omen_', 'omen_abc', `omen_${'0'.repeat(44)}`, `omen_${'1'.repeat(45)}`, `Omen_${'1'.repeat(44)}`])(
  '%j is not a token',
  (text) => expect(isToken(text)).toBe(false),
)
