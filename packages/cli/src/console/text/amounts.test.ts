import { describe, expect, it } from 'vitest'
import { formatAmount, formatDuration, formatRate, formatTimeLeft, type Unit } from './amounts.js'

it.each<[number, Unit, string]>([
  [0, 'problems', '0 problems'],
  [1, 'rules', '1 rule'],
  [1, 'lines', '1 line'],
  [0, 'problems', '0 problems'],
  [950, 'lines', '950 lines'],
  [999, 'lines', '999 lines'],
  [1000, 'lines', '1.0k lines'],
  [1_234_567, 'lines', '1.2M lines'],
  [999_949, 'lines', '999.9k lines'],
  [999_950, 'lines', '1.0M lines'],
  [0, 'bytes', '0 B'],
  [512, 'bytes', '512 B'],
  [11_800, 'bytes', '11.8 kB'],
  [3_400_000, 'bytes', '3.4 MB'],
  [2_100_000_000, 'bytes', '2.1 GB'],
  [Number.MAX_SAFE_INTEGER, 'bytes', '9.0 PB'],
  [1e21, 'bytes', '1000000.0 PB'],
])('formatAmount(%d, %s) is %s', (amount, unit, expected) => {
  expect(formatAmount(amount, unit)).toBe(expected)
})

it.each([
  [-5, '0ms'],
  [0, '0ms'],
  [0.4, '0ms'],
  [12, '12ms'],
  [999.4, '999ms'],
  [999.6, '1.00s'],
  [1234, '1.23s'],
  [59_994, '59.99s'],
  [59_996, '1m00s'],
  [125_000, '2m05s'],
  [3_599_400, '59m59s'],
  [3_599_600, '1h00m'],
  [3_720_000, '1h02m'],
  [93_780_000, '26h03m'],
])('formatDuration(%d) is %s', (milliseconds, expected) => {
  expect(formatDuration(milliseconds)).toBe(expected)
})

describe('formatRate', () => {
  it.each<[number, number, Unit, string]>([
    [12, 3, 'rules', '4.0k rules/s'],
    [12, 0, 'rules', '12.0k rules/s'],
    [3, 60_000, 'problems', '0.1 problems/s'],
    [3, 2000, 'problems', '2 problems/s'],
    [0, 500, 'bytes', '0 B/s'],
    [11_800, 71, 'bytes', '166.2 kB/s'],
  ])('formats %d in %d ms, %s, as %s', (amount, milliseconds, unit, expected) => {
    expect(formatRate(amount, milliseconds, unit)).toBe(expected)
  })
})

it('formatTimeLeft rounds up to whole seconds', () => {
  expect([0, 1, 2300, 59_001, 125_000, 3_720_000].map(formatTimeLeft)).toEqual([
    '0s',
    '1s',
    '3s',
    '1m00s',
    '2m05s',
    '1h02m',
  ])
})
