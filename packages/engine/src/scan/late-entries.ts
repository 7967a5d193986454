import { formatDuration, parseDuration } from '../time/duration.js'
import type { TimeCounts } from './clock.js'

/** The windows that a warning suggests. A longer one would hold back more than it helps. */
const SUGGESTED = ['1s', '2s', '5s', '10s', '30s', '1m', '2m', '5m', '10m', '30m', '1h']

/**
 * The warning about late entries: how many there are, what happens to them, and what to set.
 *
 * @example
 * describeLate({ late: 12, lateBy: 3_000_000_000n }, 1_000_000_000n)
 * // 12 entries are more than 1s out of order: rules with windows ignore them; set window: 5s for this source
 */
export function describeLate({ late, lateBy }: Pick<TimeCounts, 'late' | 'lateBy'>, window: bigint): string {
  const entries = late === 1 ? '1 entry is' : `${late.toLocaleString('en')} entries are`
  const by = window > 0n ? ` more than ${formatDuration(window)}` : ''
  const enough = SUGGESTED.find((text) => parseDuration(text) >= lateBy && parseDuration(text) > window)
  const advice =
    enough === undefined ? 'check the clock, or the order of the files' : `set window: ${enough} for this source`
  return `${entries}${by} out of order: rules with windows ignore ${late === 1 ? 'it' : 'them'}; ${advice}`
}
