import { parseDuration } from '@omen/engine'

const HOURS: Readonly<Record<string, bigint>> = { d: 24n, w: 168n }

/** A longer string is not a duration, and parsing it would be slow. */
const LONGEST_TEXT = 60

/**
 * Parses a duration as in Go, and also with days and weeks. Returns nanoseconds, and throws for anything else.
 *
 * @example
 * readDuration('1h30m') // 5_400_000_000_000n
 * readDuration('7d')    // 604_800_000_000_000n
 */
export function readDuration(text: string): bigint {
  if (text.length > LONGEST_TEXT) throw new Error('too long')
  return parseDuration(text.replace(/(?<![\d.])(\d+)([dw])/g, (_, number, unit) => `${BigInt(number) * HOURS[unit]}h`))
}

const DAY = 86_400_000_000_000n

const UNITS: readonly (readonly [name: string, nanoseconds: bigint])[] = [
  ['h', 3_600_000_000_000n],
  ['m', 60_000_000_000n],
  ['s', 1_000_000_000n],
  ['ms', 1_000_000n],
  ['µs', 1_000n],
  ['ns', 1n],
]

/**
 * Formats a duration so that `readDuration` can parse it.
 *
 * @example
 * formatDuration(5_400_000_000_000n) // '1h30m'
 */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s'
  if (nanoseconds > DAY && nanoseconds % DAY === 0n) return `${nanoseconds / DAY}d`
  let rest = nanoseconds
  let text = ''
  for (const [name, unit] of UNITS) {
    if (rest >= unit) text += `${rest / unit}${name}`
    rest %= unit
  }
  return text
}
