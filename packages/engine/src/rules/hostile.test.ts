import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileRules } from './compile.js'
import { PROBLEM_CODES, RulesError } from './error.js'
import type { RuleSource } from './source.js'

/** Checks that a document is loaded, or rejected with problems that have valid positions. */
async function survives(source: RuleSource, lines = Number.POSITIVE_INFINITY): Promise<void> {
  try {
    const { rules, conditions } = await compileRules([source])
    for (const { terms, negate } of rules) {
      for (const { condition } of [...terms, ...negate]) expect(conditions[condition]).toBeDefined()
    }
  } catch (error) {
    if (!(error instanceof RulesError)) throw error
    expect(error.problems.length).toBeGreaterThan(0)
    for (const { code, line, column, message } of error.problems) {
      expect(PROBLEM_CODES[code]).toBeDefined()
      expect(line >= 1 && line <= lines && column >= 1).toBe(true)
      expect(message).not.toMatch(/undefined|\[object|NaN\b/)
    }
  }
}

describe('hostile input is either loaded or rejected:', () => {
  test('random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        await survives({ name: 'a', bytes })
        await survives({ name: 'a', bytes: Uint8Array.of(0x1f, 0x8b, ...bytes) })
        await survives({ name: 'a', bytes: new Uint8Array(gzipSync(bytes)) })
      }),
      { numRuns: 100 },
    )
  })

  const texts = fc.array(fc.nat({ max: 0xffff }), { maxLength: 100 }).map((codes) => String.fromCharCode(...codes))

  test('random text', async () => {
    await fc.assert(
      fc.asyncProperty(texts, (text) => survives({ name: 'a', text }, text.split('\n').length)),
      { numRuns: 300 },
    )
  })

  const fragments = fc.constantFrom(
    ...[
      'rules',
      'terms',
      'cre',
      'id',
      'metadata',
      'hash',
      'rule',
      'set',
      'sequence',
      'event',
      'source',
      'match',
      'order',
      'negate',
      'window',
    ],
    ...[
      'value',
      'regex',
      'jq',
      'count',
      'extract',
      'name',
      'anchor',
      'slide',
      'absolute',
      'section',
      'content',
      'version',
      '<<',
      'severity',
      'tags',
    ],
    ...[
      'CRE-2026-0001',
      '5s',
      '-1',
      '0',
      '1e400',
      'x',
      '(',
      "''",
      '""',
      '~',
      'true',
      '[',
      ']',
      '{',
      '}',
      ', ',
      ': ',
      ':',
      '\n',
      '\n  ',
      '\n    ',
    ],
    ...[
      '- ',
      '---\n',
      '&a ',
      '*a',
      '!!str ',
      '!x ',
      '|\n',
      '>-\n',
      '#',
      '"',
      "'",
      '\t',
      '\r\n',
      '? ',
      '%YAML 1.1\n',
      '...\n',
      '\u{1f600}',
      '\ud800',
    ],
  )

  test('text that looks like a rule', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fragments, { maxLength: 40 }), (parts) =>
        survives({ name: 'a', text: parts.join('') }),
      ),
      { numRuns: 400 },
    )
  })

  /** A value of any shape in any place of a rule. */
  const values = fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, 0, -1, 1.5, 1e9, '', 'x', '5s', '(', '.a |', 'a b', 'term'),
    fc.array(fc.constantFrom(null, 'x', 1, {}, []), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        'value',
        'regex',
        'jq',
        'count',
        'id',
        'source',
        'set',
        'window',
        'name',
        'toString',
        '__proto__',
      ),
      fc.constantFrom(null, 'x', 2, [], {}),
      {
        maxKeys: 3,
      },
    ),
  )
  const places = [
    'rules',
    'terms',
    'cre',
    'id',
    'severity',
    'metadata',
    'rule',
    'set',
    'event',
    'source',
    'match',
    'negate',
    'window',
    'term',
    'count',
    'extract',
  ] as const

  test('a rule with another value in one of its places', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), values, async (place, value) => {
        const put = (name: string, usual: unknown) => (name === place ? value : usual)
        const term = put('term', {
          value: 'x',
          count: put('count', 2),
          extract: put('extract', [{ name: 'a', regex: 'b' }]),
        })
        const event = put('event', { source: put('source', 'cre.log.x') })
        const set = put('set', {
          event,
          window: put('window', '5s'),
          match: put('match', [term, 'y']),
          negate: put('negate', [{ value: 'z', anchor: 1 }]),
        })
        const cre = put('cre', { id: put('id', 'CRE-2026-0001'), severity: put('severity', 1), tags: ['x'] })
        const rule = { cre, metadata: put('metadata', {}), rule: put('rule', { set }) }
        await survives({
          name: 'a',
          text: JSON.stringify({ terms: put('terms', { term: 'x' }), rules: put('rules', [rule]) }),
        })
      }),
      { numRuns: 400 },
    )
  })

  test('names of properties that every object has', async () => {
    const text =
      'terms: {constructor: {value: x}, __proto__: {value: y}}\nrules:\n- cre: {id: CRE-1, toString: 1}\n  rule: {set: {event: {source: hasOwnProperty}, match: [constructor, {valueOf: x}]}}\n'
    await expect(compileRules([{ name: 'a', text }])).rejects.toMatchObject({ problems: [{ code: 'unknown-key' }] })
  })

  test('a chain of very many terms', async () => {
    const chain = Array.from({ length: 20_000 }, (_, i) => `  t${i}: t${i + 1}\n`).join('')
    const text = `terms:\n${chain}rules:\n- cre:\n    id: CRE-1\n  rule:\n    set:\n      event:\n        source: x\n      match:\n      - t0\n`
    const { conditions } = await compileRules([{ name: 'a', text }])
    expect(conditions.map((condition) => condition.text)).toEqual(['t20000'])
  })

  test('very many mistakes', async () => {
    const text = `rules:\n${'- x\n'.repeat(50_000)}`
    const error = await compileRules([{ name: 'a', text }]).catch((reason: unknown) => reason)
    expect((error as RulesError).problems).toHaveLength(10_000)
  })
})
