import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RULES_FOLDER, useRules } from '../../test/rules-context.js'
import { lintRules } from './linting/lint.js'
import { newRule, printSchema, SCHEMA_FILE } from './new-rule.js'
import { testRules } from './testing/test-rules.js'

const folder = useRules()
const make = (...operands: string[]) => folder.run((context) => newRule({ operands }, context))

describe('omen rules new', () => {
  it('writes a rule that passes its tests and has no warnings', async () => {
    const at = folder.path('acme-7')
    const { code, out } = await make('ACME-7', at)
    expect(code).toBe(0)
    expect(out).toBe(
      ['rule.yaml', 'hit.log', 'miss.log'].map((name) => `Wrote ${at}/${name}\n`).join('') +
        `Try it: omen rules test ${at}\n`,
    )
    const tested = await folder.run((context) => testRules({ operands: [at] }, context))
    expect(tested.out).toMatch(/^ok ACME-7 {2}.*\n1 rule passed, 0 failed\n$/s)
    const linted = await folder.run((context) => lintRules({ operands: [at] }, context))
    expect(linted.out).toBe('1 document with 1 rule: no errors or warnings\n')
  })

  it.each(['1234', 'null', 'true', 'CRE-2027-1'])(
    'writes the id %s so that it is read back as that text',
    async (id) => {
      const at = folder.path(`id-${id}`)
      await make(id, at)
      const { out } = await folder.run((context) => testRules({ operands: [at], json: true }, context))
      expect(JSON.parse(out)[0]).toMatchObject({ passed: true, rules: [id] })
    },
  )

  it.each([
    ['in its folder', 'with-schema/rule.schema.json', './rule.schema.json'],
    ['above it', 'rule.schema.json', '../rule.schema.json'],
  ])('refers to the schema for editors that is %s', async (_, schema, named) => {
    const at = folder.path('with-schema')
    folder.write(schema, '{}')
    await make('ACME-11', at)
    const text = readFileSync(folder.path('with-schema/rule.yaml'), 'utf8')
    expect(text).toMatch(/^# yaml-language-server: \$schema=(\S+)\n# A rule: /)
    expect(text.split('\n', 1)[0]).toBe(`# yaml-language-server: $schema=${named}`)
    folder.remove('with-schema')
    folder.remove('rule.schema.json')
  })

  it('refers to no schema if there is none, or only one above the repository', async () => {
    folder.write('rule.schema.json', '{}')
    folder.write('repository/.git', '')
    for (const at of ['repository/acme', 'repository']) {
      await make('ACME-12', folder.path(at))
      expect(readFileSync(folder.path(`${at}/rule.yaml`), 'utf8')).toMatch(/^# A rule: /)
    }
    folder.remove('rule.schema.json')
  })

  it('never overwrites a file', async () => {
    folder.write('taken/hit.log', 'mine')
    await expect(make('ACME-8', folder.path('taken'))).rejects.toThrow('hit.log already exists: choose another folder')
    expect(readFileSync(folder.path('taken/hit.log'), 'utf8')).toBe('mine')
    expect(existsSync(folder.path('taken/rule.yaml'))).toBe(false)
  })

  it('suggests the next free id if none or an existing one is given', async () => {
    await expect(make()).rejects.toThrow('the next free one is CRE-2026-10013')
    await expect(make('cre-2026-10001')).rejects.toThrow('CRE-2026-10001 already exists')
  })

  it.each(['a b', 'abc', 'a/../b', '-abcd', 'x'.repeat(101)])('refuses the id %s', async (id) => {
    await expect(make(id)).rejects.toThrow('at least four letters, digits and hyphens')
  })

  it('works if the installed rules are broken', async () => {
    const documents = folder.write('broken.yaml', 'rules: [')
    const at = folder.path('despite')
    const run = await folder.run((context) => newRule({ operands: ['ACME-9', at] }, context), { documents })
    expect(run.code).toBe(0)
  })

  it('explains why a folder cannot be written', async () => {
    const file = folder.write('file', '')
    await expect(make('ACME-10', `${file}/below`)).rejects.toThrow(/below: part of the path is not a folder/)
  })
})

it('omen rules schema prints the schema of the bundled rules', async () => {
  const { code, out, err } = await folder.run((context) => printSchema({}, context))
  expect([code, err]).toEqual([0, ''])
  expect(out).toBe(readFileSync(join(RULES_FOLDER, SCHEMA_FILE), 'utf8'))
  expect(JSON.parse(out)).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' })
})
