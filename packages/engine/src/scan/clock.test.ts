import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRules, createDetector, createMerger, createSegmentScanner, type DetectorOptions } from '../index.js'
import { BEFORE_TIME, createClock, firstAbove } from './clock.js'
import { loadKernel } from './kernel/kernel.js'
import { plainKernel } from './kernel/plain-kernel.js'

const SECOND = 1_000_000_000n
const FACTORIES = [await loadKernel(), plainKernel]

const encode = (text: string) => new TextEncoder().encode(text)

const rules = await compileRules([
  {
    name: 'r.yaml',
    text: 'rules:\n  - cre: {id: CRE-2026-4300}\n    rule: {set: {event: {source: x}, match: [hit]}}\n',
  },
])

/** Whole seconds around the epoch, now and then one of the extremes. */
const timestamp = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: -20, max: 20 }).map((seconds) => BigInt(seconds) * SECOND) },
  fc.constantFrom(BEFORE_TIME + 1n, -BEFORE_TIME - 1n),
)

const options = fc.record(
  { since: timestamp, until: timestamp, window: fc.nat(10).map((seconds) => BigInt(seconds) * SECOND) },
  { requiredKeys: [] },
)

/** The same, entry by entry. */
function slowCounts(times: readonly bigint[], { since, until, window = 0n }: DetectorOptions) {
  const within = times.filter(
    (time) => (since === undefined || time >= since) && (until === undefined || time <= until),
  )
  const isEarlier = (a: bigint, b: bigint) => (a < b ? -1 : 1)
  const sorted = times.toSorted(isEarlier)
  const behind = within.slice(1).map(
    (time, index) =>
      within
        .slice(0, index + 1)
        .toSorted(isEarlier)
        .at(-1)! - time,
  )
  const late = behind.filter((by) => by > window)
  const lateBy = late.toSorted(isEarlier).at(-1) ?? 0n
  return {
    entries: times.length,
    inRange: within.length,
    late: late.length,
    lateBy: lateBy > -BEFORE_TIME - 1n ? -BEFORE_TIME - 1n : lateBy,
    first: sorted[0],
    last: sorted.at(-1),
  }
}

describe('the clock of a source', () => {
  it('counts the same on both kernels as entry by entry, however the entries are divided into batches', () => {
    fc.assert(
      fc.property(fc.array(fc.array(timestamp, { maxLength: 12 }), { maxLength: 4 }), options, (batches, given) => {
        const expected = slowCounts(batches.flat(), given)
        for (const makeKernel of FACTORIES) {
          const clock = createClock(makeKernel(), given)
          clock.start(BEFORE_TIME)
          for (const batch of batches) clock.advance(BigInt64Array.from(batch))
          expect(clock.counts).toEqual(expected)
          const { since = BEFORE_TIME, until = -BEFORE_TIME } = given
          const within = batches.flat().filter((time) => time >= since && time <= until)
          expect(clock.now).toBe(within.reduce((a, b) => (b > a ? b : a), BEFORE_TIME))
        }
      }),
      { numRuns: 200 },
    )
  })

  it('has at every entry the highest timestamp that is not ignored', () => {
    for (const makeKernel of FACTORIES) {
      const clock = createClock(makeKernel(), { until: 6n })
      clock.start(BEFORE_TIME)
      const taken = clock.advance(BigInt64Array.of(1n, 3n, 9n, 2n, 6n))
      expect([...taken]).toEqual([1n, 3n, BEFORE_TIME, 2n, 6n])
      expect([...clock.times]).toEqual([1n, 3n, 3n, 3n, 6n])
      expect(clock.ignored).toBe(1)
      expect(firstAbove(clock.times, 2n)).toBe(1)
      expect(firstAbove(clock.times, 6n)).toBe(5)
    }
  })

  it('has within the window the timestamp of each entry, and outside of it the time of the clock', () => {
    for (const makeKernel of FACTORIES) {
      const clock = createClock(makeKernel(), { window: 3n })
      clock.start(BEFORE_TIME)
      clock.advance(BigInt64Array.of(9n, 6n, 5n, 8n))
      expect([...clock.times]).toEqual([9n, 6n, 9n, 8n])
      expect(clock.stragglers).toBe(2)
      clock.raiseFloor(9n)
      clock.advance(BigInt64Array.of(10n, 8n, 9n))
      expect([...clock.times]).toEqual([10n, 10n, 9n])
      expect(clock.counts.late).toBe(2)
    }
  })
})

describe('the progress of a detector', () => {
  const line = (second: number, text = 'quiet') => `2026-03-01T12:00:${String(second).padStart(2, '0')}Z ${text}\n`
  const time = (second: number) => BigInt(Date.UTC(2026, 2, 1, 12, 0, second)) * 1_000_000n
  const LOG = [1, 5, 3, 9, 2, 8].map((second) => line(second)).join('')

  function progressWith(given: DetectorOptions) {
    const detector = createDetector(rules, given)
    detector.push(encode(LOG))
    detector.end()
    return detector.progress
  }

  it('has the range of times, and the entries that are out of order', () => {
    const { entries, inRange, late, first, last } = progressWith({})
    expect({ entries, inRange, late, first, last }).toEqual({
      entries: 6,
      inRange: 6,
      late: 3,
      first: time(1),
      last: time(9),
    })
    expect(progressWith({ window: 2n * SECOND }).late).toBe(1)
  })

  it('counts late entries only between since and until, and has the range of times of all', () => {
    const progress = progressWith({ since: time(2), until: time(8) })
    expect(progress).toMatchObject({ entries: 6, inRange: 4, late: 2, first: time(1), last: time(9) })
    expect(progressWith({ since: time(10) })).toMatchObject({
      entries: 6,
      inRange: 0,
      first: time(1),
      last: time(9),
    })
  })

  it('starts again with other data', () => {
    const detector = createDetector(rules)
    detector.push(encode(LOG))
    detector.restart()
    detector.push(encode(line(4)))
    detector.end()
    expect(detector.progress).toMatchObject({ entries: 1, inRange: 1, late: 0, first: time(4), last: time(4) })
  })

  it('is the same if the data is scanned in segments', () => {
    const given = { since: time(2), window: SECOND, now: new Date('2026-04-01T00:00:00Z') }
    const scanner = createSegmentScanner(rules, { now: given.now })
    const merger = createMerger(rules, given)
    for (const segment of [LOG.slice(0, 54), LOG.slice(54)].map(encode)) {
      scanner.begin(merger.seam)
      scanner.space().set(segment)
      scanner.commit(segment.length)
      merger.deliver(scanner.end(false))
    }
    merger.end()
    expect(merger.progress).toEqual(progressWith(given))
  })
})
