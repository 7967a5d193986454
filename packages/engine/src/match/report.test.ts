import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CreRecord } from '../rules/compiled.js'
import type { PublicDetection } from './detection.js'
import { createFindings, formatTimestamp, reportProblems } from './report.js'

function detectionOf(cre: CreRecord, ...times: bigint[]): PublicDetection {
  const hits = times.map((timestamp) => ({ timestamp, entry: `entry at ${timestamp}`, line: Number(timestamp) }))
  return { cre, ruleId: `id of ${cre.id}`, ruleHash: `hash of ${cre.id}`, hits }
}

const utc = () => 0

describe('the report', () => {
  test('without problems is an empty list', () => {
    expect(reportProblems(createFindings().problems(), utc)).toEqual([])
  })

  test('has one object for each CRE, with the hits in the order in which they fired', () => {
    const findings = createFindings()
    const cre = { id: 'CRE-2026-0001', severity: 2, title: 'A title' }
    findings.add(detectionOf(cre, 9n, 7n))
    findings.add(detectionOf(cre, 8n))
    expect(reportProblems(findings.problems(), utc)).toEqual([
      {
        cre,
        hits: [
          { timestamp: '1970-01-01T00:00:00.000000009Z', entry: 'entry at 9', line: 9 },
          { timestamp: '1970-01-01T00:00:00.000000007Z', entry: 'entry at 7', line: 7 },
          { timestamp: '1970-01-01T00:00:00.000000008Z', entry: 'entry at 8', line: 8 },
        ],
        id: 'CRE-2026-0001',
        rule_hash: 'hash of CRE-2026-0001',
        rule_id: 'id of CRE-2026-0001',
        timestamp: '1970-01-01T00:00:00.000000009Z',
      },
    ])
  })

  test('has its fields in a fixed order', () => {
    const findings = createFindings()
    const [hit] = detectionOf({ id: 'CRE-2026-0001' }, 1n).hits
    findings.add({ ...detectionOf({ id: 'CRE-2026-0001' }), hits: [{ ...hit!, extracted: { code: '7' } }] }, 'broker')
    expect(JSON.stringify(reportProblems(findings.problems(), utc))).toBe(
      '[{"cre":{"id":"CRE-2026-0001"},"hits":[{"timestamp":"1970-01-01T00:00:00.000000001Z","entry":"entry at 1","line":1,' +
        '"source":"broker","extracted":{"code":"7"}}],"id":"CRE-2026-0001","rule_hash":"hash of CRE-2026-0001",' +
        '"rule_id":"id of CRE-2026-0001","timestamp":"1970-01-01T00:00:00.000000001Z"}]',
    )
  })

  test('omits the source and the values if there are none', () => {
    const findings = createFindings()
    findings.add(detectionOf({ id: 'CRE-2026-0001' }, 1n))
    expect(Object.keys(reportProblems(findings.problems(), utc)[0]!.hits[0]!)).toEqual(['timestamp', 'entry', 'line'])
  })

  test('has the file of a hit', () => {
    const findings = createFindings()
    const [hit] = detectionOf({ id: 'CRE-2026-0001' }, 1n).hits
    findings.add({ ...detectionOf({ id: 'CRE-2026-0001' }), hits: [{ ...hit!, file: 'a.log' }] }, 'broker')
    expect(reportProblems(findings.problems(), utc)[0]?.hits[0]).toMatchObject({ source: 'broker', file: 'a.log' })
  })

  test('counts detections whose hits are not kept', () => {
    const findings = createFindings({ mostHits: 1 })
    for (const time of [3n, 4n, 5n]) findings.add(detectionOf({ id: 'CRE-2026-0001' }, time, time))
    const [problem] = findings.problems()
    expect(problem?.detections).toBe(3)
    expect(problem?.hits.map(({ timestamp }) => timestamp)).toEqual([3n])
  })

  test('writes times with the offset at that time', () => {
    const findings = createFindings()
    findings.add(detectionOf({ id: 'CRE-2026-0001' }, 0n))
    expect(reportProblems(findings.problems(), () => -300)[0]?.timestamp).toBe('1969-12-31T19:00:00-05:00')
  })
})

describe('problems', () => {
  test('are sorted by severity, then by time, then by id; without a severity they are critical', () => {
    const findings = createFindings()
    findings.add(detectionOf({ id: 'CRE-low', severity: 3 }, 1n))
    findings.add(detectionOf({ id: 'CRE-late' }, 9n, 2n))
    findings.add(detectionOf({ id: 'CRE-same-b', severity: 0 }, 5n))
    findings.add(detectionOf({ id: 'CRE-same-a' }, 5n))
    findings.add(detectionOf({ id: 'CRE-high', severity: 1 }, 0n))
    expect(findings.problems().map(({ cre }) => cre.id)).toEqual([
      'CRE-same-a',
      'CRE-same-b',
      'CRE-late',
      'CRE-high',
      'CRE-low',
    ])
  })

  test('count the detections, not the hits', () => {
    const findings = createFindings()
    findings.add(detectionOf({ id: 'CRE-2026-0001' }, 1n, 2n))
    findings.add(detectionOf({ id: 'CRE-2026-0001' }, 3n, 4n))
    expect(findings.problems().map(({ detections, hits }) => [detections, hits.length])).toEqual([[2, 4]])
  })

  test('do not change when more detections are added', () => {
    const findings = createFindings()
    findings.add(detectionOf({ id: 'CRE-2026-0001' }, 1n))
    const before = findings.problems()
    findings.add(detectionOf({ id: 'CRE-2026-0001' }, 2n))
    expect(before.map(({ detections, hits }) => [detections, hits.length])).toEqual([[1, 1]])
  })
})

describe('a formatted timestamp', () => {
  test.each([
    [0n, 0, '1970-01-01T00:00:00Z'],
    [1_772_366_403_000_000_000n, 0, '2026-03-01T12:00:03Z'],
    [1_772_366_403_500_000_000n, 60, '2026-03-01T13:00:03.5+01:00'],
    [1_772_366_403_000_000_001n, -330, '2026-03-01T06:30:03.000000001-05:30'],
    [1_772_366_403_120_000_000n, 345, '2026-03-01T17:45:03.12+05:45'],
    [1_772_323_200_000_000_000n, -60, '2026-02-28T23:00:00-01:00'],
    [-1n, 0, '1969-12-31T23:59:59.999999999Z'],
    [2n ** 63n - 1n, 0, '2262-04-11T23:47:16.854775807Z'],
    [-(2n ** 63n), 0, '1677-09-21T00:12:43.145224192Z'],
  ])('of %d ns at an offset of %d minutes is %s', (timestamp, offset, written) => {
    expect(formatTimestamp(timestamp, () => offset)).toBe(written)
  })

  test('has the offset at that time', () => {
    const offset = (timestamp: bigint) => (timestamp < 100n ? 0 : 120)
    expect([99n, 100n].map((timestamp) => formatTimestamp(timestamp, offset))).toEqual([
      '1970-01-01T00:00:00.000000099Z',
      '1970-01-01T02:00:00.0000001+02:00',
    ])
  })

  test('is parsed as the same time', () => {
    const times = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    fc.assert(
      fc.property(times, fc.integer({ min: -14 * 60, max: 14 * 60 }), (timestamp, offset) => {
        const written = formatTimestamp(timestamp, () => offset)
        const fraction = /\.(\d+)/.exec(written)?.[1] ?? ''
        const seconds = Date.parse(written.replace(/\.\d+/, '')) / 1000
        expect(BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'))).toBe(timestamp)
        expect(fraction.endsWith('0')).toBe(false)
      }),
    )
  })
})
