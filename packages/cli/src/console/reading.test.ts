import { describe, expect, it } from 'vitest'
import { describeNoneInRange, describeReading, type ReadTotals } from './reading.js'

const time = (text: string) => BigInt(Date.parse(text)) * 1_000_000n
const utc = () => 0

const TOTALS: ReadTotals = {
  lines: 2000,
  entries: 1998,
  inRange: undefined,
  folded: 2,
  late: 0,
  formats: 2,
  first: time('2015-07-29T17:41:44.747Z'),
  last: time('2015-08-25T11:26:00Z'),
}

const describeWith = (totals: Partial<ReadTotals>, offset: (nanoseconds: bigint) => number = utc) =>
  describeReading({ ...TOTALS, ...totals }, offset)

describe('what was read is described', () => {
  it('with lines, entries, times and formats', () => {
    expect(describeWith({})).toEqual([
      'Read 2,000 lines as 1,998 entries from 2015-07-29 17:41:44Z to 2015-08-25 11:26:00Z in 2 formats.',
    ])
  })

  it('with times in the local time zone', () => {
    expect(describeWith({}, () => 330)[0]).toContain('from 2015-07-29 23:11:44+05:30 to 2015-08-25 16:56:00+05:30')
  })

  it('with one time if all entries are of the same second, even before 1970', () => {
    const at = time('1969-12-31T23:59:58.5Z')
    expect(describeWith({ lines: 1, entries: 1, folded: 0, formats: 1, first: at, last: at + 1n })).toEqual([
      'Read 1 line as 1 entry at 1969-12-31 23:59:58Z in 1 format.',
    ])
  })

  it.each([
    [120, ', 120 of them in the time range.'],
    [0, ', none of them in the time range.'],
  ])('with %d entries in the time range', (inRange, end) => {
    expect(describeWith({ inRange })[0]).toMatch(new RegExp(`in 2 formats${end}$`))
  })

  it('without times if there are none', () => {
    expect(describeWith({ lines: 3, entries: 3, folded: 0, formats: 0, first: undefined, last: undefined })).toEqual([
      'Read 3 lines as 3 entries without timestamps.',
    ])
  })

  it('with folded lines if they are many', () => {
    expect(describeWith({ folded: 99 })).toHaveLength(1)
    expect(describeWith({ folded: 356 })[1]).toBe('356 lines without a timestamp belong to the entry before them.')
    expect(describeWith({ lines: 10, entries: 1, folded: 9 })).toHaveLength(1)
  })

  it('with every entry that came late', () => {
    expect(describeWith({ late: 1 })[1]).toBe('1 entry came too late to be put in order.')
    expect(describeWith({ late: 1200 })[1]).toBe('1,200 entries came too late to be put in order.')
  })

  it('by nothing if there is no entry', () => {
    expect(describeWith({ lines: 0, entries: 0, folded: 0 })).toEqual([])
  })
})

it('a time range without entries is described with the times of the entries', () => {
  expect(describeNoneInRange(TOTALS, utc)).toBe(
    'none of the 1,998 entries is in the time range: they are from 2015-07-29 17:41:44Z to 2015-08-25 11:26:00Z',
  )
  expect(describeNoneInRange({ ...TOTALS, entries: 1, last: TOTALS.first }, utc)).toBe(
    'the only entry is not in the time range: it is at 2015-07-29 17:41:44Z',
  )
  expect(describeNoneInRange({ entries: 3, first: undefined, last: undefined }, utc)).toBe(
    'none of the 3 entries is in the time range',
  )
})
