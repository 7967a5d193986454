/** Longer waits than this are not waited. */
export const LONGEST_WAIT = 60_000

/**
 * Reads a `Retry-After` header, which is a number of seconds or a date, as milliseconds from now: at most a minute.
 * Undefined where it says nothing that can be understood.
 *
 * @example
 * readRetryAfter('3', Date.now())   // 3000
 */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  // Discord writes fractions of a second. A date begins with a day of the week; `Date.parse` alone would take a `-5`, too.
  const isSeconds = /^\d+(\.\d+)?$/.test(text)
  const wait = isSeconds ? Number(text) * 1000 : Date.parse(/^[A-Z][a-z]{2,8},? /.test(text) ? text : '') - now
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), LONGEST_WAIT)
}
