import {
  type CompiledRules,
  type Detection,
  type DetectorOptions,
  exportRules,
  formatDuration,
  importRules,
} from '@omen/engine'
import { type CompiledRule, describeCondition } from '../describe-detection.js'
import { conditionProbe, probedCondition, scanLog } from './scan-log.js'

/** How often a condition matched in a log, and the first lines. */
export interface ConditionTally {
  /** In English: `contains "disk full"`. */
  readonly condition: string
  /** The number of entries that must match; 0 for a negated condition. */
  readonly needed: number
  readonly met: number
  /** The numbers of the first lines that matched. */
  readonly lines: readonly number[]
}

/** Why a rule did not fire. */
export interface Diagnosis {
  readonly reason: string
  readonly conditions: readonly ConditionTally[]
}

const LINES_KEPT = 5

/** Longer than the time span of any log. */
const EVER = 1n << 62n

/**
 * Finds out why a rule did not fire on a log: counts how often each condition matched, then relaxes the rule step by step until it
 * fires.
 *
 * @example
 * (await diagnose(rules, rule, 'hit.log')).reason // 'too far apart: 25s, but the window is 10s'
 */
export async function diagnose(rules: CompiledRules, rule: CompiledRule, log: string): Promise<Diagnosis> {
  const conditions = await tallyConditions(rules, rule, log)
  const missing = conditions.filter(({ met, needed }) => met < needed)
  const reason = missing.length > 0 ? missingReason(missing) : await relaxedReason(rules, rule, log, conditions)
  return { reason, conditions }
}

async function tallyConditions(rules: CompiledRules, rule: CompiledRule, log: string): Promise<ConditionTally[]> {
  const met = rules.conditions.map(() => ({ count: 0, lines: [] as number[] }))
  await scanLog(await conditionProbe(rules), log, {}, ({ cre, hits }) => {
    const tally = met[probedCondition(cre.id)]!
    tally.count++
    if (tally.lines.length < LINES_KEPT) tally.lines.push(hits[0]!.line)
  })
  const tally = (condition: number, needed: number): ConditionTally => {
    const { verb, pattern } = describeCondition(rules.conditions[condition]!)
    const { count, lines } = met[condition]!
    return { condition: `${verb} ${pattern}`, needed, met: count, lines }
  }
  return [
    ...rule.terms.map(({ condition, count }) => tally(condition, count)),
    ...rule.negate.map(({ condition }) => tally(condition, 0)),
  ]
}

function missingReason(missing: readonly ConditionTally[]): string {
  const [first] = missing
  if (missing.length > 1) return `${missing.length} conditions did not match often enough`
  if (first!.met === 0) return 'a condition did not match any entry'
  return `a condition matched ${times(first!.met)}, but must match ${times(first!.needed)}`
}

/** Removes one requirement after the other: the one without which the rule fires is the reason. */
async function relaxedReason(
  rules: CompiledRules,
  rule: CompiledRule,
  log: string,
  tallies: readonly ConditionTally[],
): Promise<string> {
  const fires = (changed: CompiledRule, options: DetectorOptions = {}) => firstDetection(rules, changed, log, options)
  const free: CompiledRule = { ...rule, negate: [] }
  if (rule.negate.length > 0 && (await fires(free))) return negatedReason(tallies)
  const endless: CompiledRule = { ...free, window: rule.window === 0n ? 0n : EVER }
  const apart = await fires(endless)
  if (apart) return `too far apart: ${spanOf(apart)}, but the window is ${formatDuration(rule.window)}`
  if (rule.kind === 'sequence' && (await fires(asSet(endless)))) return 'the conditions match, but not in this order'
  if (await fires(endless, { window: EVER })) return 'the lines are not in chronological order'
  return 'the conditions match, but never together'
}

function negatedReason(tallies: readonly ConditionTally[]): string {
  const matched = tallies.filter(({ needed, met }) => needed === 0 && met > 0)
  const lines = matched.flatMap(({ lines }) => lines)
  return `a negated condition matched: ${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, LINES_KEPT).join(', ')}`
}

/** The same conditions in any order. Identical ones are merged, as in every set. */
function asSet(rule: CompiledRule): CompiledRule {
  const terms = new Map<number, CompiledRule['terms'][number]>()
  for (const term of rule.terms) {
    const count = term.count + (terms.get(term.condition)?.count ?? 0)
    terms.set(term.condition, { ...term, count })
  }
  return { ...rule, kind: 'set', terms: [...terms.values()] }
}

async function firstDetection(
  rules: CompiledRules,
  rule: CompiledRule,
  log: string,
  options: DetectorOptions,
): Promise<Detection | undefined> {
  const changed = await importRules(exportRules({ ...rules, rules: [rule] }))
  return (await scanLog(changed, log, options)).detections[0]
}

function spanOf({ hits }: Detection): string {
  const times = hits.map(({ timestamp }) => timestamp)
  const first = times.reduce((a, b) => (b < a ? b : a))
  const last = times.reduce((a, b) => (b > a ? b : a))
  return formatDuration(last - first)
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
