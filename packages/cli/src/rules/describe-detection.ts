import { type CompiledRules, formatDuration } from '@omen/engine'

export type CompiledRule = CompiledRules['rules'][number]
type Condition = CompiledRules['conditions'][number]
type NegateTerm = CompiledRule['negate'][number]

/** A condition in English, with the pattern as a separate part: it is not wrapped, so that it can be copied. */
export interface DescribedCondition {
  /** `3 entries that match` */
  readonly before: string
  /** `/time ?out/` */
  readonly pattern: string
  /** `within 5m`, or empty. */
  readonly after: string
}

/** How a rule detects its problem, in English. */
export interface DescribedDetection {
  /** Introduces the conditions; empty if there is only one. */
  readonly intro: string
  readonly conditions: readonly DescribedCondition[]
  /** Whether the conditions must be met in this order (a sequence). */
  readonly ordered: boolean
  /** The negated conditions, each beginning with `unless`. */
  readonly unless: readonly DescribedCondition[]
}

/**
 * Describes how a rule detects its problem.
 *
 * @example
 * describeDetection(rule, conditions).intro // 'Within 1m, one after the other:'
 */
export function describeDetection(rule: CompiledRule, conditions: CompiledRules['conditions']): DescribedDetection {
  const { kind, window, terms, negate } = rule
  const total = terms.reduce((sum, { count }) => sum + count, 0)
  const isSingle = terms.length === 1
  const how = kind === 'sequence' ? 'one after the other' : 'in any order'
  return {
    intro: isSingle ? '' : `Within ${formatDuration(window)}, ${how}:`,
    conditions: terms.map(({ condition, count }) => {
      const within = isSingle && count > 1 ? ` within ${formatDuration(window)}` : ''
      const entries = count === 1 ? 'an entry' : `${count} entries${within}`
      const { verb, pattern } = describeCondition(conditions[condition]!, count)
      return { before: `${isSingle ? capitalize(entries) : entries} that ${verb}`, pattern, after: '' }
    }),
    ordered: kind === 'sequence',
    unless: negate.map((term) => {
      const { verb, pattern } = describeCondition(conditions[term.condition]!)
      return { before: `unless an entry ${verb}`, pattern, after: describeSpan(term, total) }
    }),
  }
}

/** A condition as it continues "an entry that": `contains` `"disk full"`, `matches` `/time ?out/`. */
export function describeCondition({ kind, text }: Condition, count = 1): { verb: string; pattern: string } {
  const [one, many] = VERBS[kind]
  return { verb: count === 1 ? one : many, pattern: SHOW[kind](text) }
}

const VERBS = {
  literal: ['contains', 'contain'],
  regex: ['matches', 'match'],
  jq: ['is JSON with', 'are JSON with'],
} as const

const SHOW: Readonly<Record<Condition['kind'], (text: string) => string>> = {
  literal: (text) => JSON.stringify(text),
  regex: (text) => `/${text}/`,
  jq: (text) => text.trim(),
}

/** The time range of a negated condition: from the anchor, moved by `slide`, for the span of the detection plus `window`. */
function describeSpan({ window, slide, anchor, absolute }: NegateTerm, total: number): string {
  const isSingle = total === 1
  const first = isSingle ? 'it' : 'the first'
  const last = isSingle ? 'it' : 'the last'
  const anchored = anchor === 0 ? first : anchor === total - 1 ? last : `number ${anchor + 1}`
  const start = slide === 0n ? anchored : offsetFrom(anchored, slide)
  if (absolute) return `in the ${formatDuration(window < 0n ? 0n : window)} starting at ${start}`
  if (anchor !== 0) {
    const length =
      window === 0n ? 'as long as the entries span' : `${formatDuration(window)} longer than the entries span`
    return `starting at ${start}, for ${length}`
  }
  const end = slide + window
  if (slide === 0n && window <= 0n) return isSingle ? 'at the same time' : 'between the first and the last'
  if (isSingle && slide === 0n) return `in the ${formatDuration(window)} after it`
  if (isSingle && slide > 0n && end >= 0n) return `from ${formatDuration(slide)} to ${formatDuration(end)} after it`
  return `from ${start} until ${end === 0n ? last : offsetFrom(last, end)}`
}

function offsetFrom(entry: string, offset: bigint): string {
  return offset < 0n ? `${formatDuration(-offset)} before ${entry}` : `${formatDuration(offset)} after ${entry}`
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
