import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomRule } from '../../test/random-rules.js'
import { type Arrival, slowDetections } from '../../test/slow-matcher.js'
import { slowOrder } from '../../test/slow-order.js'
import { createMatcher, type Detection, type MatcherSnapshot } from '../match/matcher.js'
import type { CompiledRule } from '../rules/compiled.js'
import { createClock } from './clock.js'
import { type DeliverySnapshot, withoutIgnored } from './delivery.js'
import { loadKernel } from './kernel/kernel.js'
import { plainKernel } from './kernel/plain-kernel.js'
import { type MatchBatch, MatchCollector } from './match-batch.js'
import { createReordering, WAITING_LIMITS } from './reordering.js'

const KERNELS = [await loadKernel(), plainKernel]

function shown(detections: readonly Detection[]): string[] {
  return detections.map(({ ruleIndex, hits }) => {
    return `rule ${ruleIndex}: ${hits.map(({ entry, term }) => `${term} by ${entry.line} (${entry.text})`).join(', ')}`
  })
}

/** What the scanner finds in these entries. */
function scanned(entries: readonly Arrival[]): MatchBatch {
  const collector = new MatchCollector()
  const text = new TextEncoder().encode(entries.map(({ entry }) => entry.text).join(''))
  let at = 0
  for (const [index, { entry, conditions }] of entries.entries()) {
    const end = at + entry.text.length
    if (conditions.length > 0) {
      collector.add(index, entry.line, at, end, Uint32Array.from(conditions), conditions.length)
    }
    at = end
  }
  const timestamps = BigInt64Array.from(entries, ({ entry }) => entry.timestamp)
  return { ...collector, timestamps, text }
}

interface Drive {
  readonly window: bigint
  readonly since: bigint | undefined
  readonly until: bigint | undefined
  /** A new batch begins with these entries. */
  readonly cuts: readonly number[]
  /** Before these entries everything is saved as JSON and restored. */
  readonly stops: readonly number[]
  /** Before these entries everything up to this time is released. */
  readonly releases: ReadonlyMap<number, bigint>
  /** How many matches may wait. */
  readonly most?: number
  /** The number of entries that are forgotten together. */
  readonly block?: number
}

function fastDetections(
  rules: readonly CompiledRule[],
  log: readonly Arrival[],
  drive: Drive,
  makeKernel = KERNELS[0],
) {
  const found: Detection[] = []
  const clock = createClock(makeKernel(), drive)
  let late = 0

  function start(saved?: { readonly matcher: MatcherSnapshot; readonly delivery: DeliverySnapshot }) {
    const matcher = createMatcher(rules, {
      emit: (detection) => found.push(detection),
      ...(saved && { snapshot: saved.matcher }),
    })
    const { window, most: matches = WAITING_LIMITS.matches, block: times = WAITING_LIMITS.times } = drive
    const limits = { ...WAITING_LIMITS, matches, times }
    return { matcher, delivery: createReordering(clock, matcher, window, () => {}, saved?.delivery, limits) }
  }

  let { matcher, delivery } = start()
  const bounds = [...new Set([0, ...drive.cuts, ...drive.stops, ...drive.releases.keys()])].sort((a, b) => a - b)
  for (const [index, from] of bounds.entries()) {
    if (from > log.length) break
    if (drive.stops.includes(from)) {
      late += clock.counts.late
      ;({ matcher, delivery } = start(
        JSON.parse(JSON.stringify({ matcher: matcher.snapshot(), delivery: delivery.snapshot() })),
      ))
    }
    const upTo = drive.releases.get(from)
    if (upTo !== undefined) delivery.release(upTo)
    const batch = scanned(log.slice(from, bounds[index + 1]))
    delivery.deliver(withoutIgnored({ ...batch, timestamps: clock.advance(batch.timestamps) }))
  }
  delivery.end()
  return { detections: shown(found), late: late + clock.counts.late }
}

function slowResult(rules: readonly CompiledRule[], log: readonly Arrival[], drive: Drive) {
  const { since, until, releases } = drive
  const numbered = log.map((arrival, index) => ({ ...arrival, index }))
  const within = numbered.filter(({ entry: { timestamp } }) => {
    return (since === undefined || timestamp >= since) && (until === undefined || timestamp <= until)
  })
  // A release before an entry that is ignored is one before the next that is not.
  const moved = new Map<number, bigint>()
  for (const [before, upTo] of [...releases].sort(([a], [b]) => a - b)) {
    const next = within.findIndex(({ index }) => index >= before)
    if (next >= 0 && upTo > (moved.get(next) ?? -1n)) moved.set(next, upTo)
  }
  const delivered = slowOrder(within, { ...drive, releases: moved })
  return {
    detections: shown(slowDetections(rules, delivered)),
    late: delivered.filter(({ isLate }) => isLate).length,
  }
}

/** Fires at every entry that meets the condition, which shows the order in which the other rules fire. */
const witness = (condition: number): CompiledRule => ({
  cre: { id: `CRE-2026-100${condition}` },
  ruleId: `id ${condition}`,
  ruleHash: `hash ${condition}`,
  source: 'cre.log.test',
  kind: 'set',
  window: 0n,
  terms: [{ condition, count: 1, extract: [] }],
  negate: [],
})

const randomRules = fc
  .array(randomRule, { minLength: 1, maxLength: 3 })
  .map((rules) => [witness(0), witness(1), ...rules])

/** Most entries meet no condition. Times repeat, and often go backwards. */
const randomLog = fc
  .array(
    fc.tuple(
      fc.constantFrom(0n, 0n, 1n, 1n, 2n, 3n, -1n, -2n, -5n, 9n),
      fc.constantFrom([], [], [], [0], [1], [2], [3], [0, 1], [1, 2, 3]),
    ),
    { maxLength: 70, size: 'max' },
  )
  .map((steps) => {
    let timestamp = 1_000n
    return steps.map(([passed, conditions], index): Arrival => {
      timestamp += passed
      return { entry: { timestamp, text: `entry ${index}`, line: index + 1 }, conditions }
    })
  })

const places = fc.array(fc.nat(70), { maxLength: 5 })
const time = (min: number, max: number) => fc.integer({ min, max }).map(BigInt)
const sometimes = <T>(arbitrary: fc.Arbitrary<T>, otherwise: T) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(otherwise) }, arbitrary)

const randomDrive: fc.Arbitrary<Drive> = fc.record({
  window: fc.integer({ min: 1, max: 12 }).map(BigInt),
  since: sometimes<bigint | undefined>(time(1_000, 1_010), undefined),
  until: sometimes<bigint | undefined>(time(1_030, 1_070), undefined),
  cuts: places,
  stops: sometimes(places, []),
  releases: sometimes(
    fc.array(fc.tuple(fc.nat(70), time(1_000, 1_070)), { maxLength: 3 }).map((list) => new Map(list)),
    new Map(),
  ),
})

describe('the reordering, on random rules and logs', () => {
  it('finds what the oracle finds in the sorted log, however it is cut, stopped and released, on both kernels', () => {
    fc.assert(
      fc.property(randomRules, randomLog, randomDrive, (rules, log, drive) => {
        const expected = slowResult(rules, log, drive)
        for (const makeKernel of KERNELS) expect(fastDetections(rules, log, drive, makeKernel)).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  it('delivers the earliest matches early if too many wait, as the oracle does', () => {
    fc.assert(
      fc.property(randomRules, randomLog, randomDrive, fc.integer({ min: 1, max: 6 }), (rules, log, drive, most) => {
        const { detections } = fastDetections(rules, log, { ...drive, most })
        expect(detections).toEqual(slowResult(rules, log, { ...drive, most }).detections)
      }),
      { numRuns: 200 },
    )
  })

  it('forgets the times of entries, if too many are within the window, wherever the log is cut', () => {
    fc.assert(
      fc.property(randomRules, randomLog, randomDrive, places, (rules, log, drive, cuts) => {
        const limited = { ...drive, stops: [], block: 3 }
        expect(fastDetections(rules, log, { ...limited, cuts })).toEqual(fastDetections(rules, log, limited))
      }),
      { numRuns: 200 },
    )
  })

  it('finds the same if it is saved and restored before every entry', () => {
    fc.assert(
      fc.property(randomRules, randomLog, randomDrive, (rules, log, drive) => {
        const stops = log.map((_, index) => index)
        expect(fastDetections(rules, log, { ...drive, stops })).toEqual(slowResult(rules, log, drive))
      }),
      { numRuns: 50 },
    )
  })
})
