import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resolveSources } from './resolve-sources.js'
import type { InputKind, StandardInput } from './standard-input.js'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'omen-resolve-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string) => join(folder, name)

function write(name: string, text = 'a line\n'): string {
  mkdirSync(dirname(at(name)), { recursive: true })
  writeFileSync(at(name), text)
  return at(name)
}

const SETTINGS = { window: undefined, dataSources: undefined, timestamps: [], skip: 50, timezone: undefined }
const NOW = new Date('2026-06-01T00:00:00Z')
const NO_INPUT: StandardInput = { kind: 'null', hasData: async () => false }

type Request = Partial<Parameters<typeof resolveSources>[0]>

const resolve = (request: Request) =>
  resolveSources({ paths: [], dataSourceFiles: [], settings: SETTINGS, now: NOW, input: NO_INPUT, ...request })

const entry = (lines: string) => write('sources.yaml', `version: 0.1.0\nsources:\n${lines}`)

describe('paths', () => {
  it('are one source each, named like the argument', async () => {
    const [a, b] = [write('a.log'), write('b.log', 'longer\n')]
    expect(await resolve({ paths: [b, a] })).toMatchObject({
      sources: [
        { name: b, type: '*', window: undefined, files: [{ path: b, size: 7, timestamp: undefined }] },
        { name: a, type: '*', window: undefined, files: [{ path: a, size: 7, timestamp: undefined }] },
      ],
      problems: [],
      warnings: [],
      skipped: [],
    })
  })

  it('of folders give a source for each file, with one progress line', async () => {
    const paths = [write('logs/a.log'), write('logs/x/b.log')]
    const { sources } = await resolve({ paths: [at('logs')] })
    expect(sources.map(({ name, stage }) => ({ name, stage }))).toEqual(
      paths.map((name) => ({ name, stage: at('logs') })),
    )
  })

  it('of pieces of one log are one source, with the oldest piece first', async () => {
    const time = (second: number) => `2026-03-01T12:00:0${second}Z started\n`
    const [newest, other] = [write('logs/app.log', time(3)), write('logs/app-1.log', time(1))]
    const [middle, oldest] = [write('logs/app.log.1', time(2)), write('logs/app.log.2', time(1))]
    const inOrder = { name: newest, files: [oldest, middle, newest].map((path) => ({ path })) }
    const alone = { name: other, files: [{ path: other }] }
    expect((await resolve({ paths: [newest, middle, other, oldest] })).sources).toMatchObject([inOrder, alone])
    const { sources } = await resolve({ paths: [at('logs')] })
    expect(sources).toMatchObject([alone, inOrder])
    expect(sources.map(({ stage }) => stage)).toEqual([at('logs'), at('logs')])
    expect((await resolve({ paths: [oldest] })).sources).toMatchObject([{ name: oldest, files: [{ path: oldest }] }])
  })

  it('give every file once', async () => {
    const a = write('logs/a.log')
    linkSync(a, at('logs/b.log'))
    symlinkSync('a.log', at('logs/c.log'))
    const { sources } = await resolve({ paths: [at('logs/*.log'), a, at('logs'), '-', '-'] })
    expect(sources.map(({ name }) => name)).toEqual([a, 'stdin'])
  })

  it('without files do not prevent the others', async () => {
    const a = write('a.log')
    const { sources, problems } = await resolve({ paths: [at('gone.txt'), a, at('*.gz')] })
    expect(sources.map(({ name }) => name)).toEqual([a])
    expect(problems).toEqual([`${at('gone.txt')}: no such file in ${folder}`, `${at('*.gz')}: no file matches`])
  })

  it('have the window of the settings', async () => {
    const [a] = [write('a.log')]
    const window = async (window: bigint) =>
      (await resolve({ paths: [a], settings: { ...SETTINGS, window } })).sources[0].window
    expect([await window(5n), await window(0n)]).toEqual([5n, undefined])
  })
})

describe('data source files', () => {
  it('give a source for each entry, with its files in the order of their timestamps', async () => {
    write('logs/new.log', '2026-03-02T00:00:00Z x\n')
    write('logs/old.log', '2026-03-01T00:00:00Z x\n')
    write('more/oldest.log', '2026-02-01T00:00:00Z x\n')
    const file = entry(`  - name: broker
    type: cre.log.kafka
    window: 5s
    timestamp: {regex: '^(\\S+)', format: rfc3339}
    locations: [{path: 'logs/*.log'}, {path: more, window: 1m}, {path: logs/old.log}]
  - type: cre.log.redis
    locations: [{path: logs/new.log}]
`)
    const { sources, problems } = await resolve({ dataSourceFiles: [file] })
    expect(problems).toEqual([])
    const timestamp = { regex: '^(\\S+)', format: 'rfc3339' }
    const files = ['more/oldest.log', 'logs/old.log', 'logs/new.log'].map((name) => ({
      path: at(name),
      size: 23,
      timestamp,
      zone: 'local',
    }))
    expect(sources).toEqual([
      { name: 'broker', type: 'cre.log.kafka', window: 60_000_000_000n, files },
      {
        name: 'cre.log.redis',
        type: 'cre.log.redis',
        window: undefined,
        files: [{ ...files[2], timestamp: undefined }],
      },
    ])
  })

  it('have the zone of the command line, the location, the source, the settings, or else of the machine', async () => {
    write('a.log')
    const file = entry(`  - {name: own, timezone: UTC, locations: [{path: a.log, timezone: +02:00}]}
  - {name: source, timezone: UTC, locations: [{path: a.log}]}
  - {name: none, locations: [{path: a.log}]}
`)
    const zones = async (zone?: string, timezone?: string) => {
      const { sources } = await resolve({ dataSourceFiles: [file], zone, settings: { ...SETTINGS, timezone } })
      return sources.map(({ files }) => files[0].zone)
    }
    expect(await zones()).toEqual(['+02:00', 'UTC', 'local'])
    expect(await zones(undefined, 'Asia/Tokyo')).toEqual(['+02:00', 'UTC', 'Asia/Tokyo'])
    expect(await zones('local', 'Asia/Tokyo')).toEqual(['local', 'local', 'local'])
  })

  it('are put in order by the zones of their locations', async () => {
    write('east.log', '2026-03-01 12:00:00 x\n')
    write('west.log', '2026-03-01 08:00:00 x\n')
    const file = entry(`  - name: both
    locations: [{path: west.log, timezone: -05:00}, {path: east.log, timezone: +09:00}]
`)
    const { sources } = await resolve({ dataSourceFiles: [file] })
    expect(sources[0].files.map(({ path }) => path)).toEqual([at('east.log'), at('west.log')])
  })

  it('may turn off the window of the settings', async () => {
    write('a.log')
    const file = entry(
      '  - {name: on, locations: [{path: a.log}]}\n  - {name: off, window: 0s, locations: [{path: a.log}]}\n',
    )
    const { sources } = await resolve({ dataSourceFiles: [file], settings: { ...SETTINGS, window: 9n } })
    expect(sources.map(({ name, window }) => [name, window])).toEqual([
      ['on', 9n],
      ['off', undefined],
    ])
  })

  it('that cannot be read, or whose files are missing, do not prevent the others', async () => {
    const a = write('a.log')
    const file = entry(
      '  - {name: none, locations: [{path: x/*.log}]}\n  - {name: some, locations: [{path: y.txt}, {path: a.log}]}\n',
    )
    const broken = write('broken.yaml', 'sources: 5\n')
    const { sources, problems } = await resolve({ dataSourceFiles: [broken, at('gone.yaml'), file] })
    expect(sources).toMatchObject([{ name: 'some', files: [{ path: a }] }])
    expect(problems.map((problem) => problem.split(': ')[0])).toEqual([
      `${broken}:1:10`,
      at('gone.yaml'),
      at('x/*.log'),
      at('y.txt'),
    ])
  })

  it('may name standard input, once', async () => {
    const file = entry('  - {name: one, locations: [{path: "-"}]}\n  - {name: two, locations: [{path: "-"}]}\n')
    const { sources, problems } = await resolve({ dataSourceFiles: [file] })
    expect(sources).toMatchObject([{ name: 'one', files: [{ path: '-', size: undefined }] }])
    expect(problems).toEqual(['two: standard input can be read only once'])
  })

  it('may cause warnings', async () => {
    write('a.log')
    const { warnings } = await resolve({ dataSourceFiles: [entry('  - {locations: [{path: a.log}], nmae: x}\n')] })
    expect(warnings).toHaveLength(1)
  })
})

describe('a run without paths', () => {
  const CASES: readonly [kind: InputKind, hasData: boolean, bare: string[], configured: string[]][] = [
    ['pipe', true, ['stdin'], ['stdin']],
    ['pipe', false, ['stdin'], ['configured']],
    ['file', true, ['stdin'], ['stdin']],
    ['file', false, ['stdin'], ['configured']],
    ['null', false, ['stdin'], ['configured']],
    ['terminal', true, [], ['configured']],
    ['device', true, ['stdin'], ['stdin']],
  ]
  it.each(CASES)(
    'with a %s as standard input (with data: %s) reads %j, or %j if data sources are configured',
    async (kind, hasData, bare, configured) => {
      write('a.log')
      const dataSources = entry('  - {name: configured, locations: [{path: a.log}]}\n')
      const input = { kind, hasData: async () => hasData }
      const names = async (request: Request) => {
        const { sources, problems } = await resolve(request)
        expect(problems).toEqual([])
        return sources.map(({ name }) => name)
      }
      expect(await names({ input })).toEqual(bare)
      expect(await names({ input, settings: { ...SETTINGS, dataSources } })).toEqual(configured)
    },
  )

  it('uses configured data sources, which a run with paths ignores', async () => {
    const a = write('a.log')
    const settings = { ...SETTINGS, dataSources: at('gone.yaml') }
    const { sources, problems } = await resolve({ paths: [a], settings })
    expect([sources.length, problems]).toEqual([1, []])
  })
})
