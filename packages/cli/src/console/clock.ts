/**
 * A monotonic clock in milliseconds, for measuring durations. Unlike `performance.now`, which takes a millisecond to load, it is
 * available at once.
 *
 * @example
 * createProgress(screen, { quiet, clock: monotonic, tick: startTicking })
 */
export function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1_000_000
}

/**
 * Calls a function ten times a second while the event loop is free, without keeping the process alive.
 *
 * @example
 * createProgress(screen, { quiet, clock: monotonic, tick: startTicking })
 */
export function startTicking(redraw: () => void): () => void {
  return startRepeating(100, redraw)
}

/**
 * Calls a function regularly while the event loop is free, without keeping the process alive.
 *
 * @example
 * const stop = startRepeating(3000, () => remind())
 */
export function startRepeating(milliseconds: number, call: () => void): () => void {
  const timer = setInterval(call, milliseconds).unref()
  return () => clearInterval(timer)
}

/**
 * The offset from UTC in minutes, east is positive, at a time in the local time zone (`TZ`).
 *
 * @example
 * formatTimestamp(timestamp, localOffset)   // '2026-03-01T13:00:01+01:00'
 */
export function localOffset(nanoseconds: bigint): number {
  return 0 - new Date(Number(nanoseconds / 1_000_000n)).getTimezoneOffset()
}

/**
 * Formats a time in milliseconds since 1970 as in RFC 3339, to the second or the millisecond, in the local time zone. Unlike the
 * engine's `formatTimestamp`, it works before the engine is loaded.
 *
 * @example
 * formatLocalTime(Date.now()) // '2026-03-01T13:00:01+01:00'
 */
export function formatLocalTime(
  milliseconds: number,
  {
    offset = localOffset,
    precision = 'seconds',
  }: { offset?: typeof localOffset; precision?: 'seconds' | 'milliseconds' } = {},
): string {
  const minutes = offset(BigInt(Math.floor(milliseconds)) * 1_000_000n)
  const local = new Date(milliseconds + minutes * 60_000).toISOString().slice(0, precision === 'seconds' ? 19 : 23)
  if (minutes === 0) return `${local}Z`
  const distance = Math.abs(minutes)
  const [hours, rest] = [Math.floor(distance / 60), distance % 60].map((value) => String(value).padStart(2, '0'))
  return `${local}${minutes < 0 ? '-' : '+'}${hours}:${rest}`
}
