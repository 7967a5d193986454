export type Unit = 'rules' | 'problems' | 'bytes' | 'lines'

const SINGULAR = { rules: 'rule', problems: 'problem', lines: 'line' } as const

const SCALE = ['', 'k', 'M', 'G', 'T', 'P']
const STEP = 1000

/** From this value on, one decimal place would round up to 1000.0 of the same step. */
const ROUNDS_UP = 999.95

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/**
 * Formats an amount for humans, in decimal units.
 *
 * @example
 * formatAmount(1, 'lines')           // '1 line'
 * formatAmount(1_234_567, 'lines')   // '1.2M lines'
 * formatAmount(3_400_000, 'bytes')   // '3.4 MB'
 */
export function formatAmount(amount: number, unit: Unit): string {
  return withUnit(scaled(Math.round(amount)), unit)
}

/**
 * A whole number in groups of three digits. `toLocaleString` takes milliseconds to load.
 *
 * @example
 * formatNumber(1998)   // '1,998'
 */
export function formatNumber(amount: number): string {
  return String(amount).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/**
 * A number with its noun, in the plural unless it is 1.
 *
 * @example
 * formatCount(1, 'rule')      // '1 rule'
 * formatCount(2000, 'line')   // '2,000 lines'
 */
export function formatCount(amount: number, noun: string): string {
  return `${formatNumber(amount)} ${noun}${amount === 1 ? '' : 's'}`
}

/**
 * Formats an amount per second.
 *
 * @example
 * formatRate(12, 3, 'rules')             // '4.0k rules/s'
 * formatRate(3, 60_000, 'problems')      // '0.1 problems/s'
 */
export function formatRate(amount: number, milliseconds: number, unit: Unit): string {
  // Durations below a millisecond are not measured precisely, so the rate is computed for at least one.
  const perSecond = (amount * SECOND) / Math.max(1, milliseconds)
  const slow = perSecond < 1 ? Math.round(perSecond * 10) / 10 : Math.round(perSecond)
  return `${withUnit(scaled(slow), unit)}/s`
}

/**
 * Formats a duration for humans.
 *
 * @example
 * formatDuration(12)          // '12ms'
 * formatDuration(1234)        // '1.23s'
 * formatDuration(125_000)     // '2m05s'
 * formatDuration(3_720_000)   // '1h02m'
 */
export function formatDuration(milliseconds: number): string {
  const whole = Math.round(Math.max(0, milliseconds))
  if (whole < SECOND) return `${whole}ms`
  const hundredths = Math.round(milliseconds / 10)
  if (hundredths < 6000) return `${(hundredths / 100).toFixed(2)}s`
  return formatMinutes(milliseconds)
}

/**
 * Formats an estimate of the remaining time, in whole seconds.
 *
 * @example
 * formatTimeLeft(2300)   // '3s'
 */
export function formatTimeLeft(milliseconds: number): string {
  const seconds = Math.ceil(Math.max(0, milliseconds) / SECOND)
  return seconds < 60 ? `${seconds}s` : formatMinutes(seconds * SECOND)
}

function formatMinutes(milliseconds: number): string {
  const seconds = Math.round(milliseconds / SECOND) * SECOND
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)}m${twoDigits((seconds % MINUTE) / SECOND)}s`
  const minutes = Math.round(milliseconds / MINUTE) * MINUTE
  return `${Math.floor(minutes / HOUR)}h${twoDigits((minutes % HOUR) / MINUTE)}m`
}

function scaled(amount: number): { digits: string; step: string } {
  if (amount < STEP) return { digits: String(amount), step: '' }
  let value = amount
  let step = 0
  while ((value >= ROUNDS_UP || step === 0) && step < SCALE.length - 1) {
    value /= STEP
    step++
  }
  return { digits: value.toFixed(1), step: SCALE[step]! }
}

function withUnit({ digits, step }: { digits: string; step: string }, unit: Unit): string {
  if (unit === 'bytes') return `${digits} ${step}B`
  return digits === '1' ? `1 ${SINGULAR[unit]}` : `${digits}${step} ${unit}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
