import { quote } from '@omen/engine/messages'
import { Failure } from '../failure.js'

const DATE = /^\d{4}-\d\d-\d\d$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i
const AGO = /^(\d{1,6})([mhdw])$/
const MINUTES = { m: 1, h: 60, d: 1440, w: 10_080 } as const

/**
 * Checks the day on which a code or a token expires: a date of the calendar after today, both in UTC.
 *
 * @example
 * readExpiry('2026-12-31', new Date('2026-12-01T00:00:00Z')) // '2026-12-31'
 */
export function readExpiry(written: string, now: Date, what = 'code'): string {
  const today = dayOf(now)
  const example = `write it as YYYY-MM-DD, such as ${dayOf(inDays(now, 30))}`
  if (!DATE.test(written)) throw new Failure('Usage', `--expires: ${quote(written)} is not a date: ${example}`)
  if (!isCalendarDate(written)) throw new Failure('Usage', `--expires: the day ${written} does not exist: ${example}`)
  if (written <= today) {
    throw new Failure('Usage', `--expires: ${written} is not after today, ${today} (UTC): no ${what} was issued`)
  }
  return written
}

/**
 * Reads the start of a period: a date or time, or how long ago it was. Returns RFC 3339 in UTC.
 *
 * @example
 * readSince('2h', new Date('2026-03-01T12:00:00Z')) // '2026-03-01T10:00:00.000Z'
 */
export function readSince(written: string, now: Date): string {
  const ago = AGO.exec(written)
  if (ago) {
    const minutes = Number(ago[1]) * MINUTES[ago[2] as keyof typeof MINUTES]
    return new Date(Math.max(0, now.getTime() - minutes * 60_000)).toISOString()
  }
  const isDate = DATE.test(written)
  const date = new Date(isDate ? `${written}T00:00:00Z` : written)
  const isRight = isDate || MOMENT.test(written)
  if (isRight && isCalendarDate(written.slice(0, 10)) && !Number.isNaN(date.getTime())) return date.toISOString()
  throw new Failure(
    'Usage',
    `--since: ${quote(written)} is not a time: write 30m, 2h, 7d, 2026-03-01 or 2026-03-01T12:00:00Z`,
  )
}

/** `2026-03-01`, in UTC. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}

export function inDays(date: Date, days: number): Date {
  return new Date(date.getTime() + days * 86_400_000)
}

/** `2026-03-01 12:30:05`: for tables whose header says UTC. */
export function readableMoment(moment: string): string {
  const date = new Date(moment)
  return Number.isNaN(date.getTime()) ? moment : date.toISOString().slice(0, 19).replace('T', ' ')
}

function isCalendarDate(written: string): boolean {
  const date = new Date(`${written}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && dayOf(date) === written
}
