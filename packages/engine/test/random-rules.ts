import fc from 'fast-check'
import type { CompiledRule, NegateTerm, PositiveTerm } from '../src/rules/compiled.js'
import type { Arrival } from './slow-matcher.js'

/** Few, so that rules share conditions, and one rule negates a condition that another requires. */
const CONDITIONS = 6
const wanted = fc.nat(3)
const unwanted = fc.integer({ min: 2, max: CONDITIONS - 1 })

/** Times in small steps, so that windows often begin and end at entries. */
const step = (min: number, max: number) => fc.integer({ min, max }).map(BigInt)

const negateTerm = (entries: number): fc.Arbitrary<NegateTerm> =>
  fc.record({
    condition: unwanted,
    window: step(-3, 6),
    slide: fc.oneof(fc.constant(0n), step(-6, 4)),
    anchor: fc.nat(entries - 1),
    absolute: fc.boolean(),
  })

const positiveTerm: fc.Arbitrary<PositiveTerm> = fc.record({
  condition: wanted,
  count: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, { weight: 2, arbitrary: fc.integer({ min: 2, max: 3 }) }),
  extract: fc.constant([]),
})

const setTerms = fc.uniqueArray(positiveTerm, { minLength: 1, maxLength: 3, selector: (term) => term.condition })

const sequenceTerms = fc
  .array(positiveTerm, { minLength: 1, maxLength: 4 })
  .filter((terms) => entriesOf(terms) > 1 && terms.every((term, i) => term.condition !== terms[i - 1]?.condition))

function entriesOf(terms: readonly PositiveTerm[]): number {
  return terms.reduce((sum, { count }) => sum + count, 0)
}

function ruleOf(kind: 'set' | 'sequence', terms: fc.Arbitrary<PositiveTerm[]>): fc.Arbitrary<CompiledRule> {
  return terms.chain((terms) =>
    fc.record({
      cre: fc.constant({ id: 'CRE-2026-0001' }),
      ruleId: fc.constant('id'),
      ruleHash: fc.constant('hash'),
      source: fc.constant('cre.log.test'),
      kind: fc.constant(kind),
      window: entriesOf(terms) === 1 ? fc.constant(0n) : step(1, 12),
      terms: fc.constant(terms),
      negate: fc.array(negateTerm(entriesOf(terms)), { maxLength: 2 }),
    }),
  )
}

/** Sets and sequences of a few conditions, with and without negation. */
export const randomRule = fc.oneof(ruleOf('set', setTerms), ruleOf('sequence', sequenceTerms))

export const randomRules = fc.array(randomRule, { minLength: 1, maxLength: 4 })

/** Bursts at one time, small steps, gaps, and times that go backwards. */
const passing = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0n) },
  { weight: 8, arbitrary: step(1, 3) },
  { weight: 1, arbitrary: step(4, 30) },
  { weight: 2, arbitrary: step(-5, -1) },
)

const all = Array.from({ length: CONDITIONS }, (_, index) => index)

/** Many conditions at once, or one or none, so that both bursts and long waits occur. */
const met = fc.oneof(fc.subarray(all), { weight: 2, arbitrary: fc.subarray(all, { maxLength: 1 }) })

/** A log, each entry with the conditions that it meets. */
export const randomLog = fc.array(fc.tuple(passing, met), { maxLength: 70, size: 'max' }).map((steps) => {
  let timestamp = 1_000n
  return steps.map(([passed, conditions], index): Arrival => {
    timestamp += passed
    return { entry: { timestamp, text: `entry ${index}`, line: index + 1 }, conditions }
  })
})
