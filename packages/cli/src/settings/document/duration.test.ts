import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDuration, readDuration } from './duration.js'

test.each([
  ['0', 0n],
  ['250ms', 250_000_000n],
  ['1h30m', 5_400_000_000_000n],
  ['1d', 86_400_000_000_000n],
  ['1w1d1h', 694_800_000_000_000n],
])('%s is parsed', (text, nanoseconds) => {
  expect(readDuration(text)).toBe(nanoseconds)
})

test.each(['', 'd', '1.5d', '5', '1 d', '9999999999999999999d', '1'.repeat(100), '1day', '1M'])(
  '%j is refused',
  (text) => {
    expect(() => readDuration(text)).toThrow()
  },
)

test.each([
  [0n, '0s'],
  [86_400_000_000_000n, '24h'],
  [604_800_000_000_000n, '7d'],
  [129_600_000_000_000n, '36h'],
  [1_500_000n, '1ms500µs'],
])('%s ns is shown as %s', (nanoseconds, text) => {
  expect(formatDuration(nanoseconds)).toBe(text)
})

test('a formatted duration parses to the same value', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: (1n << 62n) - 1n }), (nanoseconds) => {
      expect(readDuration(formatDuration(nanoseconds))).toBe(nanoseconds)
    }),
  )
})
