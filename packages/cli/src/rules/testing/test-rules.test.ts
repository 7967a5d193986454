import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { RULES_FOLDER, useRules } from '../../../test/rules-context.js'
import { testRules } from './test-rules.js'

const folder = useRules()
const test = (...operands: string[]) => folder.run((context) => testRules({ operands }, context))

const SEQUENCE = `rules:
  - cre: { id: SHOP-0001, title: Slow and then gone }
    rule:
      sequence:
        event: { source: cre.log.shop }
        window: 10s
        order: [{ value: slow, count: 2 }, { regex: 'gone|lost' }]
        negate: [{ value: back again, window: 5s }]
`

/** Lines at seconds after noon. */
const log = (...entries: [number, string][]) =>
  entries.map(([second, text]) => `2026-03-01T12:00:${String(second).padStart(2, '0')}Z ${text}\n`).join('')

function rule(name: string, hit: string | Uint8Array, miss = log([1, 'fine'])): string {
  folder.write(`${name}/rule.yaml`, SEQUENCE)
  folder.write(`${name}/hit.log`, hit)
  folder.write(`${name}/miss.log`, miss)
  return folder.path(name)
}

const HIT = log([1, 'slow a'], [2, 'fine'], [3, 'slow b'], [4, 'it is gone'], [30, 'fine'])

describe('omen rules test', () => {
  it('passes the rules of this repository', async () => {
    const { code, out } = await test(RULES_FOLDER)
    expect(out).toMatch(/\n\d+ rules passed, 0 failed\n$/)
    expect(code).toBe(0)
  })

  it('shows which lines matched', async () => {
    const at = rule('good', HIT)
    const { code, out } = await test(at)
    expect(code).toBe(0)
    expect(out).toBe(`ok SHOP-0001  Slow and then gone
   ${at}
   hit.log: 1 detection
     line 1     condition 1  slow a
     line 3     condition 1  slow b
     line 4     condition 2  it is gone
   miss.log: no detections
1 rule passed, 0 failed
`)
  })

  it.each([
    [
      'a condition that no entry meets',
      [
        [1, 'slow a'],
        [2, 'slow b'],
        [3, 'fine'],
      ],
      'a condition did not match any entry',
    ],
    [
      'a condition that too few entries meet',
      [
        [1, 'slow a'],
        [3, 'it is gone'],
      ],
      'a condition matched once, but must match 2 times',
    ],
    ['two that are not met', [[3, 'fine']], '2 conditions did not match often enough'],
    [
      'entries that are too far apart',
      [
        [1, 'slow'],
        [2, 'slow'],
        [30, 'lost'],
      ],
      'too far apart: 29s, but the window is 10s',
    ],
    [
      'the wrong order',
      [
        [1, 'slow'],
        [2, 'lost'],
        [3, 'slow'],
        [4, 'fine'],
      ],
      'the conditions match, but not in this order',
    ],
    [
      'a negated condition',
      [
        [1, 'slow'],
        [2, 'slow'],
        [3, 'lost'],
        [5, 'back again'],
      ],
      'a negated condition matched: line 4',
    ],
    [
      'lines that are not in order',
      [
        [3, 'lost'],
        [1, 'slow'],
        [2, 'slow'],
      ],
      'the lines are not in chronological order',
    ],
  ] as [string, [number, string][], string][])('says why a rule did not fire: %s', async (_, entries, reason) => {
    const { code, out } = await test(rule('bad', log(...entries)))
    expect(code).toBe(1)
    expect(out).toContain('hit.log: no detections, but the rule must fire\n')
    expect(out).toContain(`     ${reason}\n`)
    expect(out).toMatch(/\n0 rules passed, 1 failed\n$/)
  })

  it('shows how often and where each condition matched', async () => {
    const { out } = await test(rule('counts', log([1, 'slow a'], [2, 'slow b'], [3, 'slow c'], [4, 'back again'])))
    expect(out).toContain(`       + contains "slow": matched 3×, needed 2× (line 1, 2, 3)
       - matches /gone|lost/: matched 0×, needed 1×
       - contains "back again": matched 1×, must not match (line 4)
`)
  })

  it('fails a rule that fires on its miss.log, and shows the lines', async () => {
    const { code, out } = await test(rule('eager', HIT, HIT))
    expect(code).toBe(1)
    expect(out).toContain(`   miss.log: 1 detection, but the rule must not fire
     line 1     condition 1  slow a
`)
  })

  it('reads a tree of folders, several logs, compressed ones and JSON lines', async () => {
    rule('tree/one', HIT)
    folder.write(
      'tree/one/hit-2.jsonl',
      `{"time":"2026-03-01T12:00:01Z","m":"slow"}\n{"time":"2026-03-01T12:00:02Z","m":"slow"}\n{"time":"2026-03-01T12:00:03Z","m":"gone"}\n`,
    )
    folder.write('tree/two/shop.yaml', SEQUENCE)
    folder.write('tree/two/hit.log.gz', gzipSync(HIT))
    folder.write('tree/config.yaml', 'dataSources: a.yaml')
    const { code, out } = await test(folder.path('tree'))
    expect(out).toContain('hit-2.jsonl: 1 detection\n')
    expect(out).toContain('hit.log.gz: 1 detection\n')
    expect(out).toMatch(/\n2 rules passed, 0 failed\n$/)
    expect(code).toBe(0)
  })

  it('accepts a document with logs next to it', async () => {
    expect((await test(`${rule('document', HIT)}/rule.yaml`)).code).toBe(0)
  })

  it('requires every rule of a document to fire, and a detection on every hit log', async () => {
    const second = '  - cre: { id: SHOP-0002 }\n    rule: { set: { event: { source: a }, match: [on fire] } }\n'
    folder.write('several/rule.yaml', SEQUENCE + second)
    folder.write('several/hit.log', HIT)
    const { code, out } = await test(folder.path('several'))
    expect(code).toBe(1)
    expect(out).toContain('hit.log: 1 detection, but not every rule fired\n')
    expect(out).toContain('SHOP-0002: a condition did not match any entry\n')
    folder.write('several/hit-2.log', log([1, 'the printer is on fire']))
    expect((await test(folder.path('several'))).out).toMatch(/\n2 rules passed, 0 failed\n$/)
  })

  it('fails an invalid document or one without hit.log, and continues with the others', async () => {
    rule('mixed/a', HIT)
    folder.write('mixed/b/rule.yaml', 'rules: []')
    folder.write('mixed/c/rule.yaml', SEQUENCE)
    folder.write('mixed/d/rule.yaml', SEQUENCE)
    folder.write('mixed/d/hit.log.gz', 'not gzip')
    const { code, out } = await test(folder.path('mixed'))
    expect(code).toBe(1)
    expect(out).toContain('b/rule.yaml:1:1: the document has no rules: the list is empty\n')
    expect(out).toContain('no hit.log in this folder')
    expect(out).toMatch(/incorrect header check/)
    expect(out).toMatch(/\n1 rule passed, 3 failed\n$/)
  })

  it('shows the first detections of many', async () => {
    const noisy = Array.from({ length: 8 }, (_, i): [number, string][] => [
      [i * 4, 'slow'],
      [i * 4, 'slow'],
      [i * 4, 'lost'],
    ])
    const { out } = await test(rule('noisy', log(...noisy.flat())))
    expect(out).toContain('hit.log: 8 detections\n')
    expect(out).toContain('… and 5 more\n')
  })

  it('prints only failures with -q', async () => {
    const at = rule('quiet', HIT)
    const quiet = (operands: string[]) => folder.run((context) => testRules({ operands, quiet: true }, context))
    expect((await quiet([at])).out).toBe('')
    expect((await quiet([at, rule('quiet-2', log([1, 'fine']))])).out).toMatch(/^FAILED SHOP-0001/)
  })

  it('prints JSON', async () => {
    const at = rule('json', HIT)
    const { out } = await folder.run((context) => testRules({ operands: [at], json: true }, context))
    const [outcome] = JSON.parse(out)
    expect(outcome).toMatchObject({ folder: at, passed: true, rules: ['SHOP-0001'], errors: [] })
    expect(outcome.logs[0]).toMatchObject({ expected: 'hit', passed: true, count: 1 })
    expect(outcome.logs[0].detections[0].hits[2]).toEqual({ line: 4, condition: 2, entry: 'it is gone' })
  })

  it('says what to do if there is nothing to test', async () => {
    folder.write('nothing/readme.txt', '')
    await expect(test(folder.path('nothing'))).rejects.toThrow(
      'no rule.yaml in this folder or below: create one with omen rules new',
    )
    await expect(test(folder.path('nowhere'))).rejects.toThrow('no such file or folder')
  })

  it('does not depend on the date: logs without a year may cross the end of a year', async () => {
    const hit = 'Dec 31 23:59:58 shop: slow\nDec 31 23:59:59 shop: slow\nJan  1 00:00:01 shop: lost\n'
    expect((await test(rule('new-year', hit))).code).toBe(0)
  })
})
