import { describe, expect, it } from 'vitest'
import { localAt } from '../../test/reading/slow-zone.js'
import { assumedSeam, compileRules, createDetector, createMerger, createSegmentScanner, type Seam } from '../index.js'

const RULES = "rules:\n  - cre: {id: TEST-0001}\n    rule: {set: {event: {source: '*'}, match: [line]}}\n"
const OPTIONS = { zone: 'Europe/Berlin', now: new Date('2026-12-01T00:00:00Z') }

/** A line every ten minutes while clocks are set back, in local time. */
const LINES = Array.from({ length: 24 }, (_, i) => {
  const local = localAt(OPTIONS.zone, Date.parse('2026-10-24T23:00:00Z') / 1000 + i * 600)
  return `${new Date(local * 1000).toISOString().slice(0, 19).replace('T', ' ')} line ${i}\n`
})

const encoder = new TextEncoder()

describe('segments in an hour that clocks show twice', () => {
  it('have the times of the whole log if they continue from the segment before', async () => {
    const rules = await compileRules([{ name: 'rules.yaml', text: RULES }])
    const detector = createDetector(rules, OPTIONS)
    const whole = [...detector.push(encoder.encode(LINES.join(''))), ...detector.end()]
    const expected = whole.map(({ hits }) => [hits[0].timestamp, hits[0].line])
    expect(new Set(expected.map(([timestamp]) => timestamp)).size).toBe(24)

    const scanner = createSegmentScanner(rules, OPTIONS)
    const formats = [{ name: 'iso', shapes: 1 }]
    const scan = (from: number, to: number, seam: Seam) => {
      const bytes = encoder.encode(LINES.slice(from, to).join(''))
      scanner.begin(seam)
      scanner.space().set(bytes)
      scanner.commit(bytes.length)
      return scanner.end(to === 24)
    }
    for (let cut = 1; cut < 24; cut++) {
      const [first, second] = [scan(0, cut, assumedSeam(formats, true)), scan(cut, 24, assumedSeam(formats, false))]
      expect(first.repeatedHour).toBe(false)
      expect(second.repeatedHour).toBe(/ 02:/.test(LINES[cut]))
      const merger = createMerger(rules, OPTIONS)
      const merged = [...merger.deliver(first)]
      expect(merger.accepts(second)).toBe(!second.repeatedHour)
      merged.push(...merger.deliver(merger.accepts(second) ? second : scan(cut, 24, merger.seam)))
      expect(merged.map(({ hits }) => [hits[0].timestamp, hits[0].line])).toEqual(expected)
    }
  })

  it('are not repeated if their times have a zone, or if clocks are never set back', async () => {
    const rules = await compileRules([{ name: 'rules.yaml', text: RULES }])
    const bytes = encoder.encode('2026-10-25 02:30:00 line\n')
    for (const zone of ['UTC', '+02:00', 'Asia/Kathmandu']) {
      const scanner = createSegmentScanner(rules, { ...OPTIONS, zone })
      scanner.space().set(bytes)
      scanner.commit(bytes.length)
      expect(scanner.end(true).repeatedHour).toBe(false)
    }
  })
})
