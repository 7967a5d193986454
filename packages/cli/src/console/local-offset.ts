/**
 * Minutes east of UTC at a time, in the zone that `TZ` names.
 *
 * @example
 * formatTimestamp(timestamp, localOffset)   // '2026-03-01T13:00:01+01:00'
 */
export function localOffset(nanoseconds: bigint): number {
  return 0 - new Date(Number(nanoseconds / 1_000_000n)).getTimezoneOffset()
}
