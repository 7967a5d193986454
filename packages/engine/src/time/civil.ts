const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : MONTH_DAYS[month - 1]!
}

/**
 * Days from 1970-01-01 to a date of the Gregorian calendar. The year is taken to begin in March, so that the leap day is
 * its last day and the months before it have a regular pattern of lengths.
 */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** The year in which a moment lies (seconds since 1970, UTC). */
export function yearOf(seconds: number): number {
  const days = Math.floor(seconds / 86_400)
  let year = 1970 + Math.floor(days / 365.2425)
  while (daysFromCivil(year, 1, 1) > days) year--
  while (daysFromCivil(year + 1, 1, 1) <= days) year++
  return year
}
