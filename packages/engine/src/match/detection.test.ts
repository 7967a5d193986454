import { describe, expect, test } from 'vitest'
import { ruleWith, wants } from '../../test/rules-for-tests.js'
import type { Extract } from '../rules/compiled.js'
import type { Entry } from './detection.js'
import { createPresenter, type Detection } from './detection.js'

const code: Extract = { name: 'code', kind: 'regex', text: 'code=(\\d+)' }
const user: Extract = { name: 'user', kind: 'regex', text: 'user=(\\w+)' }

function extractorFor({ text }: Extract) {
  const pattern = new RegExp(text)
  return (entry: string) => pattern.exec(entry)?.[1]
}

function detectionOf(extracts: readonly (readonly Extract[])[], texts: readonly string[]): Detection {
  const rule = ruleWith({
    cre: { id: 'CRE-2026-0007', severity: 2 },
    terms: extracts.map((extract, condition) => ({ ...wants(condition), extract })),
  })
  const entries = texts.map((text, index): Entry => ({ timestamp: BigInt(index) + 5n, text, line: index + 1 }))
  return { rule, ruleIndex: 0, hits: entries.map((entry, term) => ({ entry, term })) }
}

describe('a presented detection', () => {
  test('has the description, the identifiers and the hits', () => {
    const { cre, ruleId, ruleHash, hits } = createPresenter(extractorFor)(detectionOf([[], []], ['one', 'two']))
    expect([cre, ruleId, ruleHash]).toEqual([{ id: 'CRE-2026-0007', severity: 2 }, 'rule', 'hash'])
    expect(hits.map(({ timestamp, entry, line }) => [timestamp, entry, line])).toEqual([
      [5n, 'one', 1],
      [6n, 'two', 2],
    ])
  })

  test('decodes the text of an entry on first use', () => {
    let reads = 0
    const entry = {
      timestamp: 5n,
      line: 1,
      get text() {
        reads++
        return 'now'
      },
    }
    const detection = { ...detectionOf([[]], []), hits: [{ entry, term: 0 }] }
    const { hits } = createPresenter(extractorFor)(detection)
    expect(reads).toBe(0)
    expect(hits[0]?.entry).toBe('now')
  })

  test('can be written as JSON', () => {
    const present = createPresenter(extractorFor)
    expect(JSON.parse(JSON.stringify(present(detectionOf([[code], []], ['code=7', 'two']))))).toEqual({
      cre: { id: 'CRE-2026-0007', severity: 2 },
      ruleId: 'rule',
      ruleHash: 'hash',
      hits: [
        { timestamp: '5', entry: 'code=7', line: 1, extracted: { code: '7' } },
        { timestamp: '6', entry: 'two', line: 2 },
      ],
      extracted: { code: '7' },
    })
  })

  test('extracts values from each hit, and has the first value of each name itself', () => {
    const { hits, extracted } = createPresenter(extractorFor)(
      detectionOf([[code, user], [code], [user]], ['user=ann', 'code=1 user=bob', 'user=cyd']),
    )
    expect(hits.map((hit) => hit.extracted)).toEqual([{ user: 'ann' }, { code: '1' }, { user: 'cyd' }])
    expect(extracted).toEqual({ user: 'ann', code: '1' })
  })

  test('has no values if the rule extracts none or the entries contain none', () => {
    const present = createPresenter(extractorFor)
    for (const detection of [detectionOf([[]], ['code=1']), detectionOf([[code]], ['nothing'])]) {
      const presented = present(detection)
      expect('extracted' in presented).toBe(false)
      expect('extracted' in presented.hits[0]!).toBe(false)
    }
  })

  test('can have a value with the name of an object property', () => {
    const odd: Extract = { ...code, name: 'constructor' }
    expect(createPresenter(extractorFor)(detectionOf([[odd]], ['code=1'])).extracted).toEqual({ constructor: '1' })
  })

  test('creates each extractor once', () => {
    const created: Extract[] = []
    const present = createPresenter((extract) => {
      created.push(extract)
      return extractorFor(extract)
    })
    present(detectionOf([[code], [code]], ['code=1', 'code=2']))
    present(detectionOf([[code]], ['code=3']))
    expect(created).toEqual([code])
  })
})
