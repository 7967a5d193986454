import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomLog, randomRules } from '../../test/random-rules.js'
import { type Arrival, slowDetections } from '../../test/slow-matcher.js'
import type { CompiledRule } from '../rules/compiled.js'
import { createMatcher, type Detection, type MatcherOptions } from './matcher.js'

const RUNS = { numRuns: 400 }

function shown(detections: readonly Detection[]): string[] {
  return detections.map(({ ruleIndex, hits }) => {
    return `rule ${ruleIndex}: ${hits.map(({ entry, term }) => `${term} by ${entry.line} (${entry.text})`).join(', ')}`
  })
}

interface Drive extends Partial<MatcherOptions> {
  /** Leaves out entries that meet no condition, as the scanner does. */
  readonly lazy?: boolean
  /** After these entries the matcher is saved as JSON and restored. */
  readonly stops?: readonly number[]
}

function fastDetections(rules: readonly CompiledRule[], log: readonly Arrival[], drive: Drive = {}): Detection[] {
  const found: Detection[] = []
  const options = { ...drive, emit: (detection: Detection) => found.push(detection) }
  let matcher = createMatcher(rules, options)
  let clock = -1n
  log.forEach(({ entry, conditions }, index) => {
    if (entry.timestamp > clock) clock = entry.timestamp
    if (conditions.length > 0 || !drive.lazy) matcher.arrive(entry, clock, conditions, conditions.length)
    else if (matcher.deadline !== undefined && clock > matcher.deadline) matcher.advance(clock)
    if (drive.stops?.includes(index)) {
      matcher = createMatcher(rules, { ...options, snapshot: JSON.parse(JSON.stringify(matcher.snapshot())) })
    }
  })
  matcher.end()
  return found
}

describe('the matcher, on random rules and logs', () => {
  test('finds what the oracle finds, in the same order', () => {
    fc.assert(
      fc.property(randomRules, randomLog, (rules, log) => {
        expect(shown(fastDetections(rules, log))).toEqual(shown(slowDetections(rules, log)))
      }),
      RUNS,
    )
  })

  test('needs only the entries that meet a condition, and the clock at its deadlines', () => {
    fc.assert(
      fc.property(randomRules, randomLog, (rules, log) => {
        expect(shown(fastDetections(rules, log, { lazy: true }))).toEqual(shown(slowDetections(rules, log)))
      }),
      RUNS,
    )
  })

  test('continues from a snapshot with the same detections', () => {
    const stops = fc.array(fc.nat(69), { maxLength: 4 })
    fc.assert(
      fc.property(randomRules, randomLog, stops, fc.boolean(), (rules, log, stops, lazy) => {
        expect(shown(fastDetections(rules, log, { lazy, stops }))).toEqual(shown(slowDetections(rules, log)))
      }),
      RUNS,
    )
  })

  test('drops the oldest entry of a condition that keeps too many, as the oracle does', () => {
    // A sequence with negation drops useless entries before it reaches the limit: only the others can be compared.
    const rules = randomRules.filter((rules) =>
      rules.every(({ kind, negate }) => kind === 'set' || negate.length === 0),
    )
    fc.assert(
      fc.property(rules, randomLog, fc.integer({ min: 1, max: 5 }), (rules, log, entries) => {
        const limits = { entries, characters: 1e9 }
        expect(shown(fastDetections(rules, log, { limits }))).toEqual(shown(slowDetections(rules, log, entries)))
      }),
      RUNS,
    )
  })

  test('finds the same for each rule at any position in the list', () => {
    fc.assert(
      fc.property(randomRules, randomLog, (rules, log) => {
        const own = (detections: readonly Detection[], rule: CompiledRule) =>
          shown(detections.filter((one) => one.rule === rule).map((one) => ({ ...one, ruleIndex: 0 })))
        const forwards = fastDetections(rules, log)
        const backwards = fastDetections(rules.toReversed(), log)
        for (const rule of rules) {
          expect(own(backwards, rule)).toEqual(own(forwards, rule))
          expect(own(fastDetections([rule], log), rule)).toEqual(own(forwards, rule))
        }
      }),
      RUNS,
    )
  })
})
