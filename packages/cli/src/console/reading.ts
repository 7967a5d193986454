import { formatTimestamp } from '@omen/engine'
import { formatCount, formatNumber } from './text/amounts.js'

/** What was read, over all sources. */
export interface ReadTotals {
  readonly lines: number
  readonly entries: number
  /** Entries between --since and --until; undefined without these limits. */
  readonly inRange: number | undefined
  /** Lines without a timestamp, which belong to the entry before them. */
  readonly folded: number
  /** Entries that came too late to be put in order. */
  readonly late: number
  /** How many different formats of timestamps there are. */
  readonly formats: number
  /** The first and the last timestamp, in nanoseconds since 1970; undefined if there is none. */
  readonly first: bigint | undefined
  readonly last: bigint | undefined
}

/** Fewer folded lines are normal: stack traces. A larger share may mean a format that is not known. */
const FEWEST_FOLDED = 10
const FOLDED_SHARE = 0.05

/**
 * Sentences that say what was read; none if nothing was.
 *
 * @example
 * describeReading(totals, localOffset)
 * // ['Read 2,000 lines as 1,998 entries from 2015-07-29 17:41:44Z to 2015-08-25 11:26:00Z in 2 formats.']
 */
export function describeReading(totals: ReadTotals, offset: (nanoseconds: bigint) => number): string[] {
  const { lines, entries, inRange, folded, late } = totals
  if (entries === 0) return []
  const limited =
    inRange === undefined ? '' : `, ${inRange === 0 ? 'none' : formatNumber(inRange)} of them in the time range`
  const read = `Read ${formatCount(lines, 'line')} as ${formatEntries(entries)}${describeTimes(totals, offset)}${limited}.`
  return [
    read,
    ...(folded >= FEWEST_FOLDED && folded >= FOLDED_SHARE * lines
      ? [`${formatCount(folded, 'line')} without a timestamp belong to the entry before them.`]
      : []),
    ...(late > 0 ? [`${formatEntries(late)} came too late to be put in order.`] : []),
  ]
}

function describeTimes({ first, last, formats }: ReadTotals, offset: (nanoseconds: bigint) => number): string {
  if (first === undefined || last === undefined) return ' without timestamps'
  return ` ${describeRange(first, last, offset)} in ${formatCount(formats, 'format')}`
}

/**
 * Why nothing was examined although entries were read: none of them is between --since and --until.
 *
 * @example
 * describeNoneInRange(totals, localOffset)
 * // 'none of the 1,998 entries is in the time range: they are from 2015-07-29 17:41:44Z to 2015-08-25 11:26:00Z'
 */
export function describeNoneInRange(
  { entries, first, last }: Pick<ReadTotals, 'entries' | 'first' | 'last'>,
  offset: (nanoseconds: bigint) => number,
): string {
  const which = entries === 1 ? 'the only entry is not' : `none of the ${formatEntries(entries)} is`
  if (first === undefined || last === undefined) return `${which} in the time range`
  return `${which} in the time range: ${entries === 1 ? 'it is' : 'they are'} ${describeRange(first, last, offset)}`
}

/** `from … to …`, or `at …` if both are in the same second. */
function describeRange(first: bigint, last: bigint, offset: (nanoseconds: bigint) => number): string {
  const [from, to] = [formatSecond(first, offset), formatSecond(last, offset)]
  return from === to ? `at ${from}` : `from ${from} to ${to}`
}

const NANOSECONDS = 1_000_000_000n

/** A time to the second, with a space, which is easier to read in a sentence: `2015-07-29 17:41:44Z`. */
function formatSecond(timestamp: bigint, offset: (nanoseconds: bigint) => number): string {
  const seconds = timestamp >= 0n ? timestamp / NANOSECONDS : (timestamp - NANOSECONDS + 1n) / NANOSECONDS
  return formatTimestamp(seconds * NANOSECONDS, offset).replace('T', ' ')
}

/** `1 entry`, `1,998 entries`. */
export function formatEntries(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? 'entry' : 'entries'}`
}
