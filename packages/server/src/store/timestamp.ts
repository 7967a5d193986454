import pg from 'pg'

/** The type of `timestamptz`. */
const { TIMESTAMPTZ } = pg.types.builtins

const parseAny: (text: string) => unknown = pg.types.getTypeParser(TIMESTAMPTZ)

const HYPHEN = 45
const BLANK = 32
const ZERO = 48
const LONGEST = '2026-11-15 12:00:00.123456+05:30'.length

/**
 * Reads a moment as PostgreSQL writes it. The platform reads the usual form by itself, several times as fast as the driver,
 * which has the rest: years before 1000 and after 9999, and no moment at all.
 *
 * @example
 * parseMoment('2026-11-15 12:00:00.123456+00') // 2026-11-15T12:00:00.123Z
 */
export function parseMoment(text: string): unknown {
  if (!isUsual(text)) return parseAny(text)
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? parseAny(text) : moment
}

/** Of four digits, none of them a zero in front: the platform would take 0099 for 1999. */
function isUsual(text: string): boolean {
  const isWritten = text.charCodeAt(4) === HYPHEN && text.charCodeAt(10) === BLANK && text.length <= LONGEST
  return isWritten && text.charCodeAt(0) !== ZERO && !text.endsWith('BC')
}

/** How the values of rows are read. */
export const ROW_TYPES: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === TIMESTAMPTZ && format !== 'binary' ? parseMoment : pg.types.getTypeParser(type, format as 'text'),
}
