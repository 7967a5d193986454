import { daysFromCivil, daysInMonth, isLeapYear, yearOf } from './civil.js'
import { FIELD } from './program.js'
import { DAY, dayLimit, type WallClock } from './wall-clock.js'

/** A time found in a line: seconds since 1970 and nanoseconds, and the bytes that it takes. */
export interface FoundTime {
  seconds: number
  nanos: number
  start: number
  end: number
}

/** What the operations have read so far, by FIELD; -1 for what was absent. */
export const slots = new Float64Array(15)

export function clearSlots(): void {
  slots.fill(-1)
}

/** The years whose nanoseconds since 1970 fit 64 bits; a date outside them, such as Go's zero time, is not a timestamp. */
export const FIRST_YEAR = 1678
export const LAST_YEAR = 2261

/** Makes a time of what was read. False for a date that does not exist. */
export function finish(clock: WallClock, found: FoundTime): boolean {
  found.nanos = slots[FIELD.millis] >= 0 ? slots[FIELD.millis] * 1_000_000 : Math.max(0, slots[FIELD.nanos])
  if (slots[FIELD.epoch] >= 0) {
    found.seconds = slots[FIELD.epoch]
    return true
  }
  const time = secondOfDay()
  if (time < 0) return false
  const year = fullYear()
  const isDateless = year < 0 && slots[FIELD.month] < 0
  const days = year >= 0 ? dayOf(year) : isDateless ? dayWithoutDate(time, clock) : dayWithoutYear(time, clock)
  if (Number.isNaN(days)) return false
  found.seconds = moment(days * DAY + time, clock)
  return true
}

/** The moment of a time of the calendar: in its own zone if it has one, otherwise in that of the clock. */
function moment(local: number, clock: WallClock): number {
  return hasOffset() ? local - slots[FIELD.offset] : clock.secondsOf(local)
}

function hasOffset(): boolean {
  return slots[FIELD.hasOffset] >= 0
}

function secondOfDay(): number {
  const minute = Math.max(0, slots[FIELD.minute])
  // A leap second is the first moment of the next minute.
  const second = Math.max(0, slots[FIELD.second])
  let hour = Math.max(0, slots[FIELD.hour])
  if (slots[FIELD.hour12] >= 0) {
    if (slots[FIELD.hour12] < 1 || slots[FIELD.hour12] > 12) return -1
    hour = (slots[FIELD.hour12] % 12) + (slots[FIELD.afternoon] === 1 ? 12 : 0)
  }
  return hour > 23 || minute > 59 || second > 60 ? -1 : hour * 3600 + minute * 60 + second
}

/** Two digits mean 1969 to 2068, as in Go. */
function fullYear(): number {
  const short = slots[FIELD.shortYear]
  if (short >= 0) return short < 69 ? 2000 + short : 1900 + short
  return slots[FIELD.year]
}

function dayOf(year: number): number {
  if (year < FIRST_YEAR || year > LAST_YEAR) return Number.NaN
  const ofYear = slots[FIELD.yearDay]
  if (ofYear >= 0) {
    return ofYear < 1 || ofYear > (isLeapYear(year) ? 366 : 365) ? Number.NaN : daysFromCivil(year, 1, 1) + ofYear - 1
  }
  const month = slots[FIELD.month] < 0 ? 1 : slots[FIELD.month]
  const day = slots[FIELD.day] < 0 ? 1 : slots[FIELD.day]
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return Number.NaN
  return daysFromCivil(year, month, day)
}

/**
 * The date in the last year in which it exists and is not past the limit. Of nine years in a row one at least is a leap year.
 * NaN if it never exists.
 */
function dayWithoutYear(time: number, clock: WallClock): number {
  const limit = hasOffset() ? clock.yearLimit + slots[FIELD.offset] : clock.localYearLimit
  // A zone ahead of UTC can put the first hours of a year into the year before.
  const latest = yearOf(clock.yearLimit) + 1
  for (let year = latest; year > latest - 10; year--) {
    const days = dayOf(year)
    if (days * DAY + time <= limit) return days
  }
  return Number.NaN
}

/** The last day on which the time of day is not past the limit. */
function dayWithoutDate(time: number, clock: WallClock): number {
  const limit = hasOffset() ? dayLimit(clock.yearLimit) + slots[FIELD.offset] : clock.localDayLimit
  return Math.floor((limit - time) / DAY)
}
