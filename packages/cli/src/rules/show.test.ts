import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { compileRules } from '@omen/engine'
import { describe, expect, it } from 'vitest'
import { RULES_FOLDER, useRules } from '../../test/rules-context.js'
import { showRules } from './show.js'

const folder = useRules()
const show = (ids: string[], documents?: string) =>
  folder.run((context) => showRules({ operands: ids }, context), documents === undefined ? {} : { documents })

const SHARED = `# Rules of the shop.
terms:
  lost: { regex: 'lost .*' } # shared
  gone: { value: lost }
  other: boom

rules:
  # The first one.
  - cre:
      id: SHOP-0001
      description: |
        A text with a line that looks like the end:

      # of it all
    rule:
      set:
        event: { source: cre.log.shop }
        match: [gone]

  # The second one.
  - cre: { id: SHOP-0002 }
    rule: { set: { event: { source: cre.log.shop }, match: [other] } }
---
section: version
content: [{ version: 1.2.3 }]
`

describe('omen rules show', () => {
  it('prints the rule as written, with its file and line', async () => {
    const { code, out } = await show(['10001'])
    const path = `${RULES_FOLDER}/cre-2026-10001/rule.yaml`
    expect(code).toBe(0)
    expect(out).toBe(`# ${path}:2\n${readFileSync(path, 'utf8')}`)
  })

  it('prints a separate document, with the terms that the rule uses', async () => {
    const documents = folder.write('shared.yaml', SHARED)
    const { out } = await show(['SHOP-0001'], documents)
    expect(out).toBe(`# ${documents}:8
terms:
  lost: { regex: 'lost .*' } # shared
  gone: { value: lost }

rules:
  # The first one.
  - cre:
      id: SHOP-0001
      description: |
        A text with a line that looks like the end:

      # of it all
    rule:
      set:
        event: { source: cre.log.shop }
        match: [gone]
`)
    expect((await compileRules([{ name: 'shown.yaml', text: out }])).rules).toHaveLength(1)
  })

  it('ends the last rule at the end of its document', async () => {
    const { out } = await show(['SHOP-0002'], folder.write('shared.yaml', SHARED))
    expect(out.trimEnd().split('\n').at(-1)).toBe(
      '    rule: { set: { event: { source: cre.log.shop }, match: [other] } }',
    )
  })

  it('prints several as a stream of documents', async () => {
    const { out } = await show(['SHOP-0001', 'SHOP-0002'], folder.write('shared.yaml', SHARED))
    const [first, second] = out.split('---\n')
    for (const text of [first!, second!]) {
      expect((await compileRules([{ name: 'shown.yaml', text }])).rules).toHaveLength(1)
    }
  })

  it('shows rules of documents in JSON and in packages', async () => {
    const rule = { cre: { id: 'SHOP-0003' }, rule: { set: { event: { source: '*' }, match: ['low'] } } }
    const text = JSON.stringify({ terms: { low: { value: 'paper low' } }, rules: [rule] })
    const { out } = await show(['SHOP-0003'], folder.write('package.yaml.gz', gzipSync(text)))
    const { conditions } = await compileRules([{ name: 'shown.yaml', text: out }])
    expect(conditions[0]!.text).toBe('paper low')
  })

  it('prints the compiled rule as JSON', async () => {
    const documents = folder.write('shared.yaml', SHARED)
    const run = (context: Parameters<typeof showRules>[1]) =>
      showRules({ operands: ['SHOP-0001'], json: true }, context)
    const [view] = JSON.parse((await folder.run(run, { documents })).out)
    expect(view).toMatchObject({
      id: 'SHOP-0001',
      source: 'cre.log.shop',
      kind: 'set',
      conditions: [{ kind: 'regex', text: 'lost .*', count: 1 }],
      negate: [],
      file: documents,
      line: 9,
    })
  })

  it('suggests ids for an unknown one', async () => {
    const { code, out, err } = await show(['CRE-2026-10O01'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^Rules error: no rule CRE-2026-10O01: did you mean CRE-2026-10001/)
  })
})
