import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { program, useFolder } from './omen.js'
import { RULES_FOLDER } from './rules-context.js'

const folder = useFolder()

function rule(id: string, text: string, metadata = ''): string {
  return `rules:
  - cre: { id: ${id}, severity: 1, title: ${text} }
    ${metadata}
    rule: { set: { event: { source: cre.log.shop }, match: ["${text}"] } }
`
}

/** The number of rules in the built tool and in this repository. */
const bundled = readFileSync(join(dirname(program), 'rules.yaml'), 'utf8').match(/^ {2}- cre:/gm)!.length
const written = readdirSync(RULES_FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory()).length

const LINE = '2026-03-01T12:00:01Z paper low\n'
const found = (out: string) => out.split('\n').flatMap((line) => /^\S+-\d+ (?=\w+ \[)/.exec(line)?.[0].trim() ?? [])

describe('the rules of a run', () => {
  it('are community rules, rules.paths and -r; -r may be repeated and may name a folder', () => {
    folder.write('config/config.yaml', 'rules:\n  paths: [own.yaml]\n')
    folder.write('config/own.yaml', rule('OWN-1', 'paper low'))
    folder.write('given/a.yaml', rule('GIVEN-1', 'paper'))
    folder.write('given/deep/b.yaml.gz', gzipSync(rule('GIVEN-2', 'low')))
    folder.write('single.yaml', rule('SINGLE-1', 'r low'))
    const { out, err, status } = folder.omen(['-o', '', '-r', 'given', '-r', 'single.yaml'], LINE)
    expect([status, err]).toEqual([0, ''])
    expect(found(out).sort()).toEqual(['GIVEN-1', 'GIVEN-2', 'OWN-1', 'SINGLE-1'])
    expect(out).toContain(`Parsing rules done! [${bundled + 4} rules `)
    folder.remove('config/config.yaml')
  })

  it('must not be empty with only -d', () => {
    const { out, err, status } = folder.omen(['-d'], LINE)
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(/^Rules error: no rules to run/)
  })

  it.each([
    ['nowhere.yaml', /^Rules error: nowhere\.yaml: no such file or folder\n$/],
    ['empty', /^Rules error: empty: no rule documents \(\.yaml, \.yml\) in this folder\n$/],
  ])('cannot be read for -r %s', (path, message) => {
    folder.write('empty/readme.txt', '')
    const { status, err } = folder.omen(['-r', path], LINE)
    expect(status).toBe(1)
    expect(err).toMatch(message)
  })

  it('are a package in the configuration folder if it is newer or pinned', () => {
    const footer = (version: string) => `---\nsection: version\ncontent: [{ version: ${version} }]\n`
    for (const version of ['7.0.0', '8.0.0']) {
      const text = rule(`PACKAGE-${version[0]}`, 'paper low', 'metadata: { id: aaaaaaaaaaaa, hash: bbbbbbbbbbbb }')
      folder.write(`config/omen-public-cre-rules.${version}.c0ffee.yaml.gz`, gzipSync(text + footer(version)))
    }
    expect(found(folder.omen(['-o', ''], LINE).out)).toEqual(['PACKAGE-8'])
    folder.write('config/config.yaml', 'rulesVersion: 7.0.0\n')
    expect(found(folder.omen(['-o', ''], LINE).out)).toEqual(['PACKAGE-7'])
    folder.write('config/config.yaml', 'rulesVersion: 6.0.0\n')
    const { err, status } = folder.omen(['-o', ''], LINE)
    expect([status, err]).toEqual([
      0,
      expect.stringMatching(/^Warning: rulesVersion: package 6\.0\.0 is not installed/),
    ])
    for (const name of readdirSync(folder.path('config'))) if (name !== 'cache') folder.remove(`config/${name}`)
  })
})

describe('rules that cannot be loaded', () => {
  it('with a duplicate hash are reported with the fixed message, after a log line', () => {
    const hash = 'metadata: { hash: Qm3aTfbHXQxKd1 }'
    folder.write('one.yaml', rule('SHOP-0001', 'one', hash))
    folder.write('two.yaml', rule('SHOP-0002', 'two', hash))
    const { status, out, err } = folder.omen(['-r', 'one.yaml', '-r', 'two.yaml'], LINE)
    const lines = err.trimEnd().split('\n')
    expect([status, out]).toEqual([1, ''])
    expect(lines[0]).toMatch(
      /^\d{4}-\d\d-\d\dT\S+ ERR \S+\.ts:\d+ > duplicate rule hash id=Qm3aTfbHXQxKd1 cre=SHOP-0002/,
    )
    expect(lines.at(-1)).toBe('Rules error: duplicate rule hash id=Qm3aTfbHXQxKd1 cre=SHOP-0002')
  })

  it('are reported with their position', () => {
    folder.write('broken.yaml', 'rules:\n  - cre: { id: SHOP-0001 }\n    rule: { sett: {} }\n')
    const { status, err } = folder.omen(['-r', 'broken.yaml'], LINE)
    expect(status).toBe(1)
    expect(err).toContain('\nRules error: broken.yaml:3:13: SHOP-0001: unknown key "sett": did you mean "set"?\n')
  })
})

describe('the cache', () => {
  it('is created in the configuration folder, and created again if it is damaged', () => {
    folder.write('own.yaml', rule('OWN-1', 'paper low'))
    const run = () => found(folder.omen(['-o', '', '-d', '-r', 'own.yaml'], LINE).out)
    folder.remove('config/cache')
    expect(run()).toEqual(['OWN-1'])
    const [name] = readdirSync(folder.path('config/cache')).filter((file) => file.endsWith('.rules'))
    const good = readFileSync(folder.path(`config/cache/${name}`))
    folder.write(`config/cache/${name}`, good.subarray(0, good.length - 20))
    expect(run()).toEqual(['OWN-1'])
    expect(readFileSync(folder.path(`config/cache/${name}`))).toEqual(good)
  })
})

describe('the verbs about rules', () => {
  it('explain bundled rules and rules of -r', () => {
    folder.write('own.yaml', rule('OWN-1', 'paper low'))
    const { status, out, err } = folder.omen(['explain', '10001', 'own-1', '-r', 'own.yaml'])
    expect([status, err]).toEqual([0, ''])
    expect(out).toMatch(/^CRE-2026-10001 {2}high\n/)
    expect(out).toContain('\nOWN-1  high\npaper low\n')
  })

  it('show a rule so that it can be run again', () => {
    folder.write('copy.yaml', folder.omen(['rules', 'show', '10001']).out)
    const { out } = folder.omen(['-d', '-r', 'copy.yaml', 'rules', 'list', '--ids'])
    expect(out).toBe('CRE-2026-10001\n')
  })

  it('create a rule and test it', () => {
    expect(folder.omen(['rules', 'new', 'ACME-7']).out).toContain('Try it: omen rules test acme-7\n')
    expect(folder.omen(['rules', 'test', 'acme-7']).out).toMatch(/\n1 rule passed, 0 failed\n$/)
    expect(folder.omen(['rules', 'lint', 'acme-7'])).toMatchObject({ status: 0, err: '' })
    const again = folder.omen(['rules', 'new', 'ACME-7'])
    expect([again.status, again.err]).toEqual([
      1,
      expect.stringMatching(/^Output error: acme-7\/rule\.yaml already exists/),
    ])
  })

  it('test the rules of this repository', () => {
    const { status, out } = folder.omen(['rules', 'test', RULES_FOLDER])
    expect([status, out.split('\n').at(-2)]).toEqual([0, `${written} rules passed, 0 failed`])
  })

  it('read compressed documents and logs', () => {
    folder.omen(['rules', 'new', 'ACME-8'])
    for (const name of ['rule.yaml', 'hit.log', 'miss.log']) {
      folder.write(`packed/${name}.gz`, gzipSync(readFileSync(folder.path(`acme-8/${name}`))))
    }
    expect(folder.omen(['rules', 'test', 'packed']).out).toMatch(/\n1 rule passed, 0 failed\n$/)
    expect(folder.omen(['rules', 'lint', 'packed']).out).toBe('1 document with 1 rule: no errors or warnings\n')
  })

  it('print the schema for editors, to which a new rule then refers', () => {
    folder.write('team/rule.schema.json', folder.omen(['rules', 'schema']).out)
    folder.omen(['rules', 'new', 'ACME-9', 'team/acme-9'])
    const [first] = readFileSync(folder.path('team/acme-9/rule.yaml'), 'utf8').split('\n', 1)
    expect(first).toBe('# yaml-language-server: $schema=../rule.schema.json')
    expect(folder.omen(['rules', 'test', 'team']).status).toBe(0)
  })

  it('fail with 1, and print nothing to standard output', () => {
    folder.write('bad/rule.yaml', 'rules: [')
    expect(folder.omen(['rules', 'lint', 'bad']).status).toBe(1)
    expect(folder.omen(['rules', 'test', 'bad']).status).toBe(1)
    expect(folder.omen(['rules', 'show', 'CRE-1', '--json'])).toMatchObject({ status: 1, out: '[]\n' })
    expect(folder.omen(['rules', 'new']).status).toBe(2)
  })
})
