import pg from 'pg'

/** The type of `timestamptz`. */
const { TIMESTAMPTZ } = pg.types.builtins

const parseAny: (text: string) => unknown = pg.types.getTypeParser(TIMESTAMPTZ)

const HYPHEN = 45
const SPACE = 32
const ZERO = 48
const LONGEST = '2026-11-15 12:00:00.123456+05:30'.length

/**
 * Parses a `timestamptz` of PostgreSQL. `Date` parses the usual form several times as fast as the driver, which parses the rest:
 * years before 1000 and after 9999, and `infinity`.
 *
 * @example
 * parseTimestamp('2026-11-15 12:00:00.123456+00') // 2026-11-15T12:00:00.123Z
 */
export function parseTimestamp(value: string): unknown {
  if (!isUsual(value)) return parseAny(value)
  const time = new Date(value)
  return Number.isNaN(time.getTime()) ? parseAny(value) : time
}

/** A year of four digits that does not start with a zero: `Date` would read 0099 as 1999. */
function isUsual(text: string): boolean {
  const isWritten = text.charCodeAt(4) === HYPHEN && text.charCodeAt(10) === SPACE && text.length <= LONGEST
  return isWritten && text.charCodeAt(0) !== ZERO && !text.endsWith('BC')
}

/** How the driver parses the values of rows. */
export const ROW_TYPES: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === TIMESTAMPTZ && format !== 'binary' ? parseTimestamp : pg.types.getTypeParser(type, format as 'text'),
}

export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A string from outside, cut to a limit and without the characters that PostgreSQL cannot store. */
export function storable(value: string, limit: number): string {
  return value.replace(/[\p{Cc}\p{Cs}]/gu, '?').slice(0, limit)
}
