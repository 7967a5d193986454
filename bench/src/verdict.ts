import type { Figure } from './measure/timing.js'

/** What a row has to reach. Speeds are compared as the opponent's time to ours, times as ours to the opponent's. */
export interface Goal {
  readonly kind: 'at least' | 'at most' | 'under' | 'exactly'
  readonly value: number
  readonly unit: '×' | 'MiB' | 'hits' | 'connections'
}

/** A line of the table. */
export interface Result {
  readonly row: string
  readonly work: string
  readonly subject: Figure | null
  readonly opponent: Figure | null
  /** Bytes that the subject went through, where a speed says something. */
  readonly bytes: number | null
  /** In the goal's unit, not rounded. */
  readonly measured: number
  readonly goal: Goal
  readonly notes: readonly string[]
}

export function isReached(measured: number, { kind, value }: Goal): boolean {
  if (kind === 'at least') return measured >= value
  if (kind === 'at most') return measured <= value
  if (kind === 'under') return measured < value
  return measured === value
}

/**
 * A figure cut to two digits after the point, never rounded up. Where the cut alone would make it look as if the goal was
 * reached, or missed, it shows as many digits as it takes to see the truth.
 *
 * ```ts
 * cut(1.996, { kind: 'at least', value: 2, unit: '×' }) // '1.99'
 * cut(1.3004, { kind: 'at most', value: 1.3, unit: '×' }) // '1.3004'
 * ```
 */
export function cut(measured: number, goal: Goal): string {
  if (measured === Number.POSITIVE_INFINITY) return '∞'
  if (goal.unit === 'hits' || goal.unit === 'connections') return String(measured)
  for (let digits = 2; digits < 9; digits++) {
    const text = truncate(measured, digits)
    if (isReached(Number(text), goal) === isReached(measured, goal)) return text
  }
  return String(measured)
}

/** Cuts the digits off the number as it is exactly: dividing, or writing fewer digits first, could carry a 1.9999… over to 2. */
function truncate(value: number, digits: number): string {
  const [whole, fraction = ''] = value.toFixed(100).split('.')
  return `${whole}.${fraction.slice(0, digits)}`
}

/** Our speed in times the opponent's. */
export const speedRatio = (subject: Figure, opponent: Figure) => opponent.seconds / subject.seconds

/** Our time in times the opponent's. */
export const timeRatio = (subject: Figure, opponent: Figure) => subject.seconds / opponent.seconds

export const atLeast = (value: number): Goal => ({ kind: 'at least', value, unit: '×' })
export const atMost = (value: number): Goal => ({ kind: 'at most', value, unit: '×' })
