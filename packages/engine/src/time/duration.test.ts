import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDuration, parseDuration } from './duration.js'

describe('parseDuration', () => {
  it.each([
    ['0', 0n],
    ['-0', 0n],
    ['+0', 0n],
    ['5s', 5_000_000_000n],
    ['+5s', 5_000_000_000n],
    ['-5s', -5_000_000_000n],
    ['250ms', 250_000_000n],
    ['1h30m', 5_400_000_000_000n],
    ['1h30m5.5s', 5_405_500_000_000n],
    ['1.5h', 5_400_000_000_000n],
    ['.5s', 500_000_000n],
    ['5.s', 5_000_000_000n],
    ['-.5s', -500_000_000n],
    ['3us', 3_000n],
    ['3µs', 3_000n],
    ['3μs', 3_000n],
    ['7ns', 7n],
    ['1.9ns', 1n],
    ['1m1m', 120_000_000_000n],
    ['2562047h47m16.854775807s', 9_223_372_036_854_775_807n],
  ])('reads %s', (text, expected) => {
    expect(parseDuration(text)).toBe(expected)
  })

  it.each([
    '',
    '+',
    '-',
    '5',
    '1.5',
    's',
    '.s',
    '.',
    '5 s',
    ' 5s',
    '5s ',
    '5S',
    '5 parsecs',
    '5d',
    '1h-30m',
    '--5s',
    '1e3s',
    '٣s',
    '5s\n',
  ])('rejects %j', (text) => {
    expect(() => parseDuration(text)).toThrow('is not a duration: write it like 5s, 250ms or 1h30m')
  })

  it('rejects durations beyond 64 bits, and long strings at once', () => {
    expect(() => parseDuration('2562047h47m16.854775808s')).toThrow('too long a duration')
    expect(() => parseDuration(`${'9'.repeat(1_000_000)}h`)).toThrow('is not a duration')
  })

  it('reads any sum of units', () => {
    const amount = fc.integer({ min: 0, max: 999 })
    fc.assert(
      fc.property(amount, amount, amount, fc.boolean(), (hours, seconds, millis, negative) => {
        const total =
          BigInt(hours) * 3_600_000_000_000n + BigInt(seconds) * 1_000_000_000n + BigInt(millis) * 1_000_000n
        const text = `${negative ? '-' : ''}${hours}h${seconds}s${millis}ms`
        expect(parseDuration(text)).toBe(negative ? -total : total)
      }),
    )
  })
})

describe('formatDuration', () => {
  it('writes what parseDuration reads', () => {
    const written = ['1h30m', '10s', '250ms', '1m1ms', '0s', '-5s']
    expect(written.map((text) => formatDuration(parseDuration(text)))).toEqual(written)
    const duration = fc.bigInt({ min: -(1n << 62n), max: 1n << 62n })
    fc.assert(fc.property(duration, (nanoseconds) => parseDuration(formatDuration(nanoseconds)) === nanoseconds))
  })
})
