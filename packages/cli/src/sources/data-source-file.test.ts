import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { compileRules } from '@omen/engine'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dataSourceTemplate } from '../templates/data-sources.js'
import { type DataSourceFile, readDataSourceFile } from './data-source-file.js'

let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'omen-sources-'))
  path = join(folder, 'sources.yaml')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const env = { HOME: '/home/ada' }

function read(text: string | Uint8Array): Promise<DataSourceFile> {
  writeFileSync(path, text)
  return readDataSourceFile(path, env)
}

async function problemsOf(reading: Promise<DataSourceFile>): Promise<string[]> {
  const failure = await reading.catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'Failure', kind: 'Data', exitCode: 1 })
  return (failure as Error).message.split('\n').map((line) => line.replace(`${folder}/`, ''))
}

const namesOf = async (text: string) => (await read(text)).sources.map(({ name }) => name)

test('reads sources; the settings of a location override those of its source', async () => {
  const { version, sources, warnings } = await read(`\
version: 0.1.0
sources:
  - name: broker            # shown in progress lines
    type: cre.log.kafka
    desc: the three brokers
    window: 5m
    timezone: Europe/Berlin
    timestamp: {regex: '^\\[(.+?)\\]', format: '2006-01-02 15:04:05,000'}
    locations:
      - path: /var/log/kafka/*.log
      - path: old/*.gz
        desc: rotated
        window: off
        timezone: +02:00
        timestamp:
          regex: '^(\\S+ \\S+)'
          format: 'Jan _2 15:04:05'
      - path: ~/kafka
  - type: "*"
    locations:
      - path: '-'
`)
  expect(warnings).toEqual([])
  expect(version).toBe('0.1.0')
  const berlin = 'Europe/Berlin'
  const kafka = { regex: '^\\[(.+?)\\]', format: '2006-01-02 15:04:05,000' }
  expect(sources).toEqual([
    {
      name: 'broker',
      type: 'cre.log.kafka',
      desc: 'the three brokers',
      window: 300_000_000_000n,
      locations: [
        { path: '/var/log/kafka/*.log', timestamp: kafka, timezone: berlin, window: 300_000_000_000n, desc: undefined },
        {
          path: join(folder, 'old/*.gz'),
          timestamp: { regex: '^(\\S+ \\S+)', format: 'Jan _2 15:04:05' },
          timezone: '+02:00',
          window: 0n,
          desc: 'rotated',
        },
        { path: '/home/ada/kafka', timestamp: kafka, timezone: berlin, window: 300_000_000_000n, desc: undefined },
      ],
    },
    {
      name: 'source',
      type: '*',
      desc: undefined,
      window: undefined,
      locations: [{ path: '-', timestamp: undefined, timezone: undefined, window: undefined, desc: undefined }],
    },
  ])
})

test('reads JSON', async () => {
  const { sources } = await read(
    JSON.stringify({ sources: [{ type: 'a.b', locations: [{ path: 'x.log' }] }] }, null, 2),
  )
  expect(sources).toMatchObject([{ name: 'a.b', type: 'a.b', locations: [{ path: join(folder, 'x.log') }] }])
})

const LOCATIONS = 'locations: [{path: x}]'

describe('source names', () => {
  test('are numbered if they are equal', async () => {
    const text = ['broker', 'web', 'broker', 'broker'].map((name) => `  - {name: ${name}, ${LOCATIONS}}`).join('\n')
    expect(await namesOf(`sources:\n${text}\n`)).toEqual(['broker', 'web', 'broker#2', 'broker#3'])
  })

  test('that are set in the file take precedence over derived names', async () => {
    const names = ['{type: kafka, ', '{name: kafka, ', '{name: kafka, ', "{name: 'kafka#2', ", '{']
    const text = names.map((start) => `  - ${start}${LOCATIONS}}`).join('\n')
    expect(await namesOf(`sources:\n${text}\n`)).toEqual(['kafka#3', 'kafka', 'kafka#4', 'kafka#2', 'source'])
  })

  test('may be equal in ten thousand sources', async () => {
    const names = await namesOf(`sources:\n${`- {name: a, ${LOCATIONS}}\n`.repeat(10_000)}`)
    expect(new Set(names).size).toBe(10_000)
    expect(names.at(-1)).toBe('a#10000')
  })
})

describe('a key without effect causes a warning', () => {
  test.each([
    [
      'version: 9.9\nsources: [{locations: [{path: x}]}]',
      '1:10: version "9.9" is not known: the file is read as 0.1.0',
    ],
    ['sources: [{locations: [{path: x}], nmae: y}]', '1:36: unknown key "nmae": did you mean "name"?'],
    [
      'sources: [{locations: [{path: x, timestmp: {regex: a, format: unix}}]}]',
      '1:45: unknown key "timestmp.regex": did you mean "timestamp.regex"?',
    ],
    [
      'sources: [{locations: [{path: x, type: cre.log.web}]}]',
      '1:34: sources[0].locations[0].type is ignored: the type belongs to the source; data of another type is another source',
    ],
  ])('%j', async (text, message) => {
    const { sources, warnings } = await read(`${text}\n`)
    expect(sources).toHaveLength(1)
    expect(warnings[0]?.replace(`${folder}/`, '')).toBe(`sources.yaml:${message}`)
  })
})

describe('an invalid file is an error with its position', () => {
  const MISSING = 'the file needs "sources": the list of data sources'

  test.each([
    ['', [`1:1: ${MISSING}`]],
    ['# nothing\n', [`1:1: ${MISSING}`]],
    ['version: 0.1.0\n', [`1:1: ${MISSING}`]],
    ['source: [{}]\n', [`1:1: ${MISSING}`, '1:1: unknown key "source": did you mean "sources"?']],
    ['sources: []\n', ['1:10: sources is empty: add at least one item']],
    ['sources: x\n', ['1:10: sources must be a list, not the string "x"']],
    ['sources: [x]\n', ['1:11: sources[0] must be a map such as {name: …, type: …}, not a single value']],
    ['sources: [{locations: []}]\n', ['1:23: sources[0].locations is empty: add at least one item']],
    [
      'sources:\n  - path: /var/log/x\n',
      [
        '2:5: sources[0] needs "locations": where its files are, such as locations: [{path: /var/log/app/*.log}]',
        '2:5: unknown key "path": did you mean "locations"?',
      ],
    ],
    [
      'sources: [{locations: [{file: x}]}]\n',
      [
        '1:24: sources[0].locations[0] needs "path": a file, a folder or a glob; `-` is standard input',
        '1:25: unknown key "file": did you mean "path"?',
      ],
    ],
    [
      'sources: [{locations: [/var/log/x]}]\n',
      ['1:24: sources[0].locations[0] must be a map such as {path: …, timestamp: …}, not a single value'],
    ],
    [
      'sources:\n  - type: *\n    locations: [{path: x}]\n',
      ['2:11: not valid YAML: put a value that starts with * in quotes, such as "*"'],
    ],
    [
      "sources: [{timestamp: {regex: '(', format: unix}, locations: [{path: x}]}]\n",
      ['1:31: sources[0].timestamp.regex cannot be used: missing closing )'],
    ],
    ['2026-03-01T12:00:00Z it is a log\n', ['1:1: the file must be a map of keys (version, sources …), not a string']],
  ])('%j', async (text, problems) => {
    expect(await problemsOf(read(text))).toEqual(problems.map((problem) => `sources.yaml:${problem}`))
  })

  test('a missing file', async () => {
    expect(await problemsOf(readDataSourceFile(path, env))).toEqual([
      'sources.yaml: no such file: name a data source file; omen -g writes one to start from',
    ])
  })

  test('a folder', async () => {
    mkdirSync(path)
    expect(await problemsOf(readDataSourceFile(path, env))).toEqual([
      'sources.yaml: is a folder, not a file: -s takes a data source file; to scan a folder, name it without -s',
    ])
  })

  test('a log of 3 GB', async () => {
    writeFileSync(path, '')
    truncateSync(path, 3_000_000_000)
    expect(await problemsOf(readDataSourceFile(path, env))).toEqual([
      'sources.yaml: is larger than 1 MiB: -s takes a data source file; to scan a log, name it without -s',
    ])
  })

  test('compressed data', async () => {
    const gzip = Uint8Array.from([0x1f, 0x8b, 0x08, 0x00, 0xff])
    expect(await problemsOf(read(gzip))).toEqual(['sources.yaml:1:2: not valid UTF-8: save the file as UTF-8'])
  })
})

test('the template that omen -g writes is read', async () => {
  const rules = new URL('../../../../rules/', import.meta.url)
  const documents = readdirSync(rules, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const compiled = await compileRules(
    documents.map(({ name }) => ({ name, text: readFileSync(new URL(`${name}/rule.yaml`, rules), 'utf8') })),
  )
  const { sources, warnings } = await read(dataSourceTemplate(compiled, '1.0.0'))
  expect(warnings).toEqual([])
  expect(sources.map(({ type }) => type)).toEqual([...new Set(compiled.rules.map(({ source }) => source))].sort())
})

test('reads a pipe; its relative paths start at the working directory', async () => {
  expect(spawnSync('mkfifo', [path]).status).toBe(0)
  const text = 'sources: [{locations: [{path: x.log}]}]'
  const writer = spawn('sh', ['-c', 'printf "%s\\n" "$1" > "$2"', 'sh', text, path])
  const closed = once(writer, 'close')
  const { sources } = await readDataSourceFile(path, env)
  expect(await closed).toEqual([0, null])
  expect(sources[0]?.locations[0]?.path).toBe(resolve('x.log'))
})
