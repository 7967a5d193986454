/** The goal of a figure. Speeds are compared as the opponent's time to Omen's, times as Omen's to the opponent's. */
export interface Goal {
  readonly kind: 'at least' | 'at most' | 'under' | 'exactly'
  readonly value: number
  readonly unit: '×' | 'MiB' | 'ms' | 'hits' | 'connections'
}

/** A figure with its goal, in the goal's unit and not rounded. */
export interface Verdict {
  readonly measured: number
  readonly goal: Goal
}

export function isReached({ measured, goal: { kind, value } }: Verdict): boolean {
  if (kind === 'at least') return measured >= value
  if (kind === 'at most') return measured <= value
  if (kind === 'under') return measured < value
  return measured === value
}

/**
 * A figure cut to two digits after the point, never rounded up. Where the cut alone would make the goal look reached, or missed, more
 * digits are shown.
 *
 * @example
 * showMeasured({ measured: 1.996, goal: atLeast(2) }) // '1.99'
 * showMeasured({ measured: 1.3004, goal: atMost(1.3) }) // '1.3004'
 */
export function showMeasured({ measured, goal }: Verdict): string {
  if (measured === Number.POSITIVE_INFINITY) return '∞'
  if (goal.unit === 'hits' || goal.unit === 'connections') return String(measured)
  for (let digits = 2; digits < 9; digits++) {
    const text = truncate(measured, digits)
    if (isReached({ measured: Number(text), goal }) === isReached({ measured, goal })) return text
  }
  return String(measured)
}

/** Cuts the digits off the exact number: dividing, or writing fewer digits first, could carry a 1.9999… over to 2. */
function truncate(value: number, digits: number): string {
  const [whole, fraction = ''] = value.toFixed(100).split('.')
  return `${whole}.${fraction.slice(0, digits)}`
}

interface Timed {
  readonly seconds: number
}

/** Omen's speed as a multiple of the opponent's. */
export const speedRatio = (subject: Timed, opponent: Timed) => opponent.seconds / subject.seconds

/** Omen's time as a multiple of the opponent's. */
export const timeRatio = (subject: Timed, opponent: Timed) => subject.seconds / opponent.seconds

export const atLeast = (value: number): Goal => ({ kind: 'at least', value, unit: '×' })
export const atMost = (value: number): Goal => ({ kind: 'at most', value, unit: '×' })
