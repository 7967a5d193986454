import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasShared, sharedFolder } from '../../../test/contract.js'
import { compileRules } from '../compile.js'
import { RulesError } from '../error.js'
import { exportRules } from './export.js'
import { importRules } from './import.js'

const document = `
note: 1
terms: {bad: {regex: 'fail(ed|ure)'}}
rules:
  - cre: {id: CRE-2026-0001, severity: 2, tags: [a], impactScore: 3, applications: [{name: Kafka}]}
    rule:
      sequence:
        event: {source: cre.log.kafka}
        window: 1h
        order: [bad, {value: two, count: 2, extract: [{name: x, regex: '(a)'}]}]
        negate: [{value: ok, window: -5s, slide: 1s, anchor: 2, absolute: true}]
  - cre: {id: CRE-2026-0002}
    rule: {set: {event: {source: x}, match: [{regex: '(?i)k[0-9]'}]}}
---
section: version
content: [{version: 1.4.0}]
`

const compiled = await compileRules([{ name: 'a.yaml', text: document }])
const exported = exportRules(compiled)

describe('exported rules', () => {
  test('are restored exactly, without the diagnostics for the author', () => {
    const { lint, ...rest } = compiled
    expect(lint).toBeDefined()
    expect(importRules(exported)).toEqual(rest)
    expect(JSON.stringify(importRules(exported).rules[0]!.cre)).toBe(JSON.stringify(compiled.rules[0]!.cre))
  })

  test('are exported again as the same string', () => {
    expect(exportRules(importRules(exported))).toBe(exported)
  })

  test.runIf(hasShared)('of all documents in use are restored exactly', async () => {
    const folder = join(sharedFolder, 'corpus/cre')
    const names = readdirSync(folder).filter((name) => name !== 'LICENSE')
    const { lint: _, ...rules } = await compileRules(
      names.map((name) => ({ name, text: readFileSync(join(folder, name, 'rule.yaml'), 'utf8') })),
    )
    expect(importRules(exportRules(rules))).toEqual(rules)
  })
})

/** The path of every nested value, as a list of keys. */
function* places(value: unknown, path: readonly (string | number)[] = []): Iterable<readonly (string | number)[]> {
  yield path
  if (typeof value !== 'object' || value === null) return
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    yield* places((value as Record<string | number, unknown>)[key], [...path, key])
  }
}

function replaced(path: readonly (string | number)[], by: unknown): unknown {
  const copy = structuredClone(JSON.parse(exported))
  if (path.length === 0) return by
  let parent = copy
  for (const key of path.slice(0, -1)) parent = parent[key]
  parent[path.at(-1)!] = by
  return copy
}

describe('a cache that is damaged', () => {
  const all = [...places(JSON.parse(exported))]

  test('is either rejected or gives valid rules', () => {
    const others = fc.constantFrom(null, undefined, -1, 1.5, 1e9, '', 'x', true, [], {}, [[]], [null])
    fc.assert(
      fc.property(fc.constantFrom(...all), others, (path, other) => {
        const text = JSON.stringify(replaced(path, other)) ?? ''
        try {
          const restored = importRules(text)
          expect(importRules(exportRules(restored))).toEqual(restored)
        } catch (error) {
          expect(error).toBeInstanceOf(RulesError)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('is rejected when it is cut off anywhere', () => {
    for (let length = 0; length < exported.length; length += 7) {
      expect(() => importRules(exported.slice(0, length))).toThrow(expect.objectContaining({ code: 'cache-broken' }))
    }
  })

  const wrong: Readonly<Record<string, readonly [readonly (string | number)[], unknown]>> = {
    'a condition that does not exist': [['rules', 0, 'terms', 0, 'condition'], 99],
    'a count of zero': [['rules', 0, 'terms', 0, 'count'], 0],
    'an anchor beyond the conditions': [['rules', 0, 'negate', 0, 'anchor'], 3],
    'a window that is not a number': [['rules', 0, 'window'], '5s'],
    'a field that reports do not have': [['rules', 0, 'cre', 'secret'], 'x'],
    'a severity that is a text': [['rules', 0, 'cre', 'severity'], 'high'],
    'a kind that does not exist': [['rules', 0, 'kind'], 'list'],
    'a condition of no kind': [['conditions', 0, 'kind'], 'glob'],
    'an empty needle': [['conditions', 0, 'plan', 0, 'needles', 0, 'text'], ''],
    'an alternative without needles': [['conditions', 0, 'plan', 0, 'needles'], []],
    'a gap too few': [['conditions', 0, 'plan', 0, 'gaps'], []],
    'a version that is not a string': [['version'], 5],
    'no rules': [['rules'], null],
    'another format': [['format'], 'other'],
  }
  for (const [name, [path, value]] of Object.entries(wrong)) {
    test(`with ${name} is refused`, () => {
      const text = JSON.stringify(replaced(path, value))
      expect(() => importRules(text)).toThrow(expect.objectContaining({ name: 'RulesError', code: 'cache-broken' }))
    })
  }

  test('of another version has its own error code', () => {
    const text = JSON.stringify(replaced(['formatVersion'], 2))
    expect(() => importRules(text)).toThrow(
      expect.objectContaining({ code: 'cache-version', message: 'compiled rules of format 2, but 1 is needed' }),
    )
  })
})
