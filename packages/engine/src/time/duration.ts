/** Nanoseconds in each unit of Go's durations. Both signs for micro are in use (U+00B5 and U+03BC). */
const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}

/** The widest duration that Go can hold, about 292 years: past it a window has no meaning. */
const LONGEST = (1n << 63n) - 1n

/** No valid duration is longer than this. */
const LONGEST_TEXT = 64

const PART = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y

/**
 * Reads a duration in Go's notation and returns nanoseconds.
 *
 * ```ts
 * parseDuration('1h30m')  // 5_400_000_000_000n
 * parseDuration('-250ms') // -250_000_000n
 * ```
 */
export function parseDuration(text: string): bigint {
  const sign = text.startsWith('-') || text.startsWith('+') ? 1 : 0
  const body = text.slice(sign)
  if (body === '0') return 0n
  if (text.length > LONGEST_TEXT) throw notADuration(`${text.slice(0, LONGEST_TEXT)}…`)
  let total = 0n
  PART.lastIndex = 0
  for (let at = 0; at < body.length || at === 0; at = PART.lastIndex) {
    const part = PART.exec(body)
    const [, whole = '', fraction = '', unit = ''] = part ?? []
    if (whole === '' && fraction === '') throw notADuration(text)
    total += partInNanoseconds(whole, fraction, UNITS[unit]!)
  }
  if (total > LONGEST) throw new Error(`${JSON.stringify(text)} is too long a duration: at most about 292 years`)
  return text.startsWith('-') ? -total : total
}

/** The units in which durations are written, the largest first. */
const WRITTEN = ['h', 'm', 's', 'ms', 'µs', 'ns'].map((name) => [name, UNITS[name]!] as const)

/**
 * Writes a duration so that `parseDuration` can read it.
 *
 * ```ts
 * formatDuration(5_400_000_000_000n) // '1h30m'
 * ```
 */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds < 0n) return `-${formatDuration(-nanoseconds)}`
  let rest = nanoseconds
  let text = ''
  for (const [name, unit] of WRITTEN) {
    if (rest >= unit) text += `${rest / unit}${name}`
    rest %= unit
  }
  return text === '' ? '0s' : text
}

function partInNanoseconds(whole: string, fraction: string, unit: bigint): bigint {
  const digits = BigInt(whole === '' ? 0 : whole) * unit
  return fraction === '' ? digits : digits + (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length)
}

function notADuration(text: string): Error {
  return new Error(`${JSON.stringify(text)} is not a duration: write it like 5s, 250ms or 1h30m`)
}
