import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type CompiledRules, compileRules, detect } from '../src/index.js'

const rulesFolder = fileURLToPath(new URL('../../../rules/', import.meta.url))
const examplesFolder = fileURLToPath(new URL('../../../examples/', import.meta.url))

/** Some of the logs have no year in their timestamps. */
const now = new Date('2026-11-15T00:00:00Z')

const folders = readdirSync(rulesFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort()

function ruleText(folder: string): string {
  return readFileSync(`${rulesFolder}${folder}/rule.yaml`, 'utf8')
}

function documentsOf(names: readonly string[]) {
  return names.map((name) => ({ name: `${name}/rule.yaml`, text: ruleText(name) }))
}

const starterRules = compileRules(documentsOf(folders))

/** The ids of the rules whose detections a log gives, one for each detection. */
async function detectionsIn(path: string, rules: CompiledRules): Promise<string[]> {
  const ids: string[] = []
  for await (const { cre } of detect(rules, readFileSync(path), { now })) ids.push(cre.id)
  return ids
}

/** Which of the starter rules fire on a log. */
async function firingOn(path: string): Promise<string[]> {
  const ids = await detectionsIn(path, await starterRules)
  return [...new Set(ids)].sort()
}

describe('the starter rules', () => {
  it('are twelve, and load together without a remark', async () => {
    const { rules, warnings, lint } = await starterRules
    expect(rules).toHaveLength(12)
    expect(warnings).toEqual([])
    expect(lint).toEqual([])
  })
})

describe.each(folders)('%s', (folder) => {
  it('is described in full', async () => {
    const { rules } = await compileRules(documentsOf([folder]))
    expect(rules).toHaveLength(1)
    const { cre } = rules[0]!
    expect(cre).toMatchObject({ id: folder.toUpperCase(), author: 'Omen' })
    expect([0, 1, 2, 3, 4]).toContain(cre.severity)
    for (const text of [cre.title, cre.category, cre.description, cre.cause, cre.impact]) expect(text).toMatch(/\S/)
    expect(cre.mitigation).toMatch(/^- .*`/m)
    expect(cre.tags).not.toHaveLength(0)
    expect(cre.applications).not.toHaveLength(0)
    expect(cre.references).not.toHaveLength(0)
    for (const reference of cre.references ?? []) expect(new URL(reference).protocol).toBe('https:')
  })

  it('derives its id and hash', () => {
    const metadata = /\n {4}metadata:\n((?: {6}.*\n)+)/.exec(ruleText(folder))?.[1]
    expect(metadata).toBe('      kind: omen\n      gen: 1\n')
  })

  it('fires on its hit.log, and no other rule does', async () => {
    expect(await firingOn(`${rulesFolder}${folder}/hit.log`)).toEqual([folder.toUpperCase()])
  })

  it('has a miss.log on which no rule fires', async () => {
    expect(await firingOn(`${rulesFolder}${folder}/miss.log`)).toEqual([])
  })
})

describe('the example logs', () => {
  it.each([
    ['web.log', ['CRE-2026-10005']],
    ['postgres.log', ['CRE-2026-10001']],
    ['cluster.log', ['CRE-2026-10001', 'CRE-2026-10007', 'CRE-2026-10008', 'CRE-2026-10011']],
    ['app.jsonl', ['CRE-2026-10012']],
  ])('%s: one night, %j', async (name, expected) => {
    expect(await firingOn(`${examplesFolder}${name}`)).toEqual(expected)
  })

  it('web.log is where the custom rule fires, once', async () => {
    const text = readFileSync(`${examplesFolder}custom-rule.yaml`, 'utf8')
    const rules = await compileRules([{ name: 'custom-rule.yaml', text }])
    expect(await detectionsIn(`${examplesFolder}web.log`, rules)).toEqual(['SHOP-0001'])
  })
})
