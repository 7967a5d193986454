import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatTimestamp } from './format-timestamp.js'

describe('a written timestamp', () => {
  test.each([
    [0n, 0, '1970-01-01T00:00:00Z'],
    [1_772_366_403_000_000_000n, 0, '2026-03-01T12:00:03Z'],
    [1_772_366_403_500_000_000n, 60, '2026-03-01T13:00:03.5+01:00'],
    [1_772_366_403_000_000_001n, -330, '2026-03-01T06:30:03.000000001-05:30'],
    [1_772_366_403_120_000_000n, 345, '2026-03-01T17:45:03.12+05:45'],
    [1_772_323_200_000_000_000n, -60, '2026-02-28T23:00:00-01:00'],
    [-1n, 0, '1969-12-31T23:59:59.999999999Z'],
    [2n ** 63n - 1n, 0, '2262-04-11T23:47:16.854775807Z'],
    [-(2n ** 63n), 0, '1677-09-21T00:12:43.145224192Z'],
  ])('of %d ns at an offset of %d minutes is %s', (timestamp, offset, written) => {
    expect(formatTimestamp(timestamp, () => offset)).toBe(written)
  })

  test('takes the offset that holds at that time', () => {
    const offset = (timestamp: bigint) => (timestamp < 100n ? 0 : 120)
    expect([99n, 100n].map((timestamp) => formatTimestamp(timestamp, offset))).toEqual([
      '1970-01-01T00:00:00.000000099Z',
      '1970-01-01T02:00:00.0000001+02:00',
    ])
  })

  test('reads back as the same time', () => {
    const times = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    fc.assert(
      fc.property(times, fc.integer({ min: -14 * 60, max: 14 * 60 }), (timestamp, offset) => {
        const written = formatTimestamp(timestamp, () => offset)
        const fraction = /\.(\d+)/.exec(written)?.[1] ?? ''
        const seconds = Date.parse(written.replace(/\.\d+/, '')) / 1000
        expect(BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'))).toBe(timestamp)
        expect(fraction.endsWith('0')).toBe(false)
      }),
    )
  })
})
