import { describe, expect, it } from 'vitest'
import { useRules } from '../../test/rules-context.js'
import { explain } from './explain.js'

const folder = useRules()

describe('omen explain', () => {
  it.each(['CRE-2026-10010', 'cre-2026-10010', '2026-10010', '10010'])('finds the rule by %s', async (id) => {
    const { code, out } = await folder.run((context) => explain({ ids: [id] }, context))
    expect(code).toBe(0)
    expect(out.split('\n').slice(0, 2)).toEqual([
      'CRE-2026-10010  high',
      'etcd lost its leader after its disk became slow',
    ])
  })

  it('prints all fields, and how the problem is detected', async () => {
    const { out } = await folder.run((context) => explain({ ids: ['10010'] }, context))
    const headings = out.split('\n').filter((line) => /^[A-Z][a-z]+$/.test(line))
    expect(headings).toEqual(['Description', 'Impact', 'Cause', 'Mitigation', 'Detection', 'References'])
    expect(out).toContain('Applications  etcd 3.x\n')
    expect(out).toContain('Tags          etcd, disk, latency, failover\n')
    expect(out).toContain(`  Within 1m, one after the other:
    1. 3 entries that match
         /apply request took too long|slow fdatasync|leader failed to send out heartbeat on time/
    2. an entry that matches
`)
    expect(out).toContain('  https://etcd.io/docs/v3.5/tuning/\n')
  })

  it('fits the width, except for commands and patterns', async () => {
    const { out } = await folder.run((context) => explain({ ids: ['10010'] }, context), { columns: 60 })
    const long = out.split('\n').filter((line) => line.length > 60 && !/[`/]/.test(line))
    expect(long).toEqual([])
  })

  it('explains a rule without descriptions', async () => {
    const documents = folder.write(
      'bare.yaml',
      "rules: [{cre: {id: SHOP-0001}, rule: {set: {event: {source: '*'}, match: [oops]}}}]",
    )
    const { out } = await folder.run((context) => explain({ ids: ['shop-0001'] }, context), { documents })
    expect(out).toBe('SHOP-0001  critical\n\nData          any\n\nDetection\n  An entry that contains "oops"\n')
  })

  it('prints nothing that controls the terminal', async () => {
    const documents = folder.write(
      'hostile.yaml',
      `rules: [{cre: {id: SHOP-0001, title: "\\e]0;owned\\a", category: "\\e[2J", tags: ["\\e[1A"], cause: "\\e[31m", references: ["\\e[0K"]},
        rule: {set: {event: {source: "\\e[5m"}, match: ["\\e[6n"]}}}]`,
    )
    const { out } = await folder.run((context) => explain({ ids: ['shop-0001'] }, context), { documents })
    expect(out).not.toContain('\u001b')
  })

  it('prints the records of the report as JSON', async () => {
    const { out } = await folder.run((context) => explain({ ids: ['10010', '10001'], json: true }, context))
    const records = JSON.parse(out)
    expect(records.map(({ id }: { id: string }) => id)).toEqual(['CRE-2026-10010', 'CRE-2026-10001'])
    expect(records[0].applications).toEqual([{ name: 'etcd', version: '3.x', process_name: 'etcd' }])
  })

  it('suggests the nearest ids for an unknown one, and still explains the others', async () => {
    const { code, out, err } = await folder.run((context) => explain({ ids: ['CRE-2026-1001', '10001'] }, context))
    expect(code).toBe(1)
    expect(out).toMatch(/^CRE-2026-10001 {2}high\n/)
    expect(err).toMatch(/^Rules error: no rule CRE-2026-1001: did you mean CRE-2026-10001, /)
    const unknown = await folder.run((context) => explain({ ids: ['kafka'] }, context))
    expect(unknown.err).toBe('Rules error: no rule kafka: run omen rules list to see all\n')
  })
})
