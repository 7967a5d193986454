import type { CompiledRules } from '@omen/engine'
import { describeNoneInRange, describeReading, formatEntries, type ReadTotals } from '../console/reading.js'
import type { Amount } from '../matching/events.js'
import { describeSkipped, type Skipped } from '../sources/skipped.js'
import type { Source } from '../sources/source.js'
import { runsOn } from './find-sources.js'

/** What was read of a source. */
export interface SourceReading {
  readonly source: Source
  readonly amount: Amount
  /** Some of it could not be read, which was reported. */
  readonly failed: boolean
}

/** Whether --since and --until are given, and, if so, whether entries outside the range are read at all. */
export type TimeLimits = 'none' | 'matching' | 'reading'

/** What a scan looked at, and what it did not. */
export interface Examination {
  readonly totals: ReadTotals
  readonly limits: TimeLimits
  /** The entries that at least one rule was tried on. */
  readonly entries: number
  /** Types of sources for which there is no rule, and the number of their entries. */
  readonly withoutRules: { readonly types: readonly string[]; readonly entries: number }
  readonly skipped: readonly Skipped[]
  /** The names of sources without an entry, although they could be read, and of those that are binary. */
  readonly empty: readonly string[]
  readonly binary: readonly string[]
}

/**
 * Adds up what was read of all sources.
 *
 * @example
 * const { totals, entries } = examine(readings, rules, { limits: 'none', skipped: [] })
 */
export function examine(
  readings: readonly SourceReading[],
  { rules }: Pick<CompiledRules, 'rules'>,
  { limits, skipped }: Pick<Examination, 'limits' | 'skipped'>,
): Examination {
  const types = new Set(readings.map(({ source }) => source.type))
  const withRules = new Set([...types].filter((type) => rules.some((rule) => runsOn(rule, { type }))))
  const matched = readings.filter(({ source }) => withRules.has(source.type))
  const unmatched = readings.filter(({ source }) => !withRules.has(source.type))
  const isBinary = ({ amount }: SourceReading) => amount.binaries > 0
  const unread = readings.filter(({ amount, failed }) => amount.entries === 0 && !failed)
  return {
    totals: { ...totalsOf(readings), inRange: limits === 'matching' ? sum(readings, 'inRange') : undefined },
    limits,
    entries: sum(matched, 'inRange'),
    withoutRules: {
      types: [...types].filter((type) => !withRules.has(type)),
      entries: sum(unmatched, 'inRange'),
    },
    skipped,
    empty: unread.filter((reading) => !isBinary(reading)).map(({ source }) => source.name),
    binary: unread.filter(isBinary).map(({ source }) => source.name),
  }
}

function sum(readings: readonly SourceReading[], field: 'lines' | 'entries' | 'inRange' | 'folded' | 'late'): number {
  return readings.reduce((total, { amount }) => total + amount[field], 0)
}

function totalsOf(readings: readonly SourceReading[]): Omit<ReadTotals, 'inRange'> {
  const timed = readings.filter(({ amount }) => amount.formats.length > 0)
  const firsts = timed.flatMap(({ amount }) => amount.first ?? [])
  const lasts = timed.flatMap(({ amount }) => amount.last ?? [])
  const formats = new Set(timed.flatMap(({ amount }) => amount.formats))
  return {
    lines: sum(readings, 'lines'),
    entries: sum(readings, 'entries'),
    folded: sum(readings, 'folded'),
    late: sum(readings, 'late'),
    formats: formats.size,
    first: firsts.reduce<bigint | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined),
    last: lasts.reduce<bigint | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined),
  }
}

/**
 * Sentences that say what was examined and what was not.
 *
 * @example
 * describeExamination(examination, localOffset)
 * // ['Read 2,000 lines as …', 'Skipped 3 systemd journals: journalctl -o json | omen']
 */
export function describeExamination(
  { totals, withoutRules, skipped, empty, binary }: Examination,
  offset: (nanoseconds: bigint) => number,
): string[] {
  const unread = [
    ...binary.map((path): Skipped => ({ path, kind: 'binary', reason: 'binary' })),
    ...empty.map((path): Skipped => ({ path, kind: 'empty', reason: 'empty' })),
  ]
  const { types, entries } = withoutRules
  return [
    ...describeReading(totals, offset),
    ...(entries > 0 ? [`Not examined: ${formatEntries(entries)}, because no rule is for ${types.join(', ')}.`] : []),
    ...describeSkipped([...skipped, ...(totals.entries === 0 ? [] : unread)]).map((line) => `Skipped ${line}`),
  ]
}

/**
 * Why nothing was examined; undefined if something was, or if errors have said why.
 *
 * @example
 * describeNothingExamined(examination, localOffset) // 'stdin is empty: nothing was examined'
 */
export function describeNothingExamined(
  { totals, limits, entries, withoutRules, empty, binary }: Examination,
  offset: (nanoseconds: bigint) => number,
): string | undefined {
  if (entries > 0) return undefined
  // That no rule is for any of the sources was reported at the start.
  if (withoutRules.entries > 0) return undefined
  if (totals.entries > 0) return `${describeNoneInRange(totals, offset)}; nothing was examined`
  const names = [...empty, ...binary]
  if (names.length === 0) return undefined
  const which = names.length === 1 ? names[0] : `none of the ${names.length} inputs`
  const [one, none] = REASONS[binary.length > 0 ? 'binary' : limits]
  return `${which} ${names.length === 1 ? one : none}: nothing was examined`
}

/** What one input without an entry is, and what none of several has. */
const REASONS: Readonly<Record<TimeLimits | 'binary', readonly [one: string, none: string]>> = {
  none: ['is empty', 'has an entry'],
  matching: ['is empty', 'has an entry'],
  reading: ['has no entry in the time range', 'has an entry in the time range'],
  binary: ['has no text', 'has text'],
}
