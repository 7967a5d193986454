import { describe, expect, it } from 'vitest'
import type { Amount } from '../matching/events.js'
import type { Source } from '../sources/source.js'
import {
  describeExamination,
  describeNothingExamined,
  examine,
  type SourceReading,
  type TimeLimits,
} from './examination.js'

const time = (text: string) => BigInt(Date.parse(text)) * 1_000_000n
const FIRST = time('2026-03-01T12:00:00Z')
const LAST = time('2026-03-01T13:00:00Z')
const utc = () => 0

const AMOUNT: Amount = {
  bytes: 1000,
  lines: 20,
  entries: 20,
  inRange: 20,
  folded: 0,
  late: 0,
  formats: ['rfc3339'],
  first: FIRST,
  last: LAST,
  binaries: 0,
}
const EMPTY: Amount = {
  ...AMOUNT,
  bytes: 0,
  lines: 0,
  entries: 0,
  inRange: 0,
  formats: [],
  first: undefined,
  last: undefined,
}

function reading(
  name: string,
  amount: Partial<Amount> = {},
  more: Partial<Source> = {},
  failed = false,
): SourceReading {
  return {
    source: { name, type: '*', window: undefined, files: [], ...more },
    amount: { ...AMOUNT, ...amount },
    failed,
  }
}

const anyRule = { rules: [{ source: 'cre.log.kafka' }] } as unknown as Parameters<typeof examine>[1]
const of = (readings: readonly SourceReading[], limits: TimeLimits = 'none') =>
  examine(readings, anyRule, { limits, skipped: [] })
const linesOf = (...readings: readonly SourceReading[]) => describeExamination(of(readings), utc)
const nothingIn = (readings: readonly SourceReading[], limits: TimeLimits = 'none') =>
  describeNothingExamined(of(readings, limits), utc)

describe('what was examined', () => {
  it('is the sum over all sources, with the earliest and latest time and each format once', () => {
    const other = { formats: ['rfc3339', 'klog'], first: FIRST - 1_000_000_000n, last: LAST - 1n, late: 2 }
    expect(linesOf(reading('a.log'), reading('b.log', other))).toEqual([
      'Read 40 lines as 40 entries from 2026-03-01 11:59:59Z to 2026-03-01 13:00:00Z in 2 formats.',
      '2 entries came too late to be put in order.',
    ])
    expect(of([reading('a.log'), reading('b.log')]).entries).toBe(40)
  })

  it('does not have the reading times of lines without timestamps', () => {
    const untimed = { formats: [], first: time('2027-01-01T00:00:00Z'), last: time('2027-01-01T00:00:01Z') }
    expect(linesOf(reading('a.log'), reading('b.log', untimed))[0]).toContain('to 2026-03-01 13:00:00Z in 1 format.')
    expect(linesOf(reading('b.log', untimed))).toEqual(['Read 20 lines as 20 entries without timestamps.'])
  })

  it('does not include sources without rules, which are named', () => {
    const other = reading('web', { inRange: 7 }, { type: 'cre.log.nginx' })
    const examination = of([reading('broker', {}, { type: 'cre.log.kafka' }), other])
    expect(examination.entries).toBe(20)
    expect(describeExamination(examination, utc)[1]).toBe(
      'Not examined: 7 entries, because no rule is for cre.log.nginx.',
    )
  })

  it('is followed by skipped and empty files', () => {
    const skipped = [{ path: 'logs/wtmp', kind: 'binary', reason: 'binary' }] as const
    const examination = examine([reading('a.log'), reading('b.log', EMPTY)], anyRule, { limits: 'none', skipped })
    expect(describeExamination(examination, utc)[1]).toBe('Skipped 1 binary file, 1 empty file')
  })
})

describe('that nothing was examined', () => {
  it('is not said if something was', () => {
    expect(nothingIn([reading('a.log'), reading('b.log', EMPTY)])).toBeUndefined()
  })

  it('is said if the input is empty', () => {
    expect(nothingIn([reading('stdin', EMPTY)])).toBe('stdin is empty: nothing was examined')
    expect(nothingIn([reading('a.log', EMPTY), reading('b.log', EMPTY)])).toBe(
      'none of the 2 inputs has an entry: nothing was examined',
    )
    expect(linesOf(reading('stdin', EMPTY))).toEqual([])
  })

  it('is said if the input is binary', () => {
    const binary = { ...EMPTY, binaries: 1 }
    expect(nothingIn([reading('core', binary)])).toBe('core has no text: nothing was examined')
    expect(nothingIn([reading('core', binary), reading('b.log', EMPTY)])).toBe(
      'none of the 2 inputs has text: nothing was examined',
    )
    expect(linesOf(reading('a.log'), reading('core', binary))[1]).toBe('Skipped 1 binary file')
  })

  it('is said if no entry is in the time range, with the times of the entries', () => {
    expect(nothingIn([reading('a.log', { inRange: 0 })], 'matching')).toBe(
      'none of the 20 entries is in the time range: they are from 2026-03-01 12:00:00Z to 2026-03-01 13:00:00Z; nothing was examined',
    )
  })

  it('is said if nothing of the time range could be read, as from pods', () => {
    expect(nothingIn([reading('shop/web-1/app', EMPTY)], 'reading')).toBe(
      'shop/web-1/app has no entry in the time range: nothing was examined',
    )
    expect(of([reading('shop/web-1/app')], 'reading').totals.inRange).toBeUndefined()
  })

  it('is not said again if an error or a warning has said why', () => {
    expect(nothingIn([reading('a.log', EMPTY, {}, true)])).toBeUndefined()
    expect(nothingIn([reading('web', {}, { type: 'cre.log.nginx' })])).toBeUndefined()
  })
})
