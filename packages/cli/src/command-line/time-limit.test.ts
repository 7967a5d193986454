import { formatTimestamp } from '@omen/engine'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { type LimitEnd, readTimeLimit } from './time-limit.js'

const systemZone = process.env.TZ
afterEach(() => {
  if (systemZone === undefined) delete process.env.TZ
  else process.env.TZ = systemZone
})

/** Reads a limit in a time zone and shows it in UTC. */
async function limit(text: string, zone = 'UTC', end: LimitEnd = 'since', now = '2026-03-05T12:34:56.789Z') {
  process.env.TZ = zone
  const nanoseconds = await readTimeLimit(text, end, new Date(now))
  const seconds = new Date(Number(nanoseconds / 1_000_000_000n) * 1000).toISOString().slice(0, 19)
  const fraction = (nanoseconds % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '')
  return fraction === '' ? `${seconds}Z` : `${seconds}.${fraction}Z`
}

describe('durations', () => {
  it.each([
    ['10m', '2026-03-05T12:24:56.789Z'],
    ['1h30m', '2026-03-05T11:04:56.789Z'],
    ['2d', '2026-03-03T12:34:56.789Z'],
    ['1w', '2026-02-26T12:34:56.789Z'],
    ['1w1d1h', '2026-02-25T11:34:56.789Z'],
    ['1.5d', '2026-03-04T00:34:56.789Z'],
    ['90s', '2026-03-05T12:33:26.789Z'],
    ['250ms', '2026-03-05T12:34:56.539Z'],
    ['1ns', '2026-03-05T12:34:56.788999999Z'],
    ['-2h', '2026-03-05T10:34:56.789Z'],
    ['0', '2026-03-05T12:34:56.789Z'],
    ['0d', '2026-03-05T12:34:56.789Z'],
    ['2h ago', '2026-03-05T10:34:56.789Z'],
    ['2 hours ago', '2026-03-05T10:34:56.789Z'],
    ['2 HOURS AGO', '2026-03-05T10:34:56.789Z'],
    ['2 hours', '2026-03-05T10:34:56.789Z'],
    ['an hour ago', '2026-03-05T11:34:56.789Z'],
    ['a week ago', '2026-02-26T12:34:56.789Z'],
    ['90 min ago', '2026-03-05T11:04:56.789Z'],
    ['5 m', '2026-03-05T12:29:56.789Z'],
    ['2 days ago', '2026-03-03T12:34:56.789Z'],
    ['1 day, 2 hours and 3 minutes ago', '2026-03-04T10:31:56.789Z'],
    ['1 week 30 secs', '2026-02-26T12:34:26.789Z'],
  ])('%s ago', async (text, expected) => {
    expect(await limit(text)).toBe(expected)
  })

  it('have days of 24 hours even when clocks change', async () => {
    expect(await limit('1d', 'Europe/Berlin', 'since', '2026-03-29T10:00:00Z')).toBe('2026-03-28T10:00:00Z')
  })
})

describe('names', () => {
  it('are in the local time zone', async () => {
    expect(await limit('now')).toBe('2026-03-05T12:34:56.789Z')
    expect(await limit('today')).toBe('2026-03-05T00:00:00Z')
    expect(await limit('yesterday')).toBe('2026-03-04T00:00:00Z')
    expect(await limit('Today', 'America/New_York')).toBe('2026-03-05T05:00:00Z')
    expect(await limit('today', 'Pacific/Auckland')).toBe('2026-03-05T11:00:00Z')
  })

  it('follow the calendar across clock changes and the end of a year', async () => {
    expect(await limit('yesterday', 'Europe/Berlin', 'since', '2026-03-30T10:00:00Z')).toBe('2026-03-28T23:00:00Z')
    expect(await limit('today', 'Europe/Berlin', 'since', '2026-03-30T10:00:00Z')).toBe('2026-03-29T22:00:00Z')
    expect(await limit('yesterday', 'UTC', 'since', '2026-01-01T10:00:00Z')).toBe('2025-12-31T00:00:00Z')
  })

  it('mean the first moment of a day that has no midnight', async () => {
    expect(await limit('today', 'America/Sao_Paulo', 'since', '2018-11-04T12:00:00Z')).toBe('2018-11-04T03:00:00Z')
  })
})

describe('times of day', () => {
  it('are those of today, or of yesterday if they are in the future', async () => {
    expect(await limit('03:00')).toBe('2026-03-05T03:00:00Z')
    expect(await limit('3:00')).toBe('2026-03-05T03:00:00Z')
    expect(await limit('12:34:56.789')).toBe('2026-03-05T12:34:56.789Z')
    expect(await limit('12:34:56.790')).toBe('2026-03-04T12:34:56.79Z')
    expect(await limit('23:59:59')).toBe('2026-03-04T23:59:59Z')
    expect(await limit('23:59', 'UTC', 'until')).toBe('2026-03-04T23:59:00Z')
  })

  it('are in the local time zone', async () => {
    expect(await limit('03:00', 'Europe/Berlin')).toBe('2026-03-05T02:00:00Z')
    expect(await limit('13:00', 'Europe/Berlin')).toBe('2026-03-05T12:00:00Z')
    expect(await limit('08:00', 'America/New_York')).toBe('2026-03-04T13:00:00Z')
    expect(await limit('01:00', 'Pacific/Auckland')).toBe('2026-03-05T12:00:00Z')
  })

  it('may follow the name of a day', async () => {
    expect(await limit('today 03:00')).toBe('2026-03-05T03:00:00Z')
    expect(await limit('today 23:00')).toBe('2026-03-05T23:00:00Z')
    expect(await limit('Yesterday 14:30:15', 'Europe/Berlin')).toBe('2026-03-04T13:30:15Z')
  })

  it('follow the calendar across clock changes', async () => {
    expect(await limit('02:30', 'Europe/Berlin', 'since', '2026-10-25T12:00:00Z')).toBe('2026-10-25T00:30:00Z')
    expect(await limit('02:30', 'Europe/Berlin', 'until', '2026-10-25T12:00:00Z')).toBe('2026-10-25T01:30:00Z')
    expect(await limit('14:00', 'Europe/Berlin', 'since', '2026-03-29T11:00:00Z')).toBe('2026-03-28T13:00:00Z')
  })
})

describe('seconds since 1970', () => {
  it.each([
    ['1772366401', '2026-03-01T12:00:01Z'],
    ['@1772366401', '2026-03-01T12:00:01Z'],
    ['1772366401.25', '2026-03-01T12:00:01.25Z'],
    ['1772366401250', '2026-03-01T12:00:01.25Z'],
    ['1772366401250.5', '2026-03-01T12:00:01.2505Z'],
    ['1772366401250001', '2026-03-01T12:00:01.250001Z'],
    ['1772366401250000001', '2026-03-01T12:00:01.250000001Z'],
  ])('%s may also be thousandths or smaller', async (text, expected) => {
    expect(await limit(text, 'Asia/Tokyo')).toBe(expected)
  })
})

describe('times without a zone', () => {
  it.each([
    ['2026-03-01', '2026-02-28T23:00:00Z'],
    ['2026-07-01', '2026-06-30T22:00:00Z'],
    ['2026-03-01 12:00', '2026-03-01T11:00:00Z'],
    ['2026-03-01T12:00', '2026-03-01T11:00:00Z'],
    ['2026-03-01 12:00:05', '2026-03-01T11:00:05Z'],
    ['2026-03-01 12:00:05.123', '2026-03-01T11:00:05.123Z'],
    ['2026-03-01 12:00:05,123', '2026-03-01T11:00:05.123Z'],
    ['2026-03-01t12:00:05.123456789', '2026-03-01T11:00:05.123456789Z'],
    ['2024-02-29', '2024-02-28T23:00:00Z'],
  ])('%s is local', async (text, expected) => {
    expect(await limit(text, 'Europe/Berlin')).toBe(expected)
  })

  it('that occur twice mean the first for --since and the second for --until', async () => {
    expect(await limit('2026-10-25 02:30', 'Europe/Berlin', 'since')).toBe('2026-10-25T00:30:00Z')
    expect(await limit('2026-10-25 02:30', 'Europe/Berlin', 'until')).toBe('2026-10-25T01:30:00Z')
    expect(await limit('2026-10-25 02:00', 'Europe/Berlin', 'until')).toBe('2026-10-25T01:00:00Z')
    expect(await limit('2026-10-25 01:59:59', 'Europe/Berlin', 'until')).toBe('2026-10-24T23:59:59Z')
    expect(await limit('2026-10-25 03:00', 'Europe/Berlin', 'until')).toBe('2026-10-25T02:00:00Z')
    expect(await limit('2026-11-01 01:30', 'America/New_York', 'until')).toBe('2026-11-01T06:30:00Z')
    expect(await limit('2026-04-05 01:45', 'Australia/Lord_Howe', 'since')).toBe('2026-04-04T14:45:00Z')
    expect(await limit('2026-04-05 01:45', 'Australia/Lord_Howe', 'until')).toBe('2026-04-04T15:15:00Z')
  })

  it('that are skipped are read as if the clocks had not changed', async () => {
    expect(await limit('2026-03-29 02:30', 'Europe/Berlin', 'since')).toBe('2026-03-29T01:30:00Z')
    expect(await limit('2026-03-29 02:30', 'Europe/Berlin', 'until')).toBe('2026-03-29T01:30:00Z')
  })
})

describe('times with a zone', () => {
  it.each([
    ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00Z'],
    ['2026-03-01t12:00:00z', '2026-03-01T12:00:00Z'],
    ['2026-03-01T12:00:00+02:00', '2026-03-01T10:00:00Z'],
    ['2026-03-01 12:00:00.5 -0530', '2026-03-01T17:30:00.5Z'],
    ['2026-03-01T12:00Z', '2026-03-01T12:00:00Z'],
    ['2026-03-01T00:00:00+14:00', '2026-02-28T10:00:00Z'],
  ])('%s is read with its own zone', async (text, expected) => {
    expect(await limit(text, 'Asia/Tokyo')).toBe(expected)
  })

  it('are read as reports write them, to the nanosecond', async () => {
    const from = BigInt(Date.UTC(1971, 0)) * 1_000_000n
    const to = BigInt(Date.UTC(2100, 0)) * 1_000_000n
    await fc.assert(
      fc.asyncProperty(fc.bigInt(from, to), fc.constantFrom(0, 60, 330, -570), async (time, offset) => {
        const shown = formatTimestamp(time, () => offset)
        expect(await readTimeLimit(shown, 'since', new Date(0))).toBe(time)
      }),
    )
  })
})

describe('an invalid time', () => {
  it.each([
    '',
    'soon',
    'hours ago',
    '2 moons ago',
    '2 hours later',
    'ago',
    'today at noon',
    'tomorrow',
    '20260301',
    '12h1d',
    '1d2w',
    '--1h',
    '+1h',
    '1h-2m',
    '-',
    'd',
    '2026-3-1',
    '01.03.2026',
    '12:0',
    '12h30',
    '2026-03-01Z',
    '999999w',
  ])('%s is rejected with a list of valid forms', async (text) => {
    await expect(limit(text)).rejects.toThrow(
      `${JSON.stringify(text)} is not a time: write 10m, 1h30m, 2d, "2 hours ago", 03:00, now`,
    )
  })

  it.each([
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-01-01 24:00',
    '2026-01-01 12:60',
    '2026-01-01 12:00:60',
    '24:00',
    'yesterday 12:60',
  ])('%s does not exist', async (text) => {
    await expect(limit(text)).rejects.toThrow('no such date or time of day')
  })

  it.each(['10', '90', '2026'])('%s has no unit, and the message names some', async (text) => {
    await expect(limit(text)).rejects.toThrow(`"${text}" has no unit: write ${text}s, ${text}m, ${text}h or ${text}d`)
  })

  it('is one with an offset that no zone has', async () => {
    await expect(limit('2026-01-01T00:00:00+24:00')).rejects.toThrow('no such UTC offset: +24:00')
  })

  it('is rejected quickly and with a short message, even if it is long', async () => {
    const message = await limit('9'.repeat(1_000_000)).catch((error: Error) => error.message)
    expect(message.length).toBeLessThan(300)
  })
})
