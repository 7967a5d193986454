import type { Detection, Entry, Hit } from '../src/match/detection.js'
import type { CompiledRule, NegateTerm } from '../src/rules/compiled.js'

/** An entry with the conditions that it meets. */
export interface Arrival {
  readonly entry: Entry
  readonly conditions: readonly number[]
  /** It is too late for its order: only rules without state see it, and it does not move the clock. */
  readonly isLate?: boolean
}

interface Kept {
  readonly entry: Entry
  readonly term: number
}

/**
 * The oracle of the matcher: section 4 of the rule language, sentence by sentence. Every rule sees every entry, and the state is
 * in plain arrays. It shares no code with the matcher. `most` is the number of entries that a condition keeps.
 */
export function slowDetections(rules: readonly CompiledRule[], log: readonly Arrival[], most = 100_000): Detection[] {
  const detections: Detection[] = []
  const running = rules.map((rule, ruleIndex) =>
    slowRule(rule, most, (hits) => detections.push({ rule, ruleIndex, hits })),
  )
  let clock: bigint | undefined
  for (const { entry, conditions, isLate = false } of log) {
    if (!isLate && (clock === undefined || entry.timestamp > clock)) clock = entry.timestamp
    for (const rule of running) rule.look(entry, conditions, clock, isLate)
  }
  for (const rule of running) rule.end()
  return detections
}

function slowRule(rule: CompiledRule, most: number, fire: (hits: Hit[]) => void) {
  const { terms, window } = rule
  const n = terms.reduce((sum, term) => sum + term.count, 0)
  const negated = rule.negate.length > 0
  let collected: Kept[][] = terms.map(() => [])
  const objections: bigint[][] = rule.negate.map(() => [])

  const holds = (term: number) => collected[term]!.length >= terms[term]!.count
  const firstUnmet = () => {
    const unmet = terms.findIndex((_, term) => !holds(term))
    return unmet < 0 ? terms.length : unmet
  }
  const complete = () => firstUnmet() === terms.length
  const candidate = () => collected.flatMap((kept, term) => kept.slice(0, terms[term]!.count))

  /** 4.4: chooses entries so that times do not go backwards within a detection. */
  function repair(): void {
    if (rule.kind === 'set') return
    let time: bigint | undefined
    let broken = false
    collected = collected.map((kept, term) => {
      if (broken) return []
      const rest = kept.filter(({ entry }) => time === undefined || entry.timestamp >= time)
      broken = rest.length < terms[term]!.count
      time = rest[terms[term]!.count - 1]?.entry.timestamp
      return rest
    })
  }

  function drop(dropped: readonly Kept[]): void {
    collected = collected.map((kept) => kept.filter((one) => !dropped.includes(one)))
    repair()
  }

  function forget(before: bigint): void {
    const forgets = (term: number) => rule.kind === 'set' || term === 0
    const old = collected.flatMap((kept, term) => (forgets(term) ? kept.filter((k) => k.entry.timestamp < before) : []))
    if (old.length > 0) drop(old)
  }

  function collect(entry: Entry, conditions: readonly number[]): void {
    const furthest = rule.kind === 'set' ? terms.length : firstUnmet()
    const surplus: Kept[] = []
    for (const [term, { condition }] of terms.entries()) {
      if (!conditions.includes(condition) || term > furthest) continue
      collected[term]!.push({ entry, term })
      if (collected[term]!.length > most) surplus.push(collected[term]![0]!)
    }
    if (surplus.length > 0) drop(surplus)
    for (const [index, { condition }] of rule.negate.entries()) {
      const times = objections[index]!
      if (conditions.includes(condition) && !times.includes(entry.timestamp)) times.push(entry.timestamp)
      if (times.length > most) times.shift()
    }
  }

  /** 4.5: decides one candidate. */
  function verdict(found: readonly Kept[], clock: bigint | undefined): 'fire' | 'wait' | Kept {
    const byTime = found.toSorted((a, b) => Number(a.entry.timestamp - b.entry.timestamp))
    const anchors = rule.kind === 'set' ? byTime : found
    const span = byTime.at(-1)!.entry.timestamp - byTime[0]!.entry.timestamp
    if (n > 1 && span > window) return anchors[0]!
    for (const [index, negate] of rule.negate.entries()) {
      const anchor = anchors[negate.anchor]!
      const start = anchor.entry.timestamp + negate.slide
      const end = start + width(negate, span)
      if (objections[index]!.some((time) => start <= time && time <= end)) return anchor
      if (clock !== undefined && end >= clock) return 'wait'
    }
    return 'fire'
  }

  function decide(clock: bigint | undefined): void {
    while (complete()) {
      const found = candidate()
      const outcome = verdict(found, clock)
      if (outcome === 'wait') return
      if (outcome === 'fire') fire(found.map(({ entry, term }) => ({ entry, term })))
      drop(outcome === 'fire' ? found : [outcome])
    }
  }

  function look(entry: Entry, conditions: readonly number[], clock: bigint | undefined, isLate: boolean): void {
    if (n === 1 && !negated) {
      if (conditions.includes(terms[0]!.condition)) fire([{ entry, term: 0 }])
      return
    }
    if (isLate || clock === undefined || entry.timestamp < clock) return
    if (!negated) forget(clock - window)
    collect(entry, conditions)
    if (negated) decide(clock)
    if (negated || !complete()) return
    const found = candidate()
    fire(found.map(({ entry, term }) => ({ entry, term })))
    drop(found)
  }

  return { look, end: () => decide(undefined) }
}

function width(negate: NegateTerm, span: bigint): bigint {
  const full = negate.absolute ? negate.window : negate.window + span
  return full < 0n ? 0n : full
}
