import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  assumedSeam,
  type CompiledRules,
  compileRules,
  createDetector,
  createMerger,
  createSegmentScanner,
  type Detection,
  findEntryStart,
  findFormats,
  type ReadingFormat,
} from '../src/index.js'
import { startsEntry } from '../src/scan/reading/reader.js'

const NOW = new Date('2026-04-01T00:00:00Z')
const READING = { now: NOW, timestamps: [], skip: 50 }

const RULES = `rules:
  - cre: {id: SINGLE}
    rule: {set: {event: {source: x}, match: [alpha]}}
  - cre: {id: SEQUENCE}
    rule: {sequence: {event: {source: x}, window: 3s, order: [alpha, beta, gamma]}}
  - cre: {id: NEGATED}
    rule: {set: {event: {source: x}, match: [beta], negate: [{value: gamma, window: 2s}]}}
  - cre: {id: EVERY}
    rule: {set: {event: {source: x}, match: [{regex: '^.'}]}}
`

const rules: CompiledRules = await compileRules([{ name: 'rules.yaml', text: RULES }])

const encode = (text: string) => new TextEncoder().encode(text)

function shown({ cre, hits }: Detection): string {
  return `${cre.id}: ${hits.map(({ timestamp, line, entry }) => `${timestamp} ${line} ${entry}`).join(' | ')}`
}

/** The oracle: one detector that reads everything. */
function scanAtOnce(log: Uint8Array) {
  const detector = createDetector(rules, READING)
  const found: Detection[] = []
  for (let at = 0; at < log.length; at += 1 << 16) found.push(...detector.push(log.subarray(at, at + (1 << 16))))
  found.push(...detector.end())
  const { bytes, lines, entries, formats, folded } = detector.progress
  return { found: found.map(shown), progress: { bytes, lines, entries, formats, folded } }
}

/** A scanner starts each segment without a trace of the one before, so one is enough for all logs. */
const scanner = createSegmentScanner(rules, { now: NOW })

/** Scans the segments between these offsets, each without knowing the others; those with a wrong assumption twice. */
function scanInSegments(log: Uint8Array, formats: readonly ReadingFormat[], cuts: readonly number[]) {
  const merger = createMerger(rules, { now: NOW })
  const bounds = [0, ...cuts, log.length]
  let scannedAgain = 0

  function scan(index: number, seam: ReturnType<typeof assumedSeam>) {
    scanner.begin(seam)
    for (let at = bounds[index]!; at < bounds[index + 1]!; ) {
      const space = scanner.space()
      const bytes = log.subarray(at, Math.min(at + space.length, bounds[index + 1]!))
      space.set(bytes)
      scanner.commit(bytes.length)
      at += bytes.length
    }
    return scanner.end(index === bounds.length - 2)
  }

  const segments = bounds.slice(1).map((_, index) => scan(index, assumedSeam(formats, index === 0)))
  const found = segments.flatMap((segment, index) => {
    // Sent to another thread and back.
    const sent = structuredClone(segment)
    if (merger.accepts(sent)) return merger.deliver(sent).map(shown)
    scannedAgain++
    return merger.deliver(scan(index, merger.seam)).map(shown)
  })
  found.push(...merger.end().map(shown))
  const { bytes, lines, entries, formats: names, folded } = merger.progress
  return { found, progress: { bytes, lines, entries, formats: names, folded }, scannedAgain }
}

/** The offsets at which the tool would divide a file. */
function usualCuts(log: Uint8Array, formats: readonly ReadingFormat[]): readonly number[] {
  const cuts = new Set<number>()
  for (let from = log.indexOf(10); from >= 0 && from < log.length; from = log.indexOf(10, from + 1)) {
    const start = findEntryStart(formats, log.subarray(from))
    if (start > 0) cuts.add(from + start)
  }
  return [...cuts].sort((a, b) => a - b)
}

/** The offsets of all lines that start an entry, or are a record of a container. */
function allCuts(log: Uint8Array, formats: readonly ReadingFormat[]): readonly number[] {
  const cuts: number[] = []
  for (let start = log.indexOf(10) + 1; start > 0 && start < log.length; start = log.indexOf(10, start) + 1) {
    const lineFeed = log.indexOf(10, start)
    const end = lineFeed < 0 ? log.length : lineFeed
    if (startsEntry(formats, log, start, end)) cuts.push(start)
  }
  return cuts
}

/** The first lines of a log, on which its first format is decided, because all of them agree. */
const HEAD_LINES = 16

/** Compares segments with the oracle. The head of the file is not divided: its formats are assumed before every later segment. */
async function expectSameInSegments(head: string, rest: string): Promise<void> {
  const log = encode(head.repeat(HEAD_LINES) + rest)
  const headBytes = encode(head).length * HEAD_LINES
  const formats = await findFormats(log.subarray(0, headBytes), READING)
  const { found, progress } = scanAtOnce(log)
  const afterHead = (cuts: readonly number[]) => cuts.filter((cut) => cut >= headBytes)
  const all = afterHead(allCuts(log, formats))
  const everySecond = [0, 1].map((odd) => all.filter((_, index) => index % 2 === odd))
  for (const cuts of [afterHead(usualCuts(log, formats)), all, ...everySecond]) {
    expect(scanInSegments(log, formats, cuts)).toMatchObject({ found, progress })
  }
}

const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', '', '\ufeffalpha', '{"msg":"beta"}', 'at some.place')

const time = (index: number) => new Date(Date.UTC(2026, 2, 1, 12, 0, index >> 1, 500 * (index & 1))).toISOString()

type Line = { readonly word: string; readonly isTimed: boolean; readonly end: string }

const line = fc.record<Line>({
  word,
  isTimed: fc.boolean(),
  end: fc.constantFrom('\n', '\n', '\r\n'),
})

const WRITERS: Readonly<Record<string, (index: number, text: string) => string>> = {
  'RFC 3339': (index, text) => `${time(index)} ${text}`,
  syslog: (index, text) => `Mar  1 12:00:${String(index % 60).padStart(2, '0')} host app[1]: ${text}`,
  'JSON lines': (index, text) => JSON.stringify({ time: time(index), msg: text }),
  'several formats': (index, text) =>
    [
      `${time(index)} ${text}`,
      `${time(index).slice(0, 19)}Z ${text}`,
      JSON.stringify({ time: time(index), msg: text }),
      `${time(index).slice(0, 19).replace('T', ' ')} ${text}`,
      `2019-01-01 00:00:00 ${text}`,
      `[2019-01-01 00:00:00] ${text}`,
      `10.0.0.1 - - [01/Mar/2026:12:00:${String(index % 60).padStart(2, '0')} +0000] "GET ${text}"`,
      `03/01/2026 12:00:${String(index % 60).padStart(2, '0')} ${text}`,
      `01/03/2026 12:00:${String(index % 60).padStart(2, '0')} ${text}`,
    ][(index * 7 + text.length) % (index === 0 ? 1 : 9)]!,
}

describe('a file that is scanned in segments', () => {
  it.each(Object.keys(WRITERS))('gives what one scan gives: %s', async (name) => {
    const write = WRITERS[name]!
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 3, maxLength: 25 }), async (lines) => {
        const texts = lines.map(({ word, isTimed, end }, i) => (isTimed ? write(i, word) : `  ${word}`) + end)
        await expectSameInSegments(`${write(0, 'started')}\n`, texts.join(''))
      }),
      { numRuns: 30 },
    )
  })

  const record = fc.record({
    word,
    stream: fc.constantFrom('stdout', 'stdout', 'stderr'),
    kind: fc.constantFrom('whole', 'whole', 'whole', 'piece', 'piece', 'foreign'),
  })

  it('gives what one scan gives: CRI, with entries in pieces', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 3, maxLength: 25 }), async (records) => {
        const lines = records.map(({ word, stream, kind }, i) =>
          kind === 'foreign' ? word : `${time(i)} ${stream} ${kind === 'piece' ? 'P' : 'F'} ${word}`,
        )
        await expectSameInSegments(`${time(0)} stdout F started\n`, [...lines, ''].join('\n'))
      }),
      { numRuns: 80 },
    )
  })

  it('gives what one scan gives: Docker, with entries in pieces', async () => {
    const long = 'x'.repeat(16 * 1024)
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 3, maxLength: 12 }), async (records) => {
        const lines = records.map(({ word, stream, kind }, i) => {
          const log = kind === 'piece' ? `${word}${long}` : `${word}\n`
          return kind === 'foreign' ? word : JSON.stringify({ log, stream, time: time(i) })
        })
        const first = JSON.stringify({ log: 'started\n', stream: 'stdout', time: time(0) })
        await expectSameInSegments(`${first}\n`, [...lines, ''].join('\n'))
      }),
      { numRuns: 30 },
    )
  })

  it('is not divided between the pieces of an entry', async () => {
    const lines = ['F alpha', 'P alpha', 'P beta', 'F gamma', 'F beta', 'P alpha', 'F beta']
    const log = encode(lines.map((text, i) => `${time(i)} stdout ${text}\n`).join(''))
    const formats = [{ name: 'cri', shapes: 8 }]
    const starts = usualCuts(log, formats).map((cut) =>
      new TextDecoder().decode(log.subarray(cut)).slice(25, 41).trim(),
    )
    expect(starts).toEqual(['stdout F beta', 'stdout P alpha'].map((start) => expect.stringContaining(start)))
    expect(scanInSegments(log, formats, usualCuts(log, formats)).scannedAgain).toBe(0)
    expect(scanInSegments(log, formats, allCuts(log, formats)).scannedAgain).toBeGreaterThan(0)
  })
})
