import type { CompiledRule } from '../rules/compiled.js'
import { Deadlines } from './deadlines.js'
import type { Detection, Entry } from './detection.js'
import { DEFAULT_LIMITS, type Limits } from './queues.js'
import { createRunningRule, type RunningRule, type Use } from './running-rule.js'
import { type MatcherSnapshot, restoreState, saveState } from './snapshot.js'

export type { Detection, Hit } from './detection.js'
export type { Limits } from './queues.js'
export type { MatcherSnapshot } from './snapshot.js'

export interface MatcherOptions {
  /** Called for every detection, in the order in which they fire. */
  emit(detection: Detection): void
  /** Called at most once per rule, when its oldest entries are dropped because of a limit. */
  warn?(message: string): void
  /** The state of an earlier matcher for the same rules, to continue from. */
  snapshot?: MatcherSnapshot
  /** How much a rule keeps for one condition. */
  limits?: Limits
}

export interface Matcher {
  /**
   * Takes an entry that met the first `length` of `conditions`: indices into `CompiledRules.conditions`, ascending and
   * distinct. `clock` is the highest timestamp so far, including this entry.
   */
  arrive(entry: Entry, clock: bigint, conditions: ArrayLike<number>, length: number): void
  /** Takes an entry that is too late for its order: only rules without state get it. */
  arriveLate(entry: Entry, conditions: ArrayLike<number>, length: number): void
  /** Moves the clock without a matching entry. To be called at the first entry whose clock exceeds `deadline`. */
  advance(clock: bigint): void
  /** The smallest timestamp such that a clock above it can decide a rule; undefined if no rule waits. */
  readonly deadline: bigint | undefined
  /** Whether any rule can have a deadline. */
  readonly hasDeadlines: boolean
  /** Whether any rule keeps state. */
  readonly hasState: boolean
  /** Ends the data: decides all waiting rules. */
  end(): void
  /** The state as plain data for JSON, to continue later. */
  snapshot(): MatcherSnapshot
  /** The number of entries and timestamps kept. An entry counts once per condition that keeps it. */
  readonly size: number
}

/** How a rule uses one condition. Without `running` the rule has no state: every entry is a detection. */
interface RuleUse extends Use {
  readonly rule: CompiledRule
  readonly ruleIndex: number
  readonly running: RunningRule | undefined
}

const NO_USES: readonly RuleUse[] = []

/**
 * Runs rules over the entries that met their conditions: sets, sequences and negation, with bounded state. Entries that met
 * no condition can be left out if `advance` is called when the clock passes `deadline`: the detections are the same, in the
 * same order.
 *
 * @example
 * const matcher = createMatcher(rules, { emit: (detection) => found.push(detection) })
 * matcher.arrive(entry, clock, [4, 17], 2)
 * matcher.end()
 */
export function createMatcher(rules: readonly CompiledRule[], options: MatcherOptions): Matcher {
  const { emit } = options
  const limits = options.limits ?? DEFAULT_LIMITS
  const running = rules.map((rule, ruleIndex) => startRule(rule, ruleIndex, limits, options))
  const uses = usesByCondition(rules, running)
  const untouched = rules.map((rule, ruleIndex) => useOf(rule, ruleIndex, running[ruleIndex], -1))
  const deadlines = new Deadlines(rules.length)
  const found: RuleUse[] = []
  let now: bigint | undefined

  function close(ruleIndex: number, rule: RunningRule, clock: bigint): void {
    rule.close(clock)
    deadlines.set(ruleIndex, rule.deadline)
  }

  function isDue(clock: bigint): boolean {
    const { earliest } = deadlines
    return earliest !== undefined && earliest < clock
  }

  function advance(clock: bigint): void {
    now = clock
    if (!isDue(clock)) return
    for (const ruleIndex of deadlines.passed(clock)) close(ruleIndex, running[ruleIndex]!, clock)
  }

  /** The common case: one condition, and no deadline has passed. Its rules are already in order. */
  function arriveAlone(entry: Entry, clock: bigint, met: readonly RuleUse[]): void {
    for (let i = 0; i < met.length; i++) {
      const use = met[i]!
      if (use.running === undefined) {
        emit({ rule: use.rule, ruleIndex: use.ruleIndex, hits: [{ entry, term: 0 }] })
      } else if (entry.timestamp >= clock) {
        use.running.open(clock)
        use.running.collect(use, entry)
        close(use.ruleIndex, use.running, clock)
      }
    }
  }

  /** Collects in `found` all uses of the entry's conditions, and the rules that are due at this clock, in rule order. */
  function gather(conditions: ArrayLike<number>, length: number, clock?: bigint): void {
    found.length = 0
    let ordered = true
    for (let i = 0; i < length; i++) {
      const met = uses[conditions[i]!] ?? NO_USES
      for (let j = 0; j < met.length; j++) {
        if (found.length > 0 && found[found.length - 1]!.ruleIndex > met[j]!.ruleIndex) ordered = false
        found.push(met[j]!)
      }
    }
    if (clock !== undefined && isDue(clock)) {
      for (const ruleIndex of deadlines.passed(clock)) found.push(untouched[ruleIndex]!)
      ordered = false
    }
    if (!ordered) found.sort(byRule)
  }

  function arriveTogether(entry: Entry, clock: bigint): void {
    const isLate = entry.timestamp < clock
    for (let i = 0; i < found.length; ) {
      const { rule, ruleIndex, running } = found[i]!
      if (running === undefined) {
        emit({ rule, ruleIndex, hits: [{ entry, term: 0 }] })
        i++
        continue
      }
      running.open(clock)
      for (; i < found.length && found[i]!.ruleIndex === ruleIndex; i++) {
        if (!isLate) running.collect(found[i]!, entry)
      }
      close(ruleIndex, running, clock)
    }
  }

  const matcher: Matcher = {
    arrive(entry, clock, conditions, length) {
      now = clock
      if (length === 1 && !isDue(clock)) {
        arriveAlone(entry, clock, uses[conditions[0]!] ?? NO_USES)
      } else {
        gather(conditions, length, clock)
        arriveTogether(entry, clock)
      }
    },
    arriveLate(entry, conditions, length) {
      gather(conditions, length)
      for (const { rule, ruleIndex, running } of found) {
        if (running === undefined) emit({ rule, ruleIndex, hits: [{ entry, term: 0 }] })
      }
    },
    hasDeadlines: rules.some(({ negate }) => negate.length > 0),
    hasState: running.some((rule) => rule !== undefined),
    advance,
    get deadline() {
      return deadlines.earliest
    },
    end() {
      for (let ruleIndex = 0; ruleIndex < running.length; ruleIndex++) {
        running[ruleIndex]?.end()
        deadlines.set(ruleIndex, undefined)
      }
    },
    snapshot: () => saveState(running, now),
    get size() {
      return running.reduce((sum, rule) => sum + (rule === undefined ? 0 : sizeOf(rule)), 0)
    },
  }
  if (options.snapshot !== undefined) {
    now = restoreState(running, options.snapshot)
    for (const [ruleIndex, rule] of running.entries()) deadlines.set(ruleIndex, rule?.deadline)
  }
  return matcher
}

function startRule(
  rule: CompiledRule,
  ruleIndex: number,
  limits: Limits,
  { emit, warn }: MatcherOptions,
): RunningRule | undefined {
  const { cre, kind, terms, negate } = rule
  if (kind === 'set' && terms.length === 1 && terms[0]!.count === 1 && negate.length === 0) return undefined
  let warned = false
  return createRunningRule(rule, limits, {
    fire: (hits) => emit({ rule, ruleIndex, hits }),
    overflow(reason) {
      if (warned) return
      warned = true
      const most = limits[reason].toLocaleString('en-US')
      warn?.(`rule ${cre.id} keeps ${most} ${reason} for one condition: the oldest are dropped`)
    },
  })
}

function usesByCondition(
  rules: readonly CompiledRule[],
  running: readonly (RunningRule | undefined)[],
): readonly (readonly RuleUse[] | undefined)[] {
  const uses: RuleUse[][] = []
  rules.forEach((rule, ruleIndex) => {
    const conditions = new Set([...rule.terms, ...rule.negate].map(({ condition }) => condition))
    for (const condition of conditions) {
      uses[condition] ??= []
      uses[condition].push(useOf(rule, ruleIndex, running[ruleIndex], condition))
    }
  })
  return uses
}

function useOf(rule: CompiledRule, ruleIndex: number, running: RunningRule | undefined, condition: number): RuleUse {
  const indices = (list: readonly { condition: number }[]) =>
    list.flatMap((term, index) => (term.condition === condition ? [index] : []))
  return { rule, ruleIndex, running, terms: indices(rule.terms), negates: indices(rule.negate) }
}

function byRule(a: RuleUse, b: RuleUse): number {
  return a.ruleIndex - b.ruleIndex
}

function sizeOf({ queues, negateTimes }: RunningRule): number {
  let size = 0
  for (const queue of queues) size += queue.length
  for (const times of negateTimes) size += times.length
  return size
}
