import { describe, expect, test } from 'vitest'
import { importRules } from './cache/import.js'
import { compileRules } from './compile.js'
import { PROBLEM_CODES, type ProblemCode, RulesError } from './error.js'

async function problemsOf(...texts: readonly string[]): Promise<RulesError['problems']> {
  const documents = texts.map((text, i) => ({ name: `${i}.yaml`, text }))
  const error = await compileRules(documents).catch((reason: unknown) => reason)
  if (error instanceof RulesError) return error.problems
  throw new Error(`not refused: ${error}`)
}

const rule = (body: string, cre = '{id: CRE-2026-0001}', metadata = '{}') =>
  `rules:\n  - cre: ${cre}\n    metadata: ${metadata}\n    rule: {${body}}\n`
const set = (body: string) => rule(`set: {event: {source: a}, ${body}}`)
const sequence = (body: string) => rule(`sequence: {event: {source: a}, window: 5s, ${body}}`)
const fine = set('match: [x]')

/** One or more documents for every code, with a pattern that the message matches. */
const documents: Readonly<Record<Exclude<ProblemCode, `cache-${string}`>, readonly (readonly [string, RegExp])[]>> = {
  'too-large': [[`#${' '.repeat(64 * 1024 * 1024)}`, /larger than 64 MiB/]],
  'broken-gzip': [],
  'not-text': [['rules: \0', /binary data/]],
  yaml: [
    ['rules: {', /not valid YAML/],
    ['? [a, b]\n: c\nrules: []\n', /a key is a string/],
  ],
  'too-deep': [['['.repeat(100_000), /nested more than 64 levels/]],
  'too-complex': [[aliasBomb(), /aliases of this document repeat too much/]],
  'duplicate-key': [['rules: []\nrules: []\n', /key "rules" occurs twice/]],
  'bad-alias': [
    ['rules: *nowhere\n', /"\*nowhere" names no anchor before it/],
    ['rules: &a [*a]\n', /"\*a" is inside the node that it names/],
  ],
  'bad-merge': [['<<: 5\nrules: []\n', /takes a map, or a list of maps/]],
  'bad-tag': [
    [fine.replace('[x]', '[!foo x]'), /the tag "!foo" has no meaning/],
    [fine.replace('[x]', '[!!int x]'), /"x" does not fit its tag "!!int"/],
    [fine.replace('[x]', '!!set {x}'), /the tag "!!set" has no meaning/],
    [fine.replace('[x]', '!!omap [x]'), /the tag "!!omap" has no meaning/],
  ],
  'empty-document': [
    ['', /is empty/],
    ['# nothing\n---\n', /is empty/],
    ['~', /is empty/],
  ],
  'no-rules': [
    ['terms: {a: x}\n', /has no rules/],
    ['rules: []\n', /the list is empty/],
    ['rules:\n', /has no rules/],
    [`${fine}---\nterms: {a: x}\n`, /has no rules/],
  ],
  'bad-section': [
    ['section: version\n', /content: \[\{version: 1\.2\.3\}\]/],
    ['section: version\ncontent: [{version: new}]\n', /semantic version/],
    ['section: version\ncontent: [{version: 1.2}]\n', /semantic version/],
  ],
  missing: [
    ['rules: [{rule: {set: {event: {source: a}, match: [x]}}}]', /^cre is missing/],
    ['rules: [{cre: {id: CRE-2026-0001}, rule: {}}]', /needs one of them/],
    [rule('set: {event: {}, match: [x]}'), /^event\.source is missing/],
    [rule("set: {event: {source: ''}, match: [x]}"), /^event\.source is missing/],
    [
      rule('set: {event: {source: a}, match: [x]}', '{id: CRE-1, applications: [{version: 3.x}]}'),
      /^application\.name is missing/,
    ],
  ],
  'wrong-type': [
    ['rules: {}', /rules is a list, not a map/],
    ['rules: [5]', /a rule is a map with cre and rule, not 5/],
    ['just text', /not a map but the string "just text"/],
    ['terms: [a]\nrules: []\n', /terms is a map of names and terms, not a list/],
    [rule('set: []'), /set is a map, not a list/],
    [rule('set: {event: kafka, match: [x]}'), /event is a map, not the string "kafka"/],
    [rule('set: {event: {source: [a]}, match: [x]}'), /event\.source is a string, not a list/],
    [set('match: x'), /match is a list of terms, not the string "x"/],
    [set('match: [[x]]'), /a term is a string or a map, not a list/],
    [set('match: [{value: [x]}]'), /value is a string, not a list/],
    [set('match: [x], negate: [{value: y, absolute: yes}]'), /absolute is true or false, not the string "yes"/],
    [set('window: [5s], match: [x, y]'), /window is a duration such as 5s, not a list/],
    [set('match: [{value: x, extract: {}}]'), /extract is a list of maps/],
    [rule('set: {event: {source: a}, match: [x]}', '{id: [CRE-1]}'), /cre\.id is a string, not a list/],
    [rule('set: {event: {source: a}, match: [x]}', '{id: CRE-1, title: {}}'), /cre\.title is a string, not a map/],
    [rule('set: {event: {source: a}, match: [x]}', '{id: CRE-1, tags: [[x]]}'), /cre\.tags is a list of texts/],
    [
      rule('set: {event: {source: a}, match: [x]}', '{id: CRE-1, impactScore: high}'),
      /cre\.impactScore is a number, not the string "high"/,
    ],
    [
      rule('set: {event: {source: a}, match: [x]}', '{id: CRE-1, reports: .inf}'),
      /cre\.reports is a number, not \.inf/,
    ],
    [
      rule('set: {event: {source: a}, match: [x]}', '{id: CRE-1, applications: x}'),
      /cre\.applications is a list of maps with a name/,
    ],
    [
      rule('set: {event: {source: a}, match: [x]}', '{id: CRE-1, applications: [x]}'),
      /an application is a map with a name/,
    ],
    [rule('set: {event: {source: a}, match: [x]}', '{id: CRE-1}', 'none'), /metadata is a map, not the string "none"/],
  ],
  'unknown-key': [
    [set('match: [{valeu: x}]'), /did you mean "value"\?/],
    [set('match: [{value: x, whatever: 1}]'), /unknown key "whatever": known here are value, regex, jq,/],
    [set('match: [x], negat: [y]'), /unknown key "negat": did you mean "negate"\?/],
    [set('order: [x]'), /order belongs to a sequence: a set has match/],
    [sequence('match: [x, y], order: [x, y]'), /match belongs to a set: a sequence has order/],
    [rule('sett: {}'), /unknown key "sett": did you mean "set"\?/],
    [set('match: [{value: x, extract: [{name: a, regexp: b}]}]'), /unknown key "regexp": did you mean "regex"\?/],
  ],
  unsupported: [
    [set('match: [{promql: {expr: up}}]'), /^promql conditions are not supported/],
    [set('match: [{set: {match: [x]}}]'), /^a nested set is not supported/],
    [set('match: [{sequence: {order: [x, y]}}]'), /^a nested sequence is not supported/],
    [set('match: [{script: {code: x}}]'), /^script conditions are not supported/],
    [`terms: {a: {promql: {expr: up}}}\n${fine}`, /^promql conditions are not supported/],
    [set('match: [x], correlations: [host]'), /^correlations are not supported/],
  ],
  'bad-cre-id': [[rule('set: {event: {source: a}, match: [x]}', '{id: CRE}'), /"CRE" is not allowed/]],
  'bad-severity': [
    [rule('set: {event: {source: a}, match: [x]}', '{id: CRE-1, severity: "2"}'), /0 to 4 .*not the string "2"/],
    [rule('set: {event: {source: a}, match: [x]}', '{id: CRE-1, severity: 1.5}'), /0 to 4 .*not 1\.5/],
    [rule('set: {event: {source: a}, match: [x]}', '{id: CRE-1, severity: -1}'), /0 to 4 .*not -1/],
    [rule('set: {event: {source: a}, match: [x]}', '{id: CRE-1, severity: high}'), /0 to 4 .*not the string "high"/],
  ],
  'bad-rule-id': [
    [
      rule('set: {event: {source: a}, match: [x]}', '{id: CRE-1}', '{hash: 0123456789abcdef}'),
      /^metadata\.hash .*no zero/,
    ],
  ],
  'no-conditions': [
    [set('match: []'), /^match is empty/],
    [rule('sequence: {event: {source: a}, window: 5s}'), /^order is missing: a sequence needs/],
  ],
  'too-few-conditions': [[sequence('order: [x]'), /at least two conditions/]],
  'too-many-conditions': [
    [sequence(`order: [${Array.from({ length: 65 }, (_, i) => `t${i}`)}]`), /^65 different conditions/],
  ],
  'bad-duration': [
    [set('window: 5, match: [x, y]'), /^window has no unit/],
    [set('window: -5, match: [x, y]'), /^window has no unit/],
    [set('window: soon, match: [x, y]'), /^window: "soon" is not a duration/],
    [set(`window: ${'9'.repeat(1000)}s, match: [x, y]`), /^window: "9{120}…" is not a duration/],
    [set('match: [x], negate: [{value: y, slide: fast}]'), /^slide: "fast" is not a duration/],
  ],
  'window-missing': [
    [set('match: [x, y]'), /^window is missing/],
    [set('match: [{value: x, count: 2}]'), /^window is missing/],
    [set('match: [x, x]'), /^window is missing/],
  ],
  'window-not-allowed': [[set('window: 5s, match: [x], negate: [y]'), /^window has no meaning with one condition/]],
  'window-not-positive': [[set('window: 0, match: [x, y]'), /^window is zero/]],
  'condition-missing': [[set('match: [{field: message}]'), /no condition/]],
  'condition-conflict': [[set('match: [{value: a, regex: b, jq: .c}]'), /^value and regex and jq together/]],
  'empty-condition': [
    [set("match: ['']"), /^an empty literal/],
    [set('match: [{value: }]'), /^an empty literal/],
    [set("match: [{regex: ''}]"), /^an empty regex/],
    [set("match: [{jq: ' '}]"), /^an empty jq filter/],
    [set('match: [null]'), /^null means no value in YAML: put it in quotes/],
  ],
  'bad-literal': [
    [set('match: ["a\\uD800b"]'), /^literal: it contains half a character/],
    [set(`match: [${'x'.repeat(70_000)}]`), /^literal: longer than 65536 characters/],
  ],
  'bad-regex': [
    [set('match: [{regex: "a("}]'), /^regex: /],
    [set(`match: [{regex: ${'x'.repeat(1_000_000)}}]`), /^regex: longer than 65536 characters/],
    [set('match: [{value: x, extract: [{name: a, regex: "("}]}]'), /^regex: /],
    [`terms: {unused: {regex: "("}}\n${fine}`, /^regex: /],
  ],
  'bad-jq': [[set("match: [{jq: '.a | '}]"), /^jq filter: /]],
  'bad-count': [
    [set('match: [{value: x, count: 0}]'), /at least 1, not 0/],
    [set('match: [{value: x, count: 1.5}]'), /not 1\.5/],
    [set('match: [{value: x, count: "2"}]'), /not the string "2"/],
    [set('match: [{value: x, count: 100001}]'), /at most 100000/],
  ],
  'bad-extract': [
    [set('match: [{value: x, extract: [a]}]'), /a map with a name and a regex or jq/],
    [set('match: [{value: x, extract: [{regex: a}]}]'), /needs a name/],
    [set('match: [{value: x, extract: [{name: 1st, regex: a}]}]'), /the name "1st" is not allowed/],
    [set('match: [{value: x, extract: [{name: a}]}]'), /exactly one of regex and jq/],
    [set('match: [{value: x, extract: [{name: a, regex: b, jq: .c}]}]'), /exactly one of regex and jq/],
    [set("match: [{value: x, extract: [{name: a, regex: ''}]}]"), /not empty/],
    [set('match: [{value: x, extract: [{name: a, regex: b}, {name: a, regex: c}]}]'), /"a" is used twice/],
  ],
  'negate-only': ['window: 1s', 'slide: 1s', 'anchor: 0', 'absolute: true'].map((option) => [
    set(`match: [{value: x, ${option}}]`),
    new RegExp(`^${option.split(':')[0]} belongs to the entries of negate`),
  ]),
  'negate-count': [
    [set('match: [x], negate: [{value: y, count: 2}]'), /^count above 1/],
    [`terms: {a: {value: y, count: 2}}\n${set('match: [x], negate: [a]')}`, /^count above 1/],
  ],
  'negate-extract': [
    [set('match: [x], negate: [{value: y, extract: [{name: a, regex: b}]}]'), /^extract has no meaning/],
  ],
  'bad-anchor': [
    [set('match: [x], negate: [{value: y, anchor: 1}]'), /^anchor 1 is too high: it is below 1/],
    [set('window: 5s, match: [{value: x, count: 3}], negate: [{value: y, anchor: 3}]'), /below 3/],
    [set('match: [x], negate: [{value: y, anchor: first}]'), /^anchor is a whole number/],
  ],
  'duplicate-term': [[`terms: {a: x}\n${fine}---\nterms: {a: x}\n${fine.replace('0001', '0002')}`, /defined twice/]],
  'term-cycle': [
    [`terms: {a: a}\n${fine}`, /"a" refers to itself/],
    [`terms: {a: b, b: {value: c}, c: a}\n${fine}`, /"a" and "b" and "c" refer to each other/],
  ],
  'duplicate-rule': [[`${fine}---\n${fine}`, /^duplicate rule hash id=CRE-2026-0001 cre=CRE-2026-0001$/]],
}

function aliasBomb(): string {
  const levels = Array.from({ length: 30 }, (_, i) => `  l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`)}]\n`)
  return `rules: []\nterms:\n  l0: &l0 [x]\n${levels.join('')}`
}

describe('each problem has its code and a message', () => {
  for (const [code, cases] of Object.entries(documents)) {
    for (const [number, [text, message]] of cases.entries()) {
      test(`${code} ${number + 1}`, async () => {
        const problems = await problemsOf(text)
        expect(problems.map((problem) => [problem.code, problem.message])).toContainEqual([
          code,
          expect.stringMatching(message),
        ])
        for (const problem of problems) expect(problem.code in PROBLEM_CODES).toBe(true)
      })
    }
  }

  test('broken-gzip', async () => {
    const bytes = Uint8Array.of(0x1f, 0x8b, 8, 0, 1, 2, 3)
    await expect(compileRules([{ name: 'a.gz', bytes }])).rejects.toMatchObject({
      code: 'broken-gzip',
      message: expect.stringMatching(/^a\.gz:1:1: starts like gzip but cannot be unpacked/),
    })
  })

  test('cache-broken and cache-version', () => {
    expect(() => importRules('{')).toThrow(expect.objectContaining({ code: 'cache-broken' }))
    expect(() => importRules('{"format":"omen-rules","formatVersion":0}')).toThrow(
      expect.objectContaining({ code: 'cache-version' }),
    )
  })

  test('every code is tested here', () => {
    const tried = [...Object.keys(documents), 'cache-broken', 'cache-version']
    expect(tried.sort()).toEqual(Object.keys(PROBLEM_CODES).sort())
  })
})

describe('a RulesError', () => {
  test('has all problems of all documents, in reading order', async () => {
    const two = set('match: [{valeu: x}, {regex: "("}], negate: [{value: y, count: 5}]').replace(
      '{id: CRE-2026-0001}',
      '{id: CRE-2026-0002, severity: 7}',
    )
    const problems = await problemsOf('rules: []', two, fine, fine)
    expect(problems.map(({ file, line, code }) => `${file}:${line} ${code}`)).toEqual([
      '0.yaml:1 no-rules',
      '1.yaml:2 bad-severity',
      '1.yaml:4 unknown-key',
      '1.yaml:4 bad-regex',
      '3.yaml:2 duplicate-rule',
    ])
  })

  test('has one line for each problem, with file, line, column and rule', async () => {
    const text = set('match: [x, y]')
    const error = await compileRules([{ name: 'kafka.yaml', text }]).catch((reason: unknown) => reason)
    expect((error as Error).message).toBe(
      'kafka.yaml:4:12: CRE-2026-0001: window is missing: a set with more than one condition needs one, such as 5s',
    )
  })

  test('shows the first hundred problems and counts the others', async () => {
    const text = set(`window: 5s, match: [${Array(150).fill('{valeu: x}')}]`)
    const error = await compileRules([{ name: 'a', text }]).catch((reason: unknown) => reason)
    const lines = (error as Error).message.split('\n')
    expect(lines).toHaveLength(101)
    expect(lines.at(-1)).toBe('and 50 more problems')
  })
})

describe('a mistake in a pattern is reported at its character', () => {
  const places: Readonly<Record<string, readonly [string, number, number]>> = {
    plain: ['- regex: ab(', 8, 22],
    'single quotes': ["- regex: 'it''s ab('", 8, 29],
    'double quotes': ['- regex: "a\\"\\u0041 b("', 8, 32],
    'a literal block': ['- regex: |-\n                aa\n                bb(', 10, 19],
  }
  for (const [name, [term, line, column]] of Object.entries(places)) {
    test(name, async () => {
      const text = `rules:\n  - cre:\n      id: CRE-2026-0001\n    rule:\n      set:\n        event: {source: a}\n        match:\n          ${term}\n`
      expect(await problemsOf(text)).toMatchObject([{ code: 'bad-regex', line, column }])
    })
  }

  test('a mistake with an unknown offset is reported at the start of the pattern, with the number of the character', async () => {
    const text = fine.replace('[x]', "[{regex: 'a\n        b('}]")
    const [problem] = await problemsOf(text)
    expect(problem).toMatchObject({ line: 4, message: expect.stringMatching(/\(at character 4 of the regex\)$/) })
  })
})
