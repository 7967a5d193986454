import type { ReportedProblem } from '@omen/engine'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serializeReport } from './write-report.js'

const written = (problems: Iterable<ReportedProblem>) => [...serializeReport(problems)].join('')
const expected = (problems: readonly ReportedProblem[]) => `${JSON.stringify(problems, null, 2)}\n`

const text = fc.string({ unit: 'binary' })
const hit = fc.record(
  {
    timestamp: text,
    entry: text,
    line: fc.nat(),
    source: text,
    extracted: fc.dictionary(text, text),
  },
  { requiredKeys: ['timestamp', 'entry', 'line'] },
)
const problem = fc.record({
  cre: fc.dictionary(text, fc.jsonValue()).map((record) => ({ ...record, id: 'CRE-2026-0001' })),
  hits: fc.array(hit),
  id: text,
  rule_hash: text,
  rule_id: text,
  timestamp: text,
}) as fc.Arbitrary<ReportedProblem>

test('a report without problems is an empty list', () => {
  expect(written([])).toBe('[]\n')
})

test('the joined pieces equal JSON.stringify', () => {
  fc.assert(fc.property(fc.array(problem), (problems) => written(problems) === expected(problems)))
})

test('hits can be an iterable', () => {
  fc.assert(
    fc.property(fc.array(problem), (problems) => {
      const streamed = problems.map((each) => ({ ...each, hits: new Set(each.hits) }))
      return [...serializeReport(streamed)].join('') === expected(problems)
    }),
  )
})

test('absent fields stay absent, and empty lists and objects are written', () => {
  const problems = [
    { cre: { id: 'A', tags: [], severity: undefined }, hits: [], id: 'A', rule_hash: '', rule_id: undefined },
    { cre: { id: 'B' }, hits: [{ timestamp: '', entry: 'a\nb\u2028\ud800', line: 1, extracted: {} }], id: 'B' },
  ] as unknown as ReportedProblem[]
  expect(written(problems)).toBe(expected(problems))
})

test('a report with many hits is split into small pieces', () => {
  const hits = Array.from({ length: 5000 }, (_, line) => ({ timestamp: 'T', entry: 'x'.repeat(100), line }))
  const problems = [{ cre: { id: 'A' }, hits, id: 'A', rule_hash: '', rule_id: '', timestamp: 'T' }]
  const pieces = [...serializeReport(problems)]
  expect(pieces.join('')).toBe(expected(problems))
  expect(pieces.length).toBeGreaterThan(5)
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(70_000)
})
