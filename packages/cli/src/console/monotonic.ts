/**
 * Milliseconds since some moment in the past, for measuring how long things take. Unlike `performance.now`, which takes a
 * millisecond to load, it is there from the start.
 *
 * @example
 * createProgress(screen, { quiet, clock: monotonic, tick: startTicking })
 */
export function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1_000_000
}
