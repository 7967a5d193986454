import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { usePostgres } from '../../test/postgres.js'
import { openPostgres } from './engines/postgres.js'
import { parseTimestamp } from './values.js'

const asTheDriver = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)

describe('a timestamp', () => {
  it.each([
    ['2026-11-15 12:00:00+00', '2026-11-15T12:00:00.000Z'],
    ['2026-11-15 12:00:00.1+00', '2026-11-15T12:00:00.100Z'],
    ['2026-11-15 12:00:00.123999+00', '2026-11-15T12:00:00.123Z'],
    ['2026-11-15 12:00:00.123456+05:30', '2026-11-15T06:30:00.123Z'],
    ['2026-11-15 12:00:00-08', '2026-11-15T20:00:00.000Z'],
    ['1970-01-01 00:00:00+00', '1970-01-01T00:00:00.000Z'],
    ['0099-01-01 00:00:00+00', '0099-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, moment) => {
    expect(parseTimestamp(text)).toEqual(new Date(moment))
  })

  it.each([
    '1883-11-18 12:00:00-07:52:58',
    '0044-03-15 12:00:00+00 BC',
    '10000-01-01 00:00:00+00',
    'infinity',
    '-infinity',
  ])('%s is parsed like the driver does', (text) => {
    expect(parseTimestamp(text)).toEqual(asTheDriver(text))
  })

  it('of any time and zone is parsed like the driver does', () => {
    const two = (most: number) => fc.integer({ min: 0, max: most }).map((n) => String(n).padStart(2, '0'))
    const parts = fc.tuple(
      fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      fc.option(fc.integer({ min: 1, max: 999_999 })),
      fc.constantFrom('+', '-'),
      two(14),
      fc.option(two(59)),
    )
    const written = parts.map(([date, micros, sign, hours, minutes]) => {
      const fraction = micros === null ? '' : `.${String(micros).padStart(6, '0').replace(/0+$/, '')}`
      const time = date.toISOString().slice(0, 19).replace('T', ' ')
      return `${time}${fraction}${sign}${hours}${minutes === null ? '' : `:${minutes}`}`
    })
    fc.assert(
      fc.property(written, (text) => {
        expect(parseTimestamp(text)).toEqual(asTheDriver(text))
      }),
    )
  })
})

describe('in a row of a real PostgreSQL', () => {
  const postgres = usePostgres()

  it('is parsed correctly in every time zone of the server', async () => {
    await using database = Object.assign(openPostgres({ url: await postgres.createDatabase(), poolSize: 1 }), {
      [Symbol.asyncDispose]: () => database.close(),
    })
    const moment = new Date('2026-11-15T12:00:00.123Z')
    for (const zone of ['UTC', 'Asia/Kolkata', 'America/St_Johns']) {
      await database.query(`set time zone '${zone}'`)
      expect(await database.query('select $1::timestamptz as at, null::timestamptz as never', [moment])).toEqual([
        { at: moment, never: null },
      ])
    }
  })
})
