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

  it('decides a rule at the entry after its deadline, also if that entry came first', async () => {
    const rules = await compileRules([
      {
        name: 'r.yaml',
        text: `rules:
  - {cre: {id: CRE-2026-4101}, rule: {set: {event: {source: x}, match: [hit]}}}
  - {cre: {id: CRE-2026-4102}, rule: {set: {event: {source: x}, match: [start], negate: [{value: stop, window: 2s}]}}}
`,
      },
    ])
    const lines = [line(10, 'other'), line(7, 'start'), line(12, 'hit'), line(30, 'later')]
    const detector = createDetector(rules, { window: 5n * SECOND, formats: [{ name: 'rfc3339' }] })
    const found = [...lines.flatMap((text) => detector.push(encode(text))), ...detector.end()]
    expect(found.map(({ cre }) => cre.id)).toEqual(['CRE-2026-4102', 'CRE-2026-4101'])
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

describe('a late entry', () => {
  const ONE = '{set: {event: {source: x}, match: [first]}}'
  const LOG = line(2, 'second') + line(40, 'other') + line(1, 'first') + line(41, 'end')

  it('is matched by a rule with one condition, and ignored by rules with windows', async () => {
    expect(await detectTexts(ONE, LOG, { window: SECOND })).toEqual([['first']])
    expect(await detectTexts(SEQUENCE, LOG + line(41, 'second'), { window: SECOND })).toEqual([])
  })

  it('does not become an entry in order because nothing was near it', async () => {
    const log = line(0, 'other') + line(50, 'second') + line(30, 'first') + line(51, 'second')
    expect(await detectTexts(SEQUENCE, log, { window: SECOND })).toEqual([])
  })

  async function warningsFor(log: string, options: DetectorOptions, rule = SEQUENCE): Promise<string[]> {
    const warnings: string[] = []
    await detectTexts(rule, log, { ...options, warn: (message) => warnings.push(message) })
    return warnings
  }

  it('leads to one warning, with the number of such entries and a window that would be enough', async () => {
    const log = line(20, 'a') + line(17, 'b') + line(16, 'c') + line(19, 'd')
    expect(await warningsFor(log, { window: SECOND })).toEqual([
      '2 entries are more than 1s out of order: rules with windows ignore them; set window: 5s for this source',
    ])
    expect(await warningsFor(LOG, { window: SECOND })).toEqual([
      '1 entry is more than 1s out of order: rules with windows ignore it; set window: 1m for this source',
    ])
    expect(await warningsFor(log, {})).toEqual([
      '3 entries are out of order: rules with windows ignore them; set window: 5s for this source',
    ])
    expect(await warningsFor(log, { window: 4n * SECOND })).toEqual([])
  })

  it('leads to no warning if no rule keeps state', async () => {
    expect(await warningsFor(LOG, { window: SECOND }, ONE)).toEqual([])
  })

  it('leads to other advice if no window would help', async () => {
    const log = `2026-03-02T12:00:00Z a\n2026-03-01T12:00:00Z b\n`
    expect(await warningsFor(log, { window: SECOND })).toEqual([
      '1 entry is more than 1s out of order: rules with windows ignore it; check the clock, or the order of the files',
    ])
  })

  it('is reported before the state is saved, and not again by the detector that continues', async () => {
    const warnings: string[] = []
    const rules = await rulesFor(SEQUENCE)
    const options = {
      window: SECOND,
      formats: [{ name: 'rfc3339' }],
      warn: (message: string) => warnings.push(message),
    }
    const first = createDetector(rules, options)
    first.push(encode(LOG))
    const second = createDetector(rules, { ...options, snapshot: first.snapshot() })
    expect(warnings).toHaveLength(1)
    second.push(encode(line(3, 'late again')))
    second.end()
    expect(second.progress.late).toBe(1)
    expect(warnings).toHaveLength(1)
  })
})

describe('releasing', () => {
  const options = { window: 5n * SECOND, formats: [{ name: 'rfc3339' }] }
  const time = (second: number) => BigInt(Date.UTC(2026, 2, 1, 12, 0, second)) * 1_000_000n

  it('matches what waits, and makes earlier entries late', async () => {
    const detector = createDetector(await rulesFor(SEQUENCE), options)
    expect(detector.push(encode(line(2, 'second') + line(1, 'first')))).toEqual([])
    expect(detector.flush()).toEqual([])
    expect(detector.waitingUpTo).toBe(time(2))
    expect(detector.release()).toHaveLength(1)
    expect(detector.waitingUpTo).toBeUndefined()
    detector.push(encode(line(1, 'first') + line(3, 'second')))
    expect(detector.end()).toEqual([])
    expect(detector.progress.late).toBe(1)
  })

  it('leaves what is after the time', async () => {
    const detector = createDetector(await rulesFor('{set: {event: {source: x}, match: [hit]}}'), options)
    detector.push(encode(line(1, 'hit') + line(2, 'hit') + line(3, 'hit')))
    detector.flush()
    expect(detector.release(time(2))).toHaveLength(2)
    expect(detector.waitingUpTo).toBe(time(3))
    expect(detector.end()).toHaveLength(1)
  })

  it('decides rules whose deadline passes at an entry that meets no condition', async () => {
    const rule = '{set: {event: {source: x}, match: [start], negate: [{value: stop, window: 2s}]}}'
    const detector = createDetector(await rulesFor(rule), options)
    detector.push(encode(line(1, 'start')))
    detector.flush()
    expect(detector.release()).toEqual([])
    expect(detector.waitingUpTo).toBeUndefined()
    detector.push(encode(line(4, 'other')))
    detector.flush()
    expect(detector.waitingUpTo).toBe(time(4))
    expect(detector.release()).toHaveLength(1)
  })
})
