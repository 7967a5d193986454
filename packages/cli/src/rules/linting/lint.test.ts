import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { RULES_FOLDER, useRules } from '../../../test/rules-context.js'
import { lintRules } from './lint.js'

const folder = useRules()
const lint = (...operands: string[]) => folder.run((context) => lintRules({ operands }, context))

const COMPLETE = 'severity: 1, title: Full, cause: a, mitigation: b'

/** A rule in the file shop.yaml, with `more` in its set, linted. */
async function findingsFor(match: string, cre = COMPLETE, more = '') {
  const path = folder.write(
    'shop.yaml',
    `rules:
  - cre: { id: SHOP-0001, ${cre} }
    rule:
      set:
        event: { source: cre.log.shop }
        match: ${match}
${more}`,
  )
  const { out } = await folder.run((context) => lintRules({ operands: [path], json: true }, context))
  const findings: { level: string; line: number; column: number; message: string }[] = JSON.parse(out)
  return findings.map(({ level, line, column, message }) => `${line}:${column}: ${level}: ${message}`)
}

describe('omen rules lint', () => {
  it('finds no errors or warnings in the rules of this repository', async () => {
    const { code, out } = await lint(RULES_FOLDER)
    expect(out).toMatch(/^(\d+) documents with \1 rules: no errors or warnings\n$/)
    expect(code).toBe(0)
  })

  it('shows the position and source line of every error, and fails', async () => {
    const path = folder.write(
      'broken.yaml',
      `rules:
  - cre: { id: SHOP-0001, ${COMPLETE} }
    rule:
      set:
        event: { source: cre.log.shop }
        match: [{ regex: 'lost (.*' }]
        wnidow: 5s
`,
    )
    const { code, out } = await lint(path)
    expect(code).toBe(1)
    expect(out).toBe(`${path}:6:32: error: regex: missing closing ) (SHOP-0001)
    6 |         match: [{ regex: 'lost (.*' }]
      |                                ^
${path}:7:9: error: unknown key "wnidow": did you mean "window"? (SHOP-0001)
    7 |         wnidow: 5s
      |         ^
1 document with 1 rule: 2 errors
`)
  })

  it.each([
    [
      'function',
      '.msg | contians("x")',
      '6:31: error: jq filter: the function contians/1 does not exist; did you mean contains/1?',
    ],
    ['variable', '.msg == $text', '6:32: error: jq filter: the variable $text does not exist'],
    ['label', '.msg | break $out', '6:31: error: jq filter: there is no label $out to break to'],
  ])('fails for a %s of jq that does not exist, as the scan does', async (_, filter, finding) => {
    expect(await findingsFor(`[{ jq: '${filter}' }]`)).toEqual([finding])
  })

  it('succeeds if there are only warnings', async () => {
    const path = folder.write(
      'bare.yaml',
      'rules:\n  - cre: { id: SHOP-0001 }\n    rule: { set: { event: { source: a }, match: [oops] } }\n',
    )
    const { code, out } = await lint(path)
    expect(code).toBe(0)
    expect(out).toContain(
      `${path}:2:5: warning: cre has no title, no cause, no mitigation: the engineer on call needs to know what happened, why, and what to do (SHOP-0001)\n`,
    )
    expect(out).toContain('warning: cre has no severity, so it is critical by default')
    expect(out).toMatch(/1 document with 1 rule: 2 warnings\n$/)
  })

  it('fails for warnings with --strict', async () => {
    const path = folder.write(
      'strict.yaml',
      'rules:\n  - cre: { id: SHOP-0001 }\n    rule: { set: { event: { source: a }, match: [oops] } }\n',
    )
    const { code } = await folder.run((context) => lintRules({ operands: [path], strict: true }, context))
    expect(code).toBe(1)
    expect((await folder.run((context) => lintRules({ operands: [RULES_FOLDER], strict: true }, context))).code).toBe(0)
  })

  it('shows warnings of invalid documents as well, and of all others', async () => {
    folder.write('tree/a.yaml', 'rules: [{cre: {')
    folder.write('tree/b.yaml', 'rules:\n  - cre: { id: SHOP-0001 }\n    rule: {}\n')
    const { code, out } = await lint(folder.path('tree'))
    expect(code).toBe(1)
    expect(out).toContain('a.yaml:1:16: error: not valid YAML')
    expect(out).toContain('b.yaml:2:5: warning: cre has no title')
    expect(out).toContain('b.yaml:3:5: error: rule has no set and no sequence')
  })

  it('finds duplicate identifiers in several documents', async () => {
    const rule = `rules: [{ cre: { id: SHOP-0001, ${COMPLETE} }, rule: { set: { event: { source: a }, match: [oops] } } }]\n`
    const first = folder.write('twice/a.yaml', rule)
    const path = folder.write('twice/b.yaml', rule)
    const { out } = await lint(folder.path('twice'))
    expect(out).toContain(
      `${path}:1:22: error: duplicate rule hash id=SHOP-0001 cre=SHOP-0001: first in ${first}:1:22\n`,
    )
  })

  it('ignores other YAML files in a folder, but not a named document', async () => {
    folder.write('project/compose.yaml', 'services: {}\n')
    folder.write('project/role.yaml', 'kind: Role\nrules:\n  - apiGroups: [""]\n')
    folder.write('project/rule.yaml', `rules: [{ cre: { id: SHOP-0001, ${COMPLETE} }, rule: {} }]`)
    expect((await lint(folder.path('project'))).out).toContain('1 document with 1 rule')
    expect((await lint(folder.path('project/compose.yaml'))).out).toContain('error: the document has no rules')
    folder.write('other/compose.yaml', 'services: {}\n')
    await expect(lint(folder.path('other'))).rejects.toThrow('no YAML file in this folder contains rules')
  })

  it('reads compressed packages', async () => {
    const path = folder.write('package.yaml.gz', gzipSync('rules:\n  - cre: { id: SHOP-0001 }\n    rule: {}\n'))
    expect((await lint(path)).out).toContain('    3 |     rule: {}\n      |     ^\n')
  })
})

describe('there is a warning about', () => {
  it.each([
    ['a literal that is too short', '[ab]', '"ab" is so short that many entries contain it: use a longer string'],
    ['a literal that looks like a pattern', "['lost .* connection']", 'looks like a pattern but is a literal string'],
    ['a regex that matches everything', "[{regex: '.*'}]", 'the regex matches every entry'],
    ['a regex without a fixed text', "[{regex: '[0-9]{3}'}]", 'the regex has no literal string'],
    ['a filter that is met by everything', '[{jq: \'.level != "debug"\'}]', 'the filter matches even {}'],
  ])('%s', async (_, match, message) => {
    const findings = await findingsFor(match)
    expect(findings).toHaveLength(1)
    expect(findings[0]).toContain(`warning: ${message}`)
    expect(findings[0]).toMatch(/^6:/)
  })

  it('a name that does not exist in a jq function that is never called, at its position', async () => {
    const findings = await findingsFor(`[{jq: 'def old: .age > $limit; .level == "fatal"'}]`)
    expect(findings).toContain('6:39: warning: jq filter: the variable $limit does not exist (old/0 is never called)')
  })

  it('a function of jq that is of no use in a rule, also where a value is extracted', async () => {
    const findings = await findingsFor(`[{value: disk full, extract: [{name: host, jq: 'env.HOST'}]}]`)
    expect(findings).toEqual([
      '6:64: warning: jq filter: env is always empty: a rule does not depend on the environment',
    ])
  })

  it('a filter that a scan would switch off', async () => {
    expect(await findingsFor("[{jq: 'def f: f; f'}]")).toEqual([
      '6:22: warning: the jq filter reached its limit 3 times and is switched off for the rest of the run',
    ])
  })

  it('a rule that can never fire', async () => {
    const findings = await findingsFor('[disk full]', COMPLETE, '        negate: [disk full]\n')
    expect(findings).toEqual(['3:5: warning: the rule can never fire: it negates one of its own conditions'])
    const later = '        negate: [{ value: disk full, slide: 1s, window: 1m }]\n'
    expect(await findingsFor('[disk full]', COMPLETE, later)).toEqual([])
  })

  it('a reference that is not a link', async () => {
    const findings = await findingsFor(
      '[disk full]',
      `${COMPLETE}, references: [see the wiki, "https://example.com/a"]`,
    )
    expect(findings).toEqual([expect.stringContaining('a reference must be a link that starts with https://')])
  })

  it('the condition of a named term, at its position', async () => {
    const findings = await findingsFor('[any]', COMPLETE, 'terms:\n  any: { regex: ".+" }\n')
    expect(findings).toEqual([expect.stringMatching(/^8:17: warning: the regex matches every entry/)])
  })

  it('a rule.yaml without logs, or in the folder of another rule', async () => {
    folder.write(
      'cre-2026-1/rule.yaml',
      `rules: [{cre: {id: CRE-2026-2, ${COMPLETE}}, rule: {set: {event: {source: a}, match: [oops]}}}]`,
    )
    const { out } = await lint(folder.path('cre-2026-1'))
    expect(out).toContain('warning: no hit.log in this folder')
    expect(out).toContain('warning: no miss.log in this folder')
    expect(out).toContain('warning: the folder is named cre-2026-1: name it after the id of the rule')
  })
})

describe('an excerpt', () => {
  it('is cut around the caret to the width, and cannot control the terminal', async () => {
    const path = folder.write(
      'wide.yaml',
      `rules:\n  - {cre: {id: SHOP-0001, title: "日本${'x'.repeat(300)}\u0085"}, rule: {sett: 1}}\n`,
    )
    const { out } = await folder.run((context) => lintRules({ operands: [path] }, context), { columns: 60 })
    const lines = out.split('\n')
    const index = lines.findIndex((line) => line.includes('unknown key "sett"'))
    const [source, mark] = [lines[index + 1]!, lines[index + 2]!]
    expect(source.length).toBeLessThanOrEqual(60)
    expect(source.slice(mark.indexOf('^'))).toMatch(/^sett: 1/)
  })

  it('marks the right character after wide ones and tabs', async () => {
    const path = folder.write('tabs.yaml', "rules:\n  - {cre: {id: SHOP-0001, title: '日本\t語'}, rule: {sett: 1}}\n")
    const { out } = await lint(path)
    const [source, mark] = out.split('\n').slice(-4, -2)
    // Three characters are two columns wide.
    expect(mark!.indexOf('^') - source!.indexOf('sett')).toBe(3)
  })
})
