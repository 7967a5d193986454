const NANOSECONDS = 1_000_000_000n
const MINUTE = 60n * NANOSECONDS

/**
 * Writes a time as RFC 3339 with the offset that holds at that time, and as many digits of the fraction as it needs.
 *
 * @example
 * ```ts
 * formatTimestamp(1_772_366_403_500_000_000n, () => 60)   // 2026-03-01T13:00:03.5+01:00
 * ```
 */
export function formatTimestamp(timestamp: bigint, offsetMinutes: (timestamp: bigint) => number): string {
  const offset = offsetMinutes(timestamp)
  const local = timestamp + BigInt(offset) * MINUTE
  const fraction = ((local % NANOSECONDS) + NANOSECONDS) % NANOSECONDS
  const seconds = (local - fraction) / NANOSECONDS
  const written = new Date(Number(seconds) * 1000).toISOString()
  return `${written.slice(0, written.lastIndexOf('.'))}${formatFraction(fraction)}${formatOffset(offset)}`
}

function formatFraction(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return ''
  return `.${String(nanoseconds).padStart(9, '0').replace(/0+$/, '')}`
}

function formatOffset(minutes: number): string {
  if (minutes === 0) return 'Z'
  const distance = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(distance / 60))}:${twoDigits(distance % 60)}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
