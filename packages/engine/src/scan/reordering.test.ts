import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRules, createDetector, type DetectorOptions } from '../index.js'

const SECOND = 1_000_000_000n

const encode = (text: string) => new TextEncoder().encode(text)

function line(second: number, text: string): string {
  return `${new Date(Date.UTC(2026, 2, 1, 12, 0, second)).toISOString()} ${text}\n`
}

async function rulesFor(rule: string) {
  return compileRules([{ name: 'r.yaml', text: `rules:\n  - cre: {id: CRE-2026-4100}\n    rule: ${rule}\n` }])
}

async function detectTexts(rule: string, log: string, options: DetectorOptions): Promise<string[][]> {
  const detector = createDetector(await rulesFor(rule), options)
  return [...detector.push(encode(log)), ...detector.end()].map(({ hits }) => hits.map(({ entry }) => entry))
}

const SEQUENCE = '{sequence: {event: {source: x}, window: 60s, order: [first, second]}}'

describe('a detector with a reordering window', () => {
  it('finds a sequence whose lines are in the wrong order', async () => {
    const log = line(2, 'second') + line(1, 'first') + line(30, 'later')
    expect(await detectTexts(SEQUENCE, log, {})).toEqual([])
    expect(await detectTexts(SEQUENCE, log, { window: 5n * SECOND })).toEqual([['first', 'second']])
  })

  it('sorts two entries that are exactly the window apart', async () => {
    const log = line(6, 'second') + line(1, 'first')
    expect(await detectTexts(SEQUENCE, log, { window: 5n * SECOND })).toEqual([['first', 'second']])
  })

  it('does not sort an entry that arrives after the window', async () => {
    const log = line(2, 'second') + line(20, 'other') + line(40, 'other') + line(1, 'first') + line(41, 'end')
    expect(await detectTexts(SEQUENCE, log, { window: 5n * SECOND })).toEqual([])
  })

  it('keeps the order of the log for entries with the same time', async () => {
    const log = line(1, 'hit b') + line(1, 'hit a') + line(0, 'hit c')
    const found = await detectTexts('{set: {event: {source: x}, match: [hit]}}', log, { window: SECOND })
    expect(found).toEqual([['hit c'], ['hit b'], ['hit a']])
  })

  it('finds the same in a log as in the sorted log, also if it is stopped and continued at any byte', async () => {
    const rules = await rulesFor(
      '{sequence: {event: {source: x}, window: 4s, order: [aa, bb], negate: [{value: cc, window: 1s}]}}',
    )
    const entry = fc.tuple(fc.nat(30), fc.constantFrom('aa', 'bb', 'cc', 'dd'))
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 25 }), fc.nat(2000), (entries, cut) => {
        const shuffled = entries.map(([second, text]) => line(second, text)).join('')
        const inOrder = [...entries].sort(([a], [b]) => a - b).map(([second, text]) => line(second, text))
        const all = (detector: ReturnType<typeof createDetector>, log: string) =>
          [...detector.push(encode(log)), ...detector.end()].map(({ hits }) => hits.map((hit) => hit.timestamp))
        const expected = all(createDetector(rules), inOrder.join(''))
        const window = 30n * SECOND
        expect(all(createDetector(rules, { window }), shuffled)).toEqual(expected)

        const first = createDetector(rules, { window })
        const bytes = encode(shuffled)
        const middle = cut % (bytes.length + 1)
        const found = first.push(bytes.subarray(0, middle))
        const second = createDetector(rules, { window, snapshot: first.snapshot() })
        found.push(...second.push(bytes.subarray(middle)), ...second.end())
        expect(found.map(({ hits }) => hits.map((hit) => hit.timestamp))).toEqual(expected)
      }),
      { numRuns: 150 },
    )
  })
})
