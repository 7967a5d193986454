import { expect, test } from 'vitest'
import { exportRules } from './cache/export.js'
import { importRules } from './cache/import.js'
import { compileRules } from './compile.js'
import { mergeRules } from './merge.js'

const rule = (id: string, match: string, metadata = '{}') =>
  `rules:\n- cre: {id: ${id}}\n  metadata: ${metadata}\n  rule: {set: {event: {source: x}, match: [${match}], negate: [z]}}\n`
const load = (text: string) => compileRules([{ name: 'a', text }])
const version = '---\nsection: version\ncontent: [{version: 1.2.3}]\n'

test('merged rules equal rules that are compiled together', async () => {
  const [one, two] = [`note: 1\n${rule('CRE-1', 'a')}`, rule('CRE-2', 'b') + version]
  const merged = mergeRules([importRules(exportRules(await load(one))), await load(two)])
  const together = await compileRules([
    { name: 'a', text: one },
    { name: 'a', text: two },
  ])
  expect({ ...merged, fingerprint: '' }).toEqual({ ...together, fingerprint: '' })
})

test('the fingerprint changes with each part and with their order', async () => {
  const [one, two, three] = [
    await load(rule('CRE-1', 'a')),
    await load(rule('CRE-2', 'b')),
    await load(rule('CRE-2', 'c')),
  ]
  const fingerprints = [[one, two], [two, one], [one, three], [one]].map((parts) => mergeRules(parts).fingerprint)
  expect(new Set(fingerprints).size).toBe(4)
})

test('a repeated identifier is rejected with the fixed message', async () => {
  const one = await load(rule('CRE-1', 'a', '{id: 8Vx2aTfbHXQxKd, hash: Qm3aTfbHXQxKd1}'))
  const two = await load(rule('CRE-2', 'b', '{id: 9Vx2aTfbHXQxKd, hash: Qm3aTfbHXQxKd1}'))
  expect(() => mergeRules([one, two])).toThrow(
    expect.objectContaining({
      code: 'duplicate-rule',
      creId: 'CRE-2',
      message: 'CRE-2: duplicate rule hash id=Qm3aTfbHXQxKd1 cre=CRE-2',
      problems: [expect.objectContaining({ message: 'duplicate rule hash id=Qm3aTfbHXQxKd1 cre=CRE-2' })],
    }),
  )
})

test('a copied rule is reported with the identifiers in its document', async () => {
  const [one, two] = [await load(rule('CRE-1', 'a')), await load(rule('CRE-1', 'a'))]
  expect(() => mergeRules([one, two])).toThrow(
    expect.objectContaining({
      problems: [expect.objectContaining({ message: 'duplicate rule hash id=CRE-1 cre=CRE-1' })],
    }),
  )
})
