import { describe, expect, it } from 'vitest'
import { compileRules, createDetector, type DetectorOptions, RulesError } from '../src/index.js'
import { type Kernel, loadKernel } from '../src/scan/kernel/kernel.js'

const encode = (text: string) => new TextEncoder().encode(text)

const RULES = `rules:
  - cre: {id: CRE-2026-4301}
    rule: {set: {event: {source: x}, match: [needle]}}
  - cre: {id: CRE-2026-4302}
    rule: {sequence: {event: {source: x}, window: 1h, order: [needle, never], negate: [{value: calm, window: 1h}]}}
`

/** Runs pieces through a detector; returns the detections, the warnings and the size of its memory. */
async function run(pieces: Iterable<Uint8Array>, options: DetectorOptions = {}) {
  const warnings: string[] = []
  const makeKernel = await loadKernel()
  let kernel: Kernel | undefined
  const detector = createDetector(await compileRules([{ name: 'r.yaml', text: RULES }]), {
    warn: (message) => warnings.push(message),
    makeKernel: () => {
      kernel = makeKernel()
      return kernel
    },
    readTime: () => 0n,
    ...options,
  })
  let found = 0
  for (const piece of pieces) found += detector.push(piece).length
  found += detector.end().length
  return { found, warnings, megabytes: (kernel?.memory.u8.length ?? 0) / 1e6 }
}

function* repeat(piece: Uint8Array, times: number): Generator<Uint8Array> {
  for (let i = 0; i < times; i++) yield piece
}

describe('hostile data', () => {
  it('an endless line is cut, in bounded memory', async () => {
    const line = [
      encode('2026-03-01T12:00:01Z needle '),
      ...repeat(new Uint8Array(1 << 20).fill(120), 64),
      encode(' needle\n'),
    ]
    const next = encode('2026-03-01T12:00:02Z needle\n')
    const { found, warnings, megabytes } = await run([...line, next])
    expect(found).toBe(2)
    expect(warnings).toEqual([expect.stringMatching(/^line 1: .*1 MiB/)])
    expect(megabytes).toBeLessThan(16)
  })

  it('lines without any timestamp after one are cut, in bounded memory', async () => {
    const trace = encode('\tat some.place(File.java:1)\n'.repeat(30_000))
    const { found, warnings, megabytes } = await run([encode('2026-03-01 12:00:01,000 needle\n'), ...repeat(trace, 20)])
    expect(found).toBe(1)
    expect(warnings).toEqual([expect.stringContaining('1 MiB')])
    expect(megabytes).toBeLessThan(16)
  })

  it('zero bytes, empty lines and bytes that are not UTF-8 are read', async () => {
    expect((await run([new Uint8Array(1 << 20)])).found).toBe(0)
    expect((await run([encode('\n'.repeat(1 << 20))])).found).toBe(0)
    const odd = new Uint8Array([...encode('2026-03-01T12:00:01Z \0\xff'), 0xff, 0xc0, ...encode('needle'), 0x80, 10])
    expect((await run([odd])).found).toBe(1)
    expect((await run([])).found).toBe(0)
  })

  it('times that jump do not cause an error', async () => {
    const times = ['2026-03-01T12:00:01Z', '1999-01-01T00:00:00Z', '2199-01-01T00:00:00Z', '2026-03-01T12:00:02Z']
    const log = times.map((time) => `${time} needle\n`).join('')
    expect((await run([encode(log)])).found).toBe(4)
  })

  it('a rule that waits forever keeps a bounded number of entries, and warns once', async () => {
    const start = Date.UTC(2026, 2, 1)
    const lines = Array.from({ length: 130_000 }, (_, i) => `${new Date(start + 20 * i).toISOString()} needle\n`)
    const { found, warnings } = await run([encode(lines.join(''))])
    expect(found).toBe(130_000)
    expect(warnings).toEqual([expect.stringMatching(/CRE-2026-4302 .*100,000/)])
  })
})

describe('hostile rules', () => {
  it('ten thousand rules load and run', async () => {
    const rules = Array.from({ length: 10_000 }, (_, i) => ({
      cre: { id: `CRE-2026-${20_000 + i}` },
      rule: { set: { event: { source: 'x' }, match: [`problem number ${i} of many`] } },
    }))
    const text = rules.map((rule) => `  - ${JSON.stringify(rule)}`).join('\n')
    const detector = createDetector(await compileRules([{ name: 'many.yaml', text: `rules:\n${text}\n` }]))
    const log = encode(
      '2026-03-01T12:00:01Z problem number 7777 of many\n2026-03-01T12:00:02Z problem number 99999 of many\n',
    )
    const found = [...detector.push(log), ...detector.end()]
    expect(found.map(({ cre }) => cre.id)).toEqual(['CRE-2026-27777'])
  })

  it('a regular expression of a megabyte is rejected with its position', async () => {
    const text = `rules:\n  - cre: {id: CRE-2026-4310}\n    rule: {set: {event: {source: x}, match: [{regex: '${'a'.repeat(1 << 20)}'}]}}\n`
    await expect(compileRules([{ name: 'r.yaml', text }])).rejects.toMatchObject({
      name: 'RulesError',
      file: 'r.yaml',
      line: 3,
      creId: 'CRE-2026-4310',
      code: 'bad-regex',
    })
  })

  it('patterns that cause backtracking in other engines take linear time', async () => {
    const patterns = ['(a|aa)+$', '(x+x+)+y', '(.*)(.*)(.*)(.*)(.*)z', '(?i)(ab?c?)*d']
    const rules = patterns.map((regex, i) => ({
      cre: { id: `CRE-2026-${4320 + i}` },
      rule: { set: { event: { source: 'x' }, match: [{ regex }] } },
    }))
    const detector = createDetector(await compileRules([{ name: 'r.yaml', text: JSON.stringify({ rules }) }]))
    const log = encode(`2026-03-01T12:00:01Z ${'a'.repeat(100_000)}!\n2026-03-01T12:00:02Z ${'x'.repeat(100_000)}\n`)
    expect([...detector.push(log), ...detector.end()]).toEqual([])
  })

  it.each([
    ['a document of 100 MB', { name: 'r.yaml', bytes: new Uint8Array(100e6).fill(32) }, 'too-large'],
    ['an empty document', { name: 'r.yaml', bytes: new Uint8Array() }, 'empty-document'],
    ['binary data', { name: 'r.yaml', bytes: new Uint8Array([1, 2, 0, 255]) }, 'not-text'],
    ['UTF-16', { name: 'r.yaml', bytes: new Uint8Array([0xff, 0xfe, 114, 0, 117, 0]) }, 'not-text'],
  ])('%s is rejected', async (_, source, code) => {
    const error = await compileRules([source]).catch((reason) => reason)
    expect(error).toBeInstanceOf(RulesError)
    expect(error).toMatchObject({ code, file: 'r.yaml' })
  })
})
