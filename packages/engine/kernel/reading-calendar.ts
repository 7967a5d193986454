// Computes a time from its fields: the twin of src/time/finish.ts and civil.ts.

import { CLOCK_AHEAD, DAY, FIELD, FIRST_YEAR, LAST_YEAR } from './constants.generated'
import { epochSeconds, field } from './reading-fields'
import { localDayLimit, localYearLimit, secondsOf } from './reading-local'

export const NO_DAY: i64 = i64.MIN_VALUE

/** Result of the last `finishDate`, in seconds since 1970. */
export let finishedSeconds: i64 = 0

let yearLimit: i64 = i64.MIN_VALUE
let latestYear: i32 = 0

/** Sets the latest second for times without a year. */
export function useYearLimit(limit: i64): void {
  if (limit == yearLimit) return
  yearLimit = limit
  const days = floorDiv(limit, <i64>DAY)
  let year = <i32>(1970 + floorDiv(days * 10000, 3652425))
  while (daysFromCivil(year, 1, 1) > days) year--
  while (daysFromCivil(year + 1, 1, 1) <= days) year++
  latestYear = year + 1
}

/** Computes `finishedSeconds`; returns false if the date does not exist. */
export function finishDate(): bool {
  if (field(FIELD.epoch) >= 0) {
    finishedSeconds = epochSeconds
    return true
  }
  const time = secondOfDay()
  if (time < 0) return false
  const year = fullYear()
  const isDateless = year < 0 && field(FIELD.month) < 0
  const days = year >= 0 ? dayOf(year) : isDateless ? dayWithoutDate(time) : dayWithoutYear(time)
  if (days == NO_DAY) return false
  finishedSeconds = moment(days * <i64>DAY + <i64>time)
  return true
}

/** The moment of a time of the calendar: in its own zone if it has one, otherwise in that of the log. */
@inline
export function moment(local: i64): i64 {
  return hasOffset() ? local - <i64>field(FIELD.offset) : secondsOf(local)
}

@inline
function hasOffset(): bool {
  return field(FIELD.hasOffset) >= 0
}

function secondOfDay(): i32 {
  const minute = max(0, field(FIELD.minute))
  const second = max(0, field(FIELD.second))
  let hour = max(0, field(FIELD.hour))
  const hour12 = field(FIELD.hour12)
  if (hour12 >= 0) {
    if (hour12 < 1 || hour12 > 12) return -1
    hour = (hour12 % 12) + (field(FIELD.afternoon) == 1 ? 12 : 0)
  }
  return hour > 23 || minute > 59 || second > 60 ? -1 : hour * 3600 + minute * 60 + second
}

@inline
export function fullYear(): i32 {
  const short = field(FIELD.shortYear)
  if (short >= 0) return short < 69 ? 2000 + short : 1900 + short
  return field(FIELD.year)
}

@inline
function isLeapYear(year: i32): bool {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

const MONTH_DAYS: usize = memory.data<u8>([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])

let lastDate: i32 = -1
let lastDays: i64 = 0

export function dayOf(year: i32): i64 {
  if (year < FIRST_YEAR || year > LAST_YEAR) return NO_DAY
  const ofYear = field(FIELD.yearDay)
  if (ofYear >= 0) {
    if (ofYear < 1 || ofYear > (isLeapYear(year) ? 366 : 365)) return NO_DAY
    return daysFromCivil(year, 1, 1) + <i64>ofYear - 1
  }
  const month = field(FIELD.month) < 0 ? 1 : field(FIELD.month)
  const day = field(FIELD.day) < 0 ? 1 : field(FIELD.day)
  if (month < 1 || month > 12 || day < 1) return NO_DAY
  const date = (year << 16) | (month << 8) | day
  if (date == lastDate) return lastDays
  const days = month == 2 && isLeapYear(year) ? 29 : <i32>load<u8>(MONTH_DAYS + month - 1)
  if (day > days) return NO_DAY
  lastDate = date
  lastDays = daysFromCivil(year, month, day)
  return lastDays
}

function floorDiv(a: i64, b: i64): i64 {
  const quotient = a / b
  return a % b < 0 ? quotient - 1 : quotient
}

function daysFromCivil(year: i32, month: i32, day: i32): i64 {
  const y = <i64>(month > 2 ? year : year - 1)
  const era = floorDiv(y, 400)
  const yearOfEra = y - era * 400
  const dayOfYear = <i64>((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
  return era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468
}

function dayWithoutYear(time: i32): i64 {
  const limit = hasOffset() ? yearLimit + <i64>field(FIELD.offset) : localYearLimit()
  for (let year = latestYear; year > latestYear - 10; year--) {
    const days = dayOf(year)
    if (days != NO_DAY && days * <i64>DAY + <i64>time <= limit) return days
  }
  return NO_DAY
}

function dayWithoutDate(time: i32): i64 {
  const day = yearLimit - 7 * <i64>DAY + <i64>CLOCK_AHEAD
  const limit = hasOffset() ? day + <i64>field(FIELD.offset) : localDayLimit()
  return floorDiv(limit - <i64>time, <i64>DAY)
}
