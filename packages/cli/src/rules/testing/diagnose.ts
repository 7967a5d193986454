import { type CompiledRules, type Detection, type DetectorOptions, exportRules, importRules } from '@omen/engine'
import { type CompiledRule, describeCondition, formatDuration } from '../describe-detection.js'
import { conditionProbe, probedCondition, scanLog } from './scan-log.js'

/** How often a condition was met in a log, and where first. */
export interface ConditionTally {
  /** In words: `contains "disk full"`. */
  readonly condition: string
  /** How many entries had to meet it; 0 for a negated one. */
  readonly needed: number
  readonly met: number
  /** Numbers of the first lines that met it. */
  readonly lines: readonly number[]
}

/** Why a rule did not fire. */
export interface Diagnosis {
  readonly reason: string
  readonly conditions: readonly ConditionTally[]
}

const LINES_KEPT = 5

/** Longer than any log. */
const EVER = 1n << 62n

/**
 * Finds out why a rule did not fire on a log: counts how often each of its conditions was met, then takes away one demand of
 * the rule after the other until it fires.
 *
 * @example
 * (await diagnose(rules, rule, 'hit.log')).reason // 'too far apart: 25s, and window is 10s'
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
  if (missing.length > 1) return `${missing.length} conditions were not met often enough`
  if (first!.met === 0) return 'a condition was not met by any entry'
  return `a condition was met ${times(first!.met)}, and needs ${first!.needed}`
}

/** One demand less each time: the first that makes the rule fire is the reason. */
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
  if (apart) return `too far apart: ${spanOf(apart)}, and window is ${formatDuration(rule.window)}`
  if (rule.kind === 'sequence' && (await fires(asSet(endless)))) return 'the conditions are met, but not in this order'
  if (await fires(endless, { window: EVER })) return 'the lines are not in the order of their times'
  return 'the conditions are met, but never together'
}

function negatedReason(tallies: readonly ConditionTally[]): string {
  const objections = tallies.filter(({ needed, met }) => needed === 0 && met > 0)
  const lines = objections.flatMap(({ lines }) => lines)
  return `negate objects: line ${lines.slice(0, LINES_KEPT).join(', ')}`
}

/** The same conditions in any order. Identical ones are one, as in every set. */
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
