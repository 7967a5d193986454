// From fields to a moment: the twin of src/time/finish.ts and civil.ts.

import {
  AFTERNOON,
  DAY,
  EPOCH,
  epochSeconds,
  field,
  HAS_OFFSET,
  HOUR,
  HOUR12,
  MINUTE,
  MONTH,
  OFFSET,
  SECOND,
  SHORT_YEAR,
  YEAR,
  YEAR_DAY,
} from './reading-fields'

export const DAY_SECONDS: i64 = 86400
const CLOCK_AHEAD: i64 = 3600
const FIRST_YEAR: i32 = 1678
const LAST_YEAR: i32 = 2261
export const NO_DAY: i64 = i64.MIN_VALUE

/** Seconds since 1970 of the last time that was finished. */
export let finishedSeconds: i64 = 0

let yearLimit: i64 = i64.MIN_VALUE
let latestYear: i32 = 0

/** Says which is the latest moment of a time without a year. */
export function useYearLimit(limit: i64): void {
  if (limit == yearLimit) return
  yearLimit = limit
  const days = floorDiv(limit, DAY_SECONDS)
  let year = <i32>(1970 + floorDiv(days * 10000, 3652425))
  while (daysFromCivil(year, 1, 1) > days) year--
  while (daysFromCivil(year + 1, 1, 1) <= days) year++
  latestYear = year + 1
}

/** Makes seconds of the fields, or refuses what is not on any calendar. */
export function finishDate(): bool {
  if (field(EPOCH) >= 0) {
    finishedSeconds = epochSeconds
    return true
  }
  const time = secondOfDay()
  if (time < 0) return false
  const shift = <i64>time - (field(HAS_OFFSET) >= 0 ? <i64>field(OFFSET) : 0)
  const year = fullYear()
  if (year >= 0) {
    const days = dayOf(year)
    if (days == NO_DAY) return false
    finishedSeconds = days * DAY_SECONDS + shift
    return true
  }
  return field(MONTH) < 0 ? finishWithoutDate(shift) : finishWithoutYear(shift)
}

function secondOfDay(): i32 {
  const minute = max(0, field(MINUTE))
  const second = max(0, field(SECOND))
  let hour = max(0, field(HOUR))
  const hour12 = field(HOUR12)
  if (hour12 >= 0) {
    if (hour12 < 1 || hour12 > 12) return -1
    hour = (hour12 % 12) + (field(AFTERNOON) == 1 ? 12 : 0)
  }
  return hour > 23 || minute > 59 || second > 60 ? -1 : hour * 3600 + minute * 60 + second
}

@inline
export function fullYear(): i32 {
  const short = field(SHORT_YEAR)
  if (short >= 0) return short < 69 ? 2000 + short : 1900 + short
  return field(YEAR)
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
  const ofYear = field(YEAR_DAY)
  if (ofYear >= 0) {
    if (ofYear < 1 || ofYear > (isLeapYear(year) ? 366 : 365)) return NO_DAY
    return daysFromCivil(year, 1, 1) + <i64>ofYear - 1
  }
  const month = field(MONTH) < 0 ? 1 : field(MONTH)
  const day = field(DAY) < 0 ? 1 : field(DAY)
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

function finishWithoutYear(shift: i64): bool {
  for (let year = latestYear; year > latestYear - 10; year--) {
    const days = dayOf(year)
    if (days == NO_DAY) continue
    const seconds = days * DAY_SECONDS + shift
    if (seconds <= yearLimit) {
      finishedSeconds = seconds
      return true
    }
  }
  return false
}

function finishWithoutDate(shift: i64): bool {
  const latest = yearLimit - 7 * DAY_SECONDS + CLOCK_AHEAD
  finishedSeconds = floorDiv(latest - shift, DAY_SECONDS) * DAY_SECONDS + shift
  return true
}
