const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/**
 * Says how long is left, in the two units that matter.
 *
 * @example
 * remaining(47 * 3_600_000 + 59 * 60_000) // '47 h 59 min'
 */
export function remaining(milliseconds: number): string {
  if (milliseconds < MINUTE) return 'less than a minute'
  const hours = Math.floor(milliseconds / HOUR)
  const minutes = Math.floor((milliseconds % HOUR) / MINUTE)
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`
}

/**
 * Names the last day on which a token works. A token ends with a day in UTC, so its last instant names the day.
 *
 * @example
 * lastDay(Date.UTC(2027, 0, 1)) // '31 December 2026'
 */
export function lastDay(expiresAt: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(expiresAt - SECOND)
}
