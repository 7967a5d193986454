import { type CompiledRules, compileRules } from '@omen/engine'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { firstRules, RULES_FOLDER, useRules } from '../../test/rules-context.js'
import { readRuleFiles } from '../rules/loading/rule-files.js'
import { readDataSourceFile } from '../sources/data-source-file.js'
import { dataSourceTemplate } from './data-sources.js'
import { findKnownType } from './known-types.js'
import { quoteScalar } from './quote-scalar.js'

const folder = useRules()

const sampleRules = () => compileRules(firstRules())

function rulesFor(...sources: string[]): Promise<CompiledRules> {
  const rules = sources.map((source, index) => ({
    cre: { id: `SHOP-000${index}`, title: `Number ${index}` },
    rule: { set: { event: { source }, match: [`text ${index}`] } },
  }))
  return compileRules([{ name: 'shop.yaml', text: JSON.stringify({ rules }) }])
}

async function read(text: string) {
  return readDataSourceFile(folder.write('data-sources.yaml', text))
}

describe('the template of a data source file', () => {
  it('has one entry for each source type of the installed rules, sorted', async () => {
    const rules = await compileRules(readRuleFiles(RULES_FOLDER))
    const types = [...new Set(rules.rules.map(({ source }) => source))].sort()
    const { sources, warnings } = await read(dataSourceTemplate(rules, '1.4.0'))
    expect(sources.map(({ type }) => type)).toEqual(types)
    expect(warnings).toEqual([])
    for (const { type, locations, desc } of sources) {
      expect(locations[0]!.path).toMatch(/^\.?\//)
      expect(desc, type).toMatch(/\S/)
    }
  })

  it('explains how to use it, and which rules run on a source', async () => {
    const text = dataSourceTemplate(await sampleRules(), '1.4.0')
    expect(text).toContain('# Generated from rules 1.4.0: 12 rules for 9 types of data.\n')
    expect(text).toContain('omen -s <this file>')
    expect(text).toContain(`
  # 2 rules:
  #   CRE-2026-10002 critical, PostgreSQL has run out of disk space
  #   CRE-2026-10001 high, PostgreSQL refuses connections because every slot is taken
  - name: postgresql
    type: cre.log.postgresql
    desc: PostgreSQL
    locations:
      - path: /var/log/postgresql/*.log
      # - path: /var/lib/pgsql/data/log/*.log
`)
  })

  it('names a few rules of many', async () => {
    const text = dataSourceTemplate(await rulesFor('a.b', 'a.b', 'a.b', 'a.b', 'a.b'), '1.0.0')
    expect(text).toContain('  # 5 rules:\n')
    expect(text).toContain('  #   and 2 more: omen rules list a.b\n')
  })

  it('has a path for unknown types and for kinds of known types', async () => {
    const { sources } = await read(
      dataSourceTemplate(await rulesFor('cre.log.acme', 'cre.log.kafka.connect', '*'), '1.0.0'),
    )
    expect(sources.map(({ name, locations }) => [name, locations[0]!.path])).toEqual([
      ['everything', '/var/log/everything/*.log'],
      ['acme', '/var/log/acme/*.log'],
      ['kafka-connect', '/var/log/kafka/server.log'],
    ])
  })

  it('gives every source a unique name', async () => {
    const { sources } = await read(dataSourceTemplate(await rulesFor('cre.log.a', 'cre.a', 'a'), '1.0.0'))
    expect(new Set(sources.map(({ name }) => name)).size).toBe(3)
  })

  it('is valid for any type that a rule can have', async () => {
    const [rule] = (await rulesFor('x')).rules
    const text = fc.string({ minLength: 1, unit: 'binary' }).filter((source) => source.trim() !== '')
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(text, { minLength: 1, maxLength: 5 }), async (sources) => {
        const rules = sources.map((source) => ({ ...rule!, source }))
        const template = dataSourceTemplate({ rules, conditions: [], warnings: [], fingerprint: '' }, '1.0.0')
        expect(parse(template).sources.map(({ type }: { type: string }) => type)).toEqual(sources.toSorted())
      }),
      { numRuns: 200 },
    )
  })
})

it('quotes any string so that YAML reads it unchanged', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.constantFrom('null', 'Yes', '1.0', '- a', 'a: b', 'a #b', ' x ', '~', '*')),
      (text) => {
        expect(parse(`key: ${quoteScalar(text)} # comment`)).toEqual({ key: text })
      },
    ),
  )
})

it('knows types by synonyms', () => {
  expect(findKnownType('cre.log.postgres')?.about).toBe('PostgreSQL')
  expect(findKnownType('cre.log.constructor')).toBeUndefined()
})
