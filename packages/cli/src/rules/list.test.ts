import { describe, expect, it } from 'vitest'
import { useRules } from '../../test/rules-context.js'
import { listRules } from './list.js'

const folder = useRules()
const list = (...operands: string[]) => folder.run((context) => listRules({ operands }, context))

describe('omen rules list', () => {
  it('shows id, severity, source type and title in aligned columns', async () => {
    const { code, out } = await list()
    const lines = out.trimEnd().split('\n')
    expect(code).toBe(0)
    expect(lines).toHaveLength(13)
    expect(lines[0]).toMatch(/^ID +SEVERITY +SOURCE +TITLE$/)
    expect(lines[2]).toMatch(/^CRE-2026-10002 {2}critical {2}cre\.log\.postgresql {2}PostgreSQL /)
    const column = lines[0]!.indexOf('SOURCE')
    for (const line of lines.slice(1)) expect(line.slice(column)).toMatch(/^cre\.log\./)
  })

  it.each([
    [['critical'], ['CRE-2026-10002', 'CRE-2026-10005']],
    [['POSTGRESQL'], ['CRE-2026-10001', 'CRE-2026-10002']],
    [['cre.log.postgresql', 'high'], ['CRE-2026-10001']],
    [['failover'], ['CRE-2026-10010']],
    [['10003'], ['CRE-2026-10003']],
  ])('is filtered by the arguments %j', async (operands, ids) => {
    const { out } = await folder.run((context) => listRules({ operands, ids: true }, context))
    expect(out.trimEnd().split('\n')).toEqual(ids)
  })

  it('reports that no rule matches', async () => {
    const { code, out, err } = await list('critical', 'toaster')
    expect([code, out]).toEqual([1, ''])
    expect(err).toBe('No rule matches all of "critical", "toaster"\n')
  })

  it('prints only ids for shells, in the order of their numbers', async () => {
    const documents = folder.write(
      'two.yaml',
      `rules:
  - {cre: {id: SHOP-10}, rule: {set: {event: {source: a}, match: [ten]}}}
  - {cre: {id: SHOP-9}, rule: {set: {event: {source: a}, match: [nine]}}}
`,
    )
    const run = await folder.run((context) => listRules({ operands: [], ids: true }, context), { documents })
    expect(run.out).toBe('SHOP-9\nSHOP-10\n')
  })

  it('prints JSON without absent fields', async () => {
    const documents = folder.path('two.yaml')
    const { out } = await folder.run((context) => listRules({ operands: ['9'], json: true }, context), { documents })
    const [rule] = JSON.parse(out)
    expect(rule).toMatchObject({ id: 'SHOP-9', label: 'critical', source: 'a' })
    expect(Object.keys(rule)).toEqual(['id', 'label', 'source', 'rule_id', 'rule_hash'])
  })

  it('cuts titles to the width of a terminal', async () => {
    const { out } = await folder.run((context) => listRules({ operands: [] }, context), {
      isTerminal: true,
      columns: 70,
    })
    for (const line of out.trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(70)
  })
})
