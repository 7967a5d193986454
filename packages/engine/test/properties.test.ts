import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CompiledRules, compileRules, createDetector, type Detection, type DetectorOptions } from '../src/index.js'
import { plainKernel } from '../src/scan/kernel/plain-kernel.js'
import { runs } from './fixed-seed.js'
import { cutAt, randomCuts, randomDocument, randomLog, writeLog } from './random-scan.js'
import { slowDetections } from './slow-matcher.js'
import { slowScan } from './slow-scan.js'

const NOW = new Date('2026-04-01T00:00:00Z')

async function compile(rules: unknown): Promise<CompiledRules> {
  return compileRules([{ name: 'random.yaml', text: JSON.stringify({ rules }) }])
}

function describeDetection({ cre, hits }: Detection): string {
  return `${cre.id}: ${hits.map((hit) => `${hit.timestamp} ${hit.entry}`).join(' | ')}`
}

function detectAll(rules: CompiledRules, pieces: readonly Uint8Array[], options: DetectorOptions = {}): string[] {
  const detector = createDetector(rules, { now: NOW, ...options })
  const found = pieces.flatMap((piece) => detector.push(piece))
  return [...found, ...detector.end()].map(describeDetection)
}

/** The oracle: runs every condition and every rule on every entry. */
function slowAll(rules: CompiledRules, entries: readonly { timestamp: bigint; text: string }[]): string[] {
  const log = slowScan(rules, entries).map(({ timestamp, text, conditions }, line) => ({
    entry: { timestamp, text, line },
    conditions,
  }))
  return slowDetections(rules.rules, log).map(({ rule, hits }) =>
    describeDetection({
      cre: rule.cre,
      ruleId: '',
      ruleHash: '',
      hits: hits.map(({ entry }) => ({ timestamp: entry.timestamp, entry: entry.text, line: entry.line })),
    }),
  )
}

describe('for any rules and any log', () => {
  it('the fast scanner finds what the slow one finds, on both kernels', async () => {
    await fc.assert(
      fc.asyncProperty(randomDocument, randomLog, async (document, entries) => {
        const rules = await compile(document)
        const log = writeLog(entries)
        const expected = slowAll(rules, entries)
        expect(detectAll(rules, [log])).toEqual(expected)
        expect(detectAll(rules, [log], { makeKernel: plainKernel })).toEqual(expected)
      }),
      { numRuns: runs(400) },
    )
  })

  it('the division of the data into chunks changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(randomDocument, randomLog, randomCuts, async (document, entries, cuts) => {
        const rules = await compile(document)
        const log = writeLog(entries)
        expect(detectAll(rules, cutAt(log, cuts))).toEqual(detectAll(rules, [log]))
      }),
      { numRuns: runs(150) },
    )
  })

  it('a time limit has the same result as a log without the entries outside of it', async () => {
    await fc.assert(
      fc.asyncProperty(randomDocument, randomLog, fc.nat(), fc.nat(), async (document, entries, one, other) => {
        const times = entries.map(({ timestamp }) => timestamp).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
        const [since, until] = [one, other].map((n) => times[n % times.length]).sort((a, b) => (a < b ? -1 : 1))
        const rules = await compile(document)
        const within = entries.filter(({ timestamp }) => timestamp >= since && timestamp <= until)
        const expected = slowAll(rules, within)
        const log = writeLog(entries)
        expect(detectAll(rules, [log], { since, until })).toEqual(expected)
        expect(detectAll(rules, [log], { since, until, makeKernel: plainKernel })).toEqual(expected)
      }),
      { numRuns: runs(200) },
    )
  })

  it('flushing at any byte changes nothing when every line has a time', async () => {
    await fc.assert(
      fc.asyncProperty(randomDocument, randomLog, randomCuts, async (document, entries, cuts) => {
        const rules = await compile(document)
        const log = writeLog(entries.map(({ timestamp, text }) => ({ timestamp, text: text.replaceAll('\n', ' ') })))
        for (const makeKernel of [undefined, plainKernel]) {
          const options = { now: NOW, ...(makeKernel && { makeKernel }) }
          const detector = createDetector(rules, options)
          const found = cutAt(log, cuts).flatMap((piece) => [...detector.push(piece), ...detector.flush()])
          expect([...found, ...detector.end()].map(describeDetection)).toEqual(detectAll(rules, [log]))
        }
      }),
      { numRuns: runs(150) },
    )
  })

  it('a detector that is restarted finds what a new one finds', async () => {
    await fc.assert(
      fc.asyncProperty(randomDocument, randomLog, randomLog, fc.nat(), async (document, first, second, cut) => {
        const rules = await compile(document)
        const detector = createDetector(rules, { now: NOW })
        const before = writeLog(first)
        detector.push(before.subarray(0, cut % (before.length + 1)))
        if (cut % 2 === 0) detector.end()
        detector.restart()
        const log = writeLog(second)
        const found = [...detector.push(log), ...detector.end()]
        expect(found.map(describeDetection)).toEqual(detectAll(rules, [log]))
      }),
      { numRuns: runs(100) },
    )
  })

  it('a used detector that is restored from a snapshot continues from it', async () => {
    await fc.assert(
      fc.asyncProperty(randomDocument, randomLog, fc.nat(), async (document, entries, cut) => {
        const rules = await compile(document)
        const log = writeLog(entries)
        const at = cut % (log.length + 1)
        const before = createDetector(rules, { now: NOW })
        const found = before.push(log.subarray(0, at))
        const after = createDetector(rules, { now: NOW })
        after.push(log)
        after.restart(undefined, before.snapshot())
        found.push(...after.push(log.subarray(at)), ...after.end())
        expect(found.map(describeDetection)).toEqual(detectAll(rules, [log]))
      }),
      { numRuns: runs(150) },
    )
  })

  it('stopping at any byte, saving and continuing changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(randomDocument, randomLog, randomCuts, async (document, entries, cuts) => {
        const rules = await compile(document)
        const log = writeLog(entries)
        const [first, ...rest] = cutAt(log, cuts)
        let detector = createDetector(rules, { now: NOW })
        const found = detector.push(first)
        for (const piece of rest) {
          detector = createDetector(rules, { snapshot: detector.snapshot() })
          found.push(...detector.push(piece))
        }
        found.push(...detector.end())
        expect(found.map(describeDetection)).toEqual(detectAll(rules, [log]))
      }),
      { numRuns: runs(150) },
    )
  })

  it('the order of the rules changes no detection', async () => {
    await fc.assert(
      fc.asyncProperty(randomDocument, randomLog, async (document, entries) => {
        const log = writeLog(entries)
        const forwards = detectAll(await compile(document), [log])
        const backwards = detectAll(await compile([...document].reverse()), [log])
        expect(backwards.sort()).toEqual(forwards.sort())
      }),
      { numRuns: runs(150) },
    )
  })

  it('random bytes neither throw nor hang', async () => {
    const rules = await compile([
      {
        cre: { id: 'CRE-2026-4000' },
        rule: { set: { event: { source: 'x' }, match: [{ regex: '(?i)a.*b|\\x{ff}' }] } },
      },
      { cre: { id: 'CRE-2026-4001' }, rule: { set: { event: { source: 'x' }, match: [{ jq: '.a' }] } } },
    ])
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 }), (pieces) => {
        detectAll(rules, pieces, { readTime: () => 1n })
      }),
      { numRuns: runs(300) },
    )
  })
})
