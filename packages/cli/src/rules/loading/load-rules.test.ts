import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileRules, exportRules } from '@omen/engine'
import { describe, expect, it } from 'vitest'
import { RULES_FOLDER, useRules } from '../../../test/rules-context.js'
import { loadRules } from './load-rules.js'
import { readRuleFiles } from './rule-files.js'

const folder = useRules()

const document = (text: string) => ({
  name: 'shop.yaml',
  bytes: Buffer.from(`rules:
  - cre: { id: SHOP-0001 }
    rule: { set: { event: { source: '*' }, match: [${text}] } }
`),
})

const caches = (name: string) => readdirSync(folder.path(name)).map((file) => join(folder.path(name), file))

describe('the cache of compiled rules', () => {
  it('gives the same rules as compiling', async () => {
    const files = readRuleFiles(RULES_FOLDER)
    const compiled = await loadRules(files, folder.path('same'))
    const cached = await loadRules(files, folder.path('same'))
    expect({ ...cached, lint: [] }).toEqual({ ...compiled, lint: [] })
    expect(cached).not.toHaveProperty('lint')
  })

  it('is not used for a document that changed without growing', async () => {
    await loadRules([document('disk full')], folder.path('changed'))
    const { conditions } = await loadRules([document('disk fuel')], folder.path('changed'))
    expect(conditions[0]!.text).toBe('disk fuel')
  })

  it('is created again if it is damaged', async () => {
    const cacheFolder = 'damaged'
    await loadRules([document('disk full')], folder.path(cacheFolder))
    const [path] = caches(cacheFolder)
    const good = readFileSync(path!)
    const flipped = Buffer.from(good)
    flipped[good.lastIndexOf('disk full')]! ^= 1
    for (const bad of [flipped, good.subarray(0, good.length - 5), good.subarray(0, 10), Buffer.alloc(0)]) {
      writeFileSync(path!, bad)
      const { conditions } = await loadRules([document('disk full')], folder.path(cacheFolder))
      expect(conditions[0]!.text).toBe('disk full')
      expect(readFileSync(path!)).toEqual(good)
    }
  })

  it('keeps the newest eight, and removes the temporary files of a killed run', async () => {
    const cacheFolder = 'many'
    folder.write(`${cacheFolder}/0badcafe.rules.1a2b3c`, 'half')
    folder.write(`${cacheFolder}/notes.txt`, 'unrelated')
    utimesSync(folder.path(`${cacheFolder}/0badcafe.rules.1a2b3c`), 1, 1)
    for (let i = 0; i < 12; i++) {
      const file = document(`error ${'x'.repeat(i)}`)
      await loadRules([file], folder.path(cacheFolder))
    }
    const names = readdirSync(folder.path(cacheFolder))
    expect(names.filter((name) => name.endsWith('.rules'))).toHaveLength(8)
    expect(names).toContain('notes.txt')
    expect(existsSync(folder.path(`${cacheFolder}/0badcafe.rules.1a2b3c`))).toBe(false)
  })

  it('is not used if it cannot be written', async () => {
    const file = folder.write('a-file', '')
    await expect(loadRules([document('disk full')], join(file, 'cache'))).resolves.toHaveProperty('rules.length', 1)
  })

  it('can be written by several processes at once', async () => {
    const files = [document('disk full')]
    const runs = Array.from({ length: 10 }, () => loadRules(files, folder.path('at-once')))
    for (const { rules } of await Promise.all(runs)) expect(rules).toHaveLength(1)
    expect(caches('at-once')).toHaveLength(1)
  })
})

describe('rules that were compiled when the tool was built', () => {
  const compiled = async () => exportRules(await compileRules([document('disk full')]))

  it('are used directly if no other rules run, without reading the document', async () => {
    const file = {
      name: 'bundled rules',
      compiled: await compiled(),
      get bytes(): Uint8Array {
        throw new Error('read')
      },
    }
    expect((await loadRules([file], folder.path('built'))).rules).toHaveLength(1)
    expect(existsSync(folder.path('built'))).toBe(false)
  })

  it('are compiled again with other rules, and if the compiled form is invalid', async () => {
    const file = { ...document('disk full'), compiled: '{}' }
    expect((await loadRules([file], folder.path('unbuilt'))).conditions[0]!.text).toBe('disk full')
    const other = {
      name: 'b.yaml',
      bytes: Buffer.from("rules: [{cre: {id: SHOP-2}, rule: {set: {event: {source: a}, match: ['b']}}}]"),
    }
    const both = [{ ...document('disk full'), compiled: await compiled() }, other]
    expect((await loadRules(both, folder.path('unbuilt'))).rules).toHaveLength(2)
  })
})
