import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { hasShared, sharedFolder } from '../../test/contract.js'
import { compileRules } from './compile.js'
import type { CompiledRule, CompiledRules } from './compiled.js'

const load = (text: string): Promise<CompiledRules> => compileRules([{ name: 'rules.yaml', text }])

const rule = (body: string, cre = '{id: CRE-2026-0001}', metadata = '{}') =>
  `rules:\n  - cre: ${cre}\n    metadata: ${metadata}\n    rule: {${body}}\n`
const set = (body: string) => rule(`set: {event: {source: cre.log.x}, ${body}}`)

/** The conditions of a rule as strings. */
function conditionsOf({ conditions }: CompiledRules, { terms, negate }: CompiledRule) {
  const text = (number: number) => `${conditions[number]!.kind} ${conditions[number]!.text}`
  return {
    terms: terms.map(({ condition, count }) => `${count} x ${text(condition)}`),
    negate: negate.map(({ condition }) => text(condition)),
  }
}

async function loadOne(text: string) {
  const rules = await load(text)
  expect(rules.rules).toHaveLength(1)
  return { ...rules.rules[0]!, ...conditionsOf(rules, rules.rules[0]!), all: rules }
}

describe('a set or sequence', () => {
  test('has its source, kind, window and conditions', async () => {
    const text = rule(
      'sequence: {event: {source: cre.log.kafka}, window: 1m30s, order: [a, {regex: b+}, {jq: .c}], negate: [d]}',
    )
    const { rules, conditions } = await load(text)
    expect(rules).toMatchObject([
      {
        source: 'cre.log.kafka',
        kind: 'sequence',
        window: 90_000_000_000n,
        terms: [
          { condition: 0, count: 1, extract: [] },
          { condition: 1, count: 1 },
          { condition: 2, count: 1 },
        ],
        negate: [{ condition: 3, window: 0n, slide: 0n, anchor: 0, absolute: false }],
      },
    ])
    expect(conditions.map(({ kind, text }) => [kind, text])).toEqual([
      ['literal', 'a'],
      ['regex', 'b+'],
      ['jq', '.c'],
      ['literal', 'd'],
    ])
  })

  test('counts identical conditions of a set as one, wherever they are', async () => {
    const { terms } = await loadOne(set('window: 5s, match: [a, b, {value: a, count: 2}, {regex: a}]'))
    expect(terms).toEqual(['3 x literal a', '1 x literal b', '1 x regex a'])
  })

  test('counts identical conditions of a sequence as one where they are adjacent', async () => {
    const { terms } = await loadOne(
      rule('sequence: {event: {source: x}, window: 5s, order: [a, a, b, {value: a, count: 2}, a]}'),
    )
    expect(terms).toEqual(['2 x literal a', '1 x literal b', '3 x literal a'])
  })

  test('has the options of negate entries', async () => {
    const { rules } = await load(
      set('match: [a], negate: [{value: b, window: -1s, slide: -250ms, anchor: 0, absolute: true}]'),
    )
    expect(rules[0]!.negate).toEqual([
      { condition: 1, window: -1_000_000_000n, slide: -250_000_000n, anchor: 0, absolute: true },
    ])
  })

  test('keeps the values to extract, each once where conditions are joined', async () => {
    const one = '{value: a, extract: [{name: x, regex: "(b)"}]}'
    const two = '{value: a, extract: [{name: x, regex: "(b)"}, {name: y, jq: .c}]}'
    const { rules } = await load(set(`window: 5s, match: [${one}, ${two}]`))
    expect(rules[0]!.terms[0]!.extract).toEqual([
      { name: 'x', kind: 'regex', text: '(b)' },
      { name: 'y', kind: 'jq', text: '.c' },
    ])
  })

  test('reads numbers and booleans as the string that was typed', async () => {
    const { terms } = await loadOne(set('window: 5s, match: [502, {value: true}, {regex: 0x1F}, {value: 1.50}]'))
    expect(terms).toEqual(['1 x literal 502', '1 x literal true', '1 x regex 0x1F', '1 x literal 1.50'])
  })

  test('may have 64 conditions, and an identical one any number of times', async () => {
    const different = Array.from({ length: 64 }, (_, i) => `t${i}`)
    const { rules } = await load(set(`window: 5s, match: [${[...different, ...different]}]`))
    expect(rules[0]!.terms).toHaveLength(64)
  })

  test('counts as a sequence when the rule has both, and a warning says so', async () => {
    const event = 'event: {source: x}'
    const both = await load(rule(`set: {${event}, match: [a]}, sequence: {${event}, window: 1s, order: [b, c]}`))
    expect(both.rules[0]!.kind).toBe('sequence')
    expect(both.warnings).toMatchObject([
      { line: 4, column: 12, creId: 'CRE-2026-0001', message: expect.stringMatching(/the sequence counts/) },
    ])
  })

  test('shares conditions with other rules', async () => {
    const { conditions, rules } = await load(`${set('match: [a]')}---\n${set('match: [a]').replace('0001', '0002')}`)
    expect(conditions).toHaveLength(1)
    expect(rules.map(({ terms }) => terms[0]!.condition)).toEqual([0, 0])
  })
})

describe('a named term', () => {
  test('is replaced by its condition, as a string and as a value', async () => {
    const { terms, all } = await loadOne(
      `terms: {fail: {regex: fail(ed|ure), count: 2}}\n${set('window: 5s, match: [fail, {value: fail, count: 3}, other]')}`,
    )
    expect(terms).toEqual(['5 x regex fail(ed|ure)', '1 x literal other'])
    expect(all.lint).toEqual([])
  })

  test('is known in all documents of its file, also before it is defined', async () => {
    const rules = await load(
      `${set('match: [a]')}---\nterms: {a: {value: b}}\n${set('match: [c]').replace('0001', '0002')}`,
    )
    expect(rules.conditions.map(({ text }) => text)).toEqual(['b', 'c'])
  })

  test('is not known in another file', async () => {
    const rules = await compileRules([
      { name: 'a', text: `terms: {a: b}\n${set('match: [a]')}` },
      { name: 'b', text: set('match: [a]').replace('0001', '0002') },
    ])
    expect(rules.conditions.map(({ text }) => text)).toEqual(['b', 'a'])
  })

  test('may refer to another one; options at the reference take precedence', async () => {
    const terms = 'terms: {a: {value: b, slide: 2s}, b: {value: text, slide: 1s, window: 3s}}'
    const { rules, conditions } = await load(
      `${terms}\n${set('match: [x], negate: [{value: a, absolute: true}, {value: b, window: 9s}]')}`,
    )
    expect(rules[0]!.negate).toEqual([
      { condition: 1, window: 3_000_000_000n, slide: 2_000_000_000n, anchor: 0, absolute: true },
      { condition: 1, window: 9_000_000_000n, slide: 1_000_000_000n, anchor: 0, absolute: false },
    ])
    expect(conditions[1]!.text).toBe('text')
  })

  test('with options of negate entries causes a warning where they have no effect', async () => {
    const { warnings } = await load(`terms: {a: {value: b, slide: 2s}}\n${set('match: [a]')}`)
    expect(warnings).toMatchObject([{ message: expect.stringMatching(/no effect here/), creId: 'CRE-2026-0001' }])
  })

  test('that no rule uses causes a diagnostic for the author', async () => {
    const { warnings, lint } = await load(`terms: {a: b, b: c}\n${set('match: [x]')}`)
    expect(warnings).toEqual([])
    expect(lint).toMatchObject([{ line: 1, column: 9, message: 'the term "a" is used by no rule of this file' }])
  })
})

describe('the description record', () => {
  test('has the fields of the report in its order, and no others', async () => {
    const cre = `{applications: [{version: 3.x, name: Kafka, processName: java, imageUrl: i, extra: 1}], reports: 2, references: [u],
      mitigationScore: 1, mitigation: m, cause: c, impactScore: 5, impact: i, description: d, author: a, tags: [t, 2], category: k, title: 2024, severity: 0,
      id: CRE-2026-0001, unknown: x, generation: }`
    const { rules } = await load(rule('set: {event: {source: a}, match: [x]}', cre))
    expect(JSON.stringify(rules[0]!.cre)).toBe(
      '{"id":"CRE-2026-0001","severity":0,"title":"2024","category":"k","tags":["t","2"],"author":"a","description":"d","impact":"i","impact_score":5,' +
        '"cause":"c","mitigation":"m","mitigation_score":1,"references":["u"],"reports":2,' +
        '"applications":[{"name":"Kafka","version":"3.x","process_name":"java","image_url":"i"}]}',
    )
  })

  test('may be an id alone', async () => {
    expect((await loadOne(set('match: [x]'))).cre).toEqual({ id: 'CRE-2026-0001' })
  })

  test('has a Markdown list where the document has a list of strings', async () => {
    const { cre } = await loadOne(
      rule('set: {event: {source: a}, match: [x]}', '{id: CRE-1, mitigation: [restart, wait], tags: one}'),
    )
    expect(cre).toEqual({ id: 'CRE-1', tags: ['one'], mitigation: '- restart\n- wait' })
  })
})

describe('unknown keys', () => {
  test('cause a warning at the top level and in a rule', async () => {
    const text = `note: 1\n${set('match: [x]')}    owner: me\n`
    const { warnings } = await load(text)
    expect(warnings.map(({ line, message }) => [line, message])).toEqual([
      [1, 'unknown key "note": it is ignored'],
      [6, 'unknown key "owner": it is ignored'],
    ])
  })

  test('cause a diagnostic for the author in cre, metadata and event', async () => {
    const text = rule(
      'set: {event: {source: a, origin: true, sorce: 1}, match: [x]}',
      '{id: CRE-1, titel: x}',
      '{gen: x, strange: 1}',
    )
    const { warnings, lint } = await load(text)
    expect(warnings).toEqual([])
    expect(lint?.map(({ message }) => message)).toEqual([
      'cre: unknown key "titel": did you mean "title"?',
      'metadata.gen is a whole number, not the string "x"',
      'metadata: unknown key "strange": it is ignored',
      'event: unknown key "sorce": did you mean "source"?',
    ])
  })
})

describe('ids', () => {
  const metadata = '{id: 8Vx2aTfbHXQxKd, hash: Qm3aTfbHXQxKd1}'
  const body = 'set: {event: {source: a}, match: [x]}'

  test('are those of the metadata', async () => {
    const { ruleId, ruleHash } = await loadOne(rule(body, undefined, metadata))
    expect([ruleId, ruleHash]).toEqual(['8Vx2aTfbHXQxKd', 'Qm3aTfbHXQxKd1'])
  })

  test('are required on demand', async () => {
    const documents = [{ name: 'a', text: rule(body) }]
    await expect(compileRules(documents, { requireIds: true })).rejects.toMatchObject({
      problems: [
        { code: 'missing', creId: 'CRE-2026-0001', message: expect.stringMatching(/^metadata\.id is missing/) },
        { code: 'missing', message: expect.stringMatching(/^metadata\.hash is missing/) },
      ],
    })
    await expect(
      compileRules([{ name: 'a', text: rule(body, undefined, metadata) }], { requireIds: true }),
    ).resolves.toBeDefined()
  })

  test('that repeat are each reported with the rule that was loaded later', async () => {
    const copy = (id: string) => ({ name: id, text: rule(body, `{id: ${id}}`, metadata) })
    await expect(compileRules([copy('CRE-1'), copy('CRE-2')])).rejects.toMatchObject({
      problems: [
        { file: 'CRE-2', line: 3, creId: 'CRE-2', message: 'duplicate rule hash id=8Vx2aTfbHXQxKd cre=CRE-2' },
        { file: 'CRE-2', line: 3, creId: 'CRE-2', message: 'duplicate rule hash id=Qm3aTfbHXQxKd1 cre=CRE-2' },
      ],
    })
  })

  test('that are derived may not repeat either', async () => {
    const { ruleId } = await loadOne(rule(body))
    const first = { name: 'a', text: rule('set: {event: {source: a}, match: [y]}', '{id: CRE-9}', `{id: ${ruleId}}`) }
    await expect(compileRules([first, { name: 'b', text: rule(body) }])).rejects.toMatchObject({
      problems: [{ file: 'b', line: 2, message: `duplicate rule hash id=${ruleId} cre=CRE-2026-0001` }],
    })
  })
})

describe('documents', () => {
  test('may be compressed with gzip under any name, and have a byte order mark', async () => {
    const text = `\ufeff${set('match: [x]')}`
    const bytes = new Uint8Array(gzipSync(text))
    const { rules, warnings } = await compileRules([{ name: 'rules.yaml', bytes }])
    expect(rules).toHaveLength(1)
    expect(warnings).toEqual([])
  })

  test('carry the package version in a footer', async () => {
    const { version, rules } = await load(`${set('match: [x]')}---\nsection: version\ncontent:\n- version: 1.4.0\n`)
    expect([version, rules.length]).toEqual(['1.4.0', 1])
    expect((await load('section: version\ncontent: [{version: 1.4.0}]\n')).rules).toEqual([])
    expect((await load(set('match: [x]'))).version).toBeUndefined()
  })

  test('may have unknown sections, with a warning', async () => {
    const { warnings } = await load(`section: other\n${set('match: [x]')}`)
    expect(warnings).toMatchObject([{ message: 'unknown section "other": known is version' }])
  })

  test('may be empty in a stream that has others', async () => {
    expect((await load(`---\n---\n${set('match: [x]')}---\n# end\n`)).rules).toHaveLength(1)
  })

  test('may be an empty list', async () => {
    expect(await compileRules([])).toMatchObject({ rules: [], conditions: [], warnings: [] })
  })

  test('with a literal or regex that ends in a line feed cause a warning', async () => {
    const text =
      'rules:\n- cre: {id: CRE-1}\n  rule:\n    set:\n      event: {source: a}\n      match:\n        - value: |\n            x\n'
    expect((await load(text)).warnings).toMatchObject([
      { line: 7, column: 18, message: expect.stringMatching(/write \|- instead of \|$/) },
    ])
  })
})

describe.runIf(hasShared)('documents in use', () => {
  const folder = join(sharedFolder, 'corpus/cre')
  const names = hasShared ? readdirSync(folder).filter((name) => name !== 'LICENSE') : []
  const documents = names.map((name) => ({ name, text: readFileSync(join(folder, name, 'rule.yaml'), 'utf8') }))

  test('all load together', async () => {
    const { rules, warnings } = await compileRules(documents)
    expect(rules).toHaveLength(119)
    expect(warnings.map(({ creId, message }) => [creId, message])).toEqual([
      ['CRE-2025-0119', 'the rule has a set and a sequence: the sequence counts, the set is ignored'],
    ])
  })

  test('load as one stream with the same result', async () => {
    const stream = documents.map(({ text }) => text).join('\n---\n')
    const [one, many] = [await load(stream), await compileRules(documents)]
    expect(one.rules).toEqual(many.rules)
    expect(one.fingerprint).toBe(many.fingerprint)
  })

  test('of the matching vectors all load', async () => {
    for (const file of ['matching.jsonl', 'matching-edge.jsonl']) {
      const lines = readFileSync(join(sharedFolder, 'conformance', file), 'utf8')
        .trim()
        .split('\n')
      for (const line of lines) expect((await load(JSON.parse(line).rule)).rules).toHaveLength(1)
    }
  })
})
