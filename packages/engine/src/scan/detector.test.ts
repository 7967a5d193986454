import { describe, expect, it } from 'vitest'
import {
  compileRules,
  createDetector,
  type DetectorOptions,
  exportRules,
  importRules,
  SnapshotError,
  type Warn,
} from '../index.js'

import { plainKernel } from './kernel/plain-kernel.js'

const encode = (text: string) => new TextEncoder().encode(text)

const RULES = `
rules:
  - cre: {id: CRE-2026-4201, severity: 1, title: Disk full}
    rule: {set: {event: {source: cre.log.disk}, match: [disk full]}}
  - cre: {id: CRE-2026-4202}
    rule: {set: {event: {source: cre.log.net}, match: [{regex: '(?i)connection (reset|refused)'}]}}
  - cre: {id: CRE-2026-4203}
    rule: {set: {event: {source: '*'}, match: [everywhere]}}
  - cre: {id: CRE-2026-4204}
    rule:
      sequence:
        event: {source: cre.log.net}
        window: 10s
        order: [begin, end]
        negate: [{value: fine, window: 1s}]
`

const LOG = `2026-03-01T12:00:01Z disk full
2026-03-01T12:00:02Z Connection Reset by peer
2026-03-01T12:00:03Z seen everywhere
2026-03-01T12:00:04Z begin
2026-03-01T12:00:05Z end
2026-03-01T12:00:09Z quiet
`

async function idsFor(options: DetectorOptions): Promise<string[]> {
  const detector = createDetector(await compileRules([{ name: 'rules.yaml', text: RULES }]), options)
  return [...detector.push(encode(LOG)), ...detector.end()].map(({ cre }) => cre.id)
}

describe('a detector', () => {
  it('runs every rule if no source is given', async () => {
    expect(await idsFor({})).toEqual(['CRE-2026-4201', 'CRE-2026-4202', 'CRE-2026-4203', 'CRE-2026-4204'])
  })

  it('runs the rules of its source and those for every source', async () => {
    expect(await idsFor({ source: 'cre.log.disk' })).toEqual(['CRE-2026-4201', 'CRE-2026-4203'])
    expect(await idsFor({ source: 'cre.log.net' })).toEqual(['CRE-2026-4202', 'CRE-2026-4203', 'CRE-2026-4204'])
    expect(await idsFor({ source: 'cre.log.other' })).toEqual(['CRE-2026-4203'])
  })

  it('returns a detection at the entry that makes it certain', async () => {
    const detector = createDetector(await compileRules([{ name: 'rules.yaml', text: RULES }]))
    // The format is decided after sixteen lines.
    detector.push(encode('2026-03-01T12:00:00Z quiet\n'.repeat(16)))
    const lines = LOG.split(/(?<=\n)/)
    const found = lines.map((text) => detector.push(encode(text)).map(({ cre }) => cre.id))
    expect(found).toEqual([[], ['CRE-2026-4201'], ['CRE-2026-4202'], ['CRE-2026-4203'], [], []])
    expect(detector.end().map(({ cre }) => cre.id)).toEqual(['CRE-2026-4204'])
  })

  it('returns the rule, hits, lines and extracted values', async () => {
    const text = `
rules:
  - cre: {id: CRE-2026-4210, title: Slow}
    metadata: {id: 8Vx2aTfbHXQxKd, hash: Qm3aTfbHXQxKd1}
    rule:
      set:
        event: {source: cre.log.x}
        window: 10s
        match:
          - regex: 'took \\d+ms'
            extract: [{name: took, regex: 'took (\\d+)ms'}, {name: none, regex: 'no(thing)'}]
          - jq: '.user'
            extract: [{name: user, jq: .user}]
`
    const log = `2026-03-01T12:00:01Z took 15ms\n2026-03-01T12:00:02.5Z {"user":"u7"}\n`
    const detector = createDetector(await compileRules([{ name: 'rules.yaml', text }]))
    const [detection] = [...detector.push(encode(log)), ...detector.end()]
    expect(detection.cre).toEqual({ id: 'CRE-2026-4210', title: 'Slow' })
    expect(detection.ruleId).toBe('8Vx2aTfbHXQxKd')
    expect(detection.ruleHash).toBe('Qm3aTfbHXQxKd1')
    expect(detection.extracted).toEqual({ took: '15', user: 'u7' })
    expect(detection.hits.map(({ timestamp, entry, line }) => ({ timestamp, entry, line }))).toEqual([
      { timestamp: 1772366401000000000n, entry: 'took 15ms', line: 1 },
      { timestamp: 1772366402500000000n, entry: '{"user":"u7"}', line: 2 },
    ])
  })

  it('finds the same problems with rules from the cache', async () => {
    const rules = await importRules(exportRules(await compileRules([{ name: 'rules.yaml', text: RULES }])))
    const detector = createDetector(rules)
    expect([...detector.push(encode(LOG)), ...detector.end()]).toHaveLength(4)
  })

  it('refuses rules that are not from compileRules or importRules', () => {
    expect(() => createDetector({ rules: [], conditions: [], warnings: [], fingerprint: '' })).toThrow(TypeError)
  })

  it('stops a jq filter that does not end, warns, and continues', async () => {
    const text = `
rules:
  - cre: {id: CRE-2026-4220}
    rule: {set: {event: {source: x}, match: [{jq: 'def f: f; f'}]}}
  - cre: {id: CRE-2026-4221}
    rule: {set: {event: {source: x}, match: [{jq: '[range(1e12)]'}]}}
  - cre: {id: CRE-2026-4222}
    rule: {set: {event: {source: x}, match: [{jq: '.a == 1'}]}}
`
    const warnings: string[] = []
    const subjects = new Set<string | undefined>()
    const warn: Warn = (message, subject) => {
      warnings.push(message)
      subjects.add(subject)
    }
    const detector = createDetector(await compileRules([{ name: 'r.yaml', text }]), { warn })
    const log = Array.from({ length: 50 }, (_, i) => `2026-03-01T12:00:${10 + i}Z {"a":1}\n`).join('')
    const found = [...detector.push(encode(log)), ...detector.end()]
    expect(found.map(({ cre }) => cre.id)).toEqual(Array(50).fill('CRE-2026-4222'))
    expect(warnings.filter((w) => w.includes('CRE-2026-4220'))).toHaveLength(2)
    expect(warnings.filter((w) => w.includes('CRE-2026-4221'))).toHaveLength(2)
    expect(warnings.some((w) => w.includes('switched off'))).toBe(true)
    expect([...subjects]).toEqual(['rule'])
  })
})

describe('a snapshot', () => {
  it('is refused if the rules or the source have changed, or if it is not a snapshot', async () => {
    const rules = await compileRules([{ name: 'rules.yaml', text: RULES }])
    const other = await compileRules([{ name: 'rules.yaml', text: RULES.replace('disk full', 'disk empty') }])
    const snapshot = createDetector(rules, { source: 'cre.log.net' }).snapshot()
    const codeOf = (work: () => unknown) => {
      try {
        work()
      } catch (error) {
        return error instanceof SnapshotError ? error.code : error
      }
      return undefined
    }
    expect(codeOf(() => createDetector(rules, { source: 'cre.log.net', snapshot }))).toBeUndefined()
    expect(codeOf(() => createDetector(other, { source: 'cre.log.net', snapshot }))).toBe('snapshot-rules-changed')
    expect(codeOf(() => createDetector(rules, { source: 'cre.log.disk', snapshot }))).toBe('snapshot-source-changed')
    expect(codeOf(() => createDetector(rules, { snapshot: snapshot.subarray(0, 30) }))).toBe('snapshot-broken')
    const aged = encode(new TextDecoder().decode(snapshot).replace(/"version":\d+/, '"version":0'))
    expect(codeOf(() => createDetector(rules, { source: 'cre.log.net', snapshot: aged }))).toBe('snapshot-version')
  })

  it('stays small after a long quiet log', async () => {
    const detector = createDetector(await compileRules([{ name: 'rules.yaml', text: RULES }]))
    const quiet = encode('2026-03-01T12:00:01Z nothing to see here\n'.repeat(1000))
    for (let i = 0; i < 100; i++) detector.push(quiet)
    expect(detector.snapshot().length).toBeLessThan(4096)
  })
})

describe('a detector for a followed log', () => {
  const TRACE = `
rules:
  - cre: {id: CRE-2026-4301}
    rule: {set: {event: {source: cre.log.app}, match: [boom]}}
  - cre: {id: CRE-2026-4302}
    rule: {set: {event: {source: cre.log.app}, match: [OutOfMemoryError]}}
`
  const ids = (detections: readonly { cre: { id: string } }[]) => detections.map(({ cre }) => cre.id)

  async function follow(kernel: DetectorOptions['makeKernel']) {
    return createDetector(await compileRules([{ name: 'trace.yaml', text: TRACE }]), {
      now: new Date('2026-04-01T00:00:00Z'),
      ...(kernel && { makeKernel: kernel }),
    })
  }

  it.each([
    ['the kernel', undefined],
    ['its twin', plainKernel],
  ])('matches the only line when it is flushed, on %s', async (_, kernel) => {
    const detector = await follow(kernel)
    expect(detector.push(encode('2026-03-01T12:00:01Z boom\n'))).toEqual([])
    expect(ids(detector.flush())).toEqual(['CRE-2026-4301'])
    expect(detector.flush()).toEqual([])
    expect(detector.end()).toEqual([])
  })

  it.each([
    ['the kernel', undefined],
    ['its twin', plainKernel],
  ])('matches lines after a flushed entry as a separate entry with its time, on %s', async (_, kernel) => {
    const detector = await follow(kernel)
    detector.push(encode('2026-03-01T12:00:01Z boom\n'))
    detector.flush()
    detector.push(encode('java.lang.OutOfMemoryError\n\tat some.place\n'))
    const [late] = detector.flush()
    expect(late.cre.id).toBe('CRE-2026-4302')
    expect(late.hits[0]).toMatchObject({
      timestamp: 1_772_366_401_000_000_000n,
      entry: 'java.lang.OutOfMemoryError\n\tat some.place',
      line: 2,
    })
    expect(ids([...detector.push(encode('2026-03-01T12:00:02Z fine\n')), ...detector.end()])).toEqual([])
  })

  it('keeps an incomplete line when it is flushed', async () => {
    const detector = await follow(undefined)
    detector.push(encode('2026-03-01T12:00:01Z fine\n2026-03-01T12:00:02Z bo'))
    expect(detector.flush()).toEqual([])
    expect(ids([...detector.push(encode('om\n')), ...detector.flush()])).toEqual(['CRE-2026-4301'])
  })

  it('matches the pending lines of a snapshot when it is flushed', async () => {
    const rules = await compileRules([{ name: 'trace.yaml', text: TRACE }])
    const detector = createDetector(rules)
    detector.push(encode('2026-03-01T12:00:01Z boom\n'))
    expect(ids(createDetector(rules, { snapshot: detector.snapshot() }).flush())).toEqual(['CRE-2026-4301'])
  })

  it('uses the given `now`, not that of the snapshot', async () => {
    const rules = await compileRules([{ name: 'trace.yaml', text: TRACE }])
    const earlier = createDetector(rules, { now: new Date('2025-12-01T00:00:00Z') })
    earlier.push(encode('Nov 30 12:00:01 host app: fine\n'.repeat(20)))
    const now = new Date('2026-03-02T00:00:00Z')
    const later = createDetector(rules, { now, snapshot: earlier.snapshot() })
    later.push(encode('Mar  1 12:00:01 host app: boom\n'))
    expect(later.end()[0]?.hits[0]?.timestamp).toBe(1_772_366_401_000_000_000n)
  })

  it('continues from a snapshot of a flushed detector', async () => {
    const rules = await compileRules([{ name: 'trace.yaml', text: TRACE }])
    const detector = createDetector(rules)
    detector.push(encode('2026-03-01T12:00:01Z boom\n'))
    detector.flush()
    const next = createDetector(rules, { snapshot: detector.snapshot() })
    const found = [...next.push(encode('OutOfMemoryError\n')), ...next.end()]
    expect(found.map(({ hits }) => hits[0].line)).toEqual([2])
  })
})

describe('a detector that reads several files', () => {
  const PAIR = `
rules:
  - cre: {id: CRE-2026-4401}
    rule: {sequence: {event: {source: cre.log.app}, window: 10s, order: [begin, finish]}}
`

  it('keeps rule state, decides the format again, and continues line numbers', async () => {
    const detector = createDetector(await compileRules([{ name: 'pair.yaml', text: PAIR }]))
    detector.push(encode('2026-03-01T12:00:01Z begin'))
    detector.nextFile()
    detector.push(encode('\uFEFF[2026-03-01 12:00:03,500] idle\n[2026-03-01 12:00:04,500] finish\n'))
    const [found] = detector.end()
    expect(found.hits.map(({ line, entry }) => [line, entry])).toEqual([
      [1, 'begin'],
      [3, '[2026-03-01 12:00:04,500] finish'],
    ])
    expect(detector.progress.lines).toBe(3)
  })

  it('reads the next file with its configured timestamp', async () => {
    const detector = createDetector(await compileRules([{ name: 'pair.yaml', text: PAIR }]))
    detector.push(encode('2026-03-01T12:00:01Z begin\n'))
    detector.nextFile({ regex: '^at (\\d+)', format: 'epochseconds' })
    detector.push(encode('at 1772366405 finish\n'))
    expect(detector.end()[0].hits[1].timestamp).toBe(1_772_366_405_000_000_000n)
  })

  it('continues in the second file from a snapshot', async () => {
    const rules = await compileRules([{ name: 'pair.yaml', text: PAIR }])
    const detector = createDetector(rules)
    detector.push(encode('2026-03-01T12:00:01Z begin\n'))
    detector.nextFile()
    detector.push(encode('2026-03-01T12:00:02Z idle\n'))
    const next = createDetector(rules, { snapshot: detector.snapshot() })
    next.push(encode('2026-03-01T12:00:03Z finish\n'))
    expect(next.end()[0].hits.map(({ line }) => line)).toEqual([1, 3])
  })
})
