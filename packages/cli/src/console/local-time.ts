import { localOffset } from './local-offset.js'

/**
 * A moment, given in milliseconds since 1970, as RFC 3339 has it: to the second, in the local zone.
 *
 * @example
 * formatLocalTime(Date.now()) // '2026-03-01T13:00:01+01:00'
 */
export function formatLocalTime(milliseconds: number): string {
  const minutes = localOffset(BigInt(milliseconds) * 1_000_000n)
  const local = new Date(milliseconds + minutes * 60_000).toISOString().slice(0, 19)
  if (minutes === 0) return `${local}Z`
  const distance = Math.abs(minutes)
  const [hours, rest] = [Math.floor(distance / 60), distance % 60].map((value) => String(value).padStart(2, '0'))
  return `${local}${minutes < 0 ? '-' : '+'}${hours}:${rest}`
}
