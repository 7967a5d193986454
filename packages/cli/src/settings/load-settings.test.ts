import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Failure } from '../failure.js'
import { readConfigFile } from './config-file.js'
import { CONFIG_KEYS } from './config-keys.js'
import { leavesOf } from './document/shape.js'
import { type LoadedSettings, loadSettings } from './load-settings.js'
import { DEFAULT_SETTINGS } from './settings.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'omen-settings-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const env = { HOME: '/home/ada' }

function load(text?: string | Uint8Array, variables: Record<string, string> = env): Promise<LoadedSettings> {
  if (text !== undefined) writeFileSync(join(folder, 'config.yaml'), text)
  return loadSettings({ folder, env: variables })
}

/** The lines of the failure, without the path of the file. */
async function problemsOf(text?: string | Uint8Array, variables = env): Promise<string[]> {
  const failure = await load(text, variables).catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'Failure', kind: 'Config', exitCode: 1 })
  return (failure as Error).message.split('\n').map((line) => line.replace(`${folder}/`, ''))
}

describe('without config.yaml', () => {
  test('the defaults apply', async () => {
    const path = join(folder, 'config.yaml')
    expect(await load()).toEqual({
      folder,
      file: path,
      fileExists: false,
      settings: DEFAULT_SETTINGS,
      origins: new Map(),
      warnings: [],
    })
  })

  test('a missing folder is not an error', async () => {
    const { settings } = await loadSettings({ folder: join(folder, 'a/b'), env })
    expect(settings).toEqual(DEFAULT_SETTINGS)
  })

  test('a home that is not a folder is not an error', async () => {
    const { settings, warnings } = await loadSettings({ folder: '/dev/null/.preq', env: { HOME: '/dev/null' } })
    expect({ settings, warnings }).toEqual({ settings: DEFAULT_SETTINGS, warnings: [] })
  })

  test('a configured path must be a folder', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const loading = loadSettings({ folder: file, env: { OMEN_CONFIG_DIR: file } })
    await expect(loading).rejects.toThrow(`${file}: not a folder; set OMEN_CONFIG_DIR to a folder`)
  })
})

test.each(['', '# nothing yet\n', '---\n...\n', 'rules:\nnotification:\n'])('%j leaves the defaults', async (text) => {
  expect(await load(text)).toMatchObject({ settings: DEFAULT_SETTINGS, fileExists: true, warnings: [] })
})

test('every key is read, with its line', async () => {
  const { settings, origins, warnings } = await load(`
rules:
  paths:
    - my-rules.yaml
    - ~/rules
    - /opt/rules
  disableCommunityRules: true
rulesVersion: 1.4.0
acceptUpdates: true
updateFrequency: 7d
dataSources: sources.yaml
timestamps:
  - {pattern: '^\\[(.+?)\\]', format: '2006-01-02 15:04:05'}
timezone: Europe/Berlin
window: 5m
skip: 100
notification:
  type: slack
  webhook: https://hooks.slack.com/services/T/B/secret
service:
  url: https://omen.example.com/
updates:
  publicKeys:
    - release.pem
    - |
      -----BEGIN PUBLIC KEY-----
      MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
      -----END PUBLIC KEY-----
`)
  expect(warnings).toEqual([])
  expect(settings).toEqual({
    rulesPaths: [join(folder, 'my-rules.yaml'), '/home/ada/rules', '/opt/rules'],
    disableCommunityRules: true,
    rulesVersion: '1.4.0',
    acceptUpdates: true,
    updateFrequency: 604_800_000_000_000n,
    dataSources: join(folder, 'sources.yaml'),
    timestamps: [{ pattern: '^\\[(.+?)\\]', format: '2006-01-02 15:04:05' }],
    timezone: 'Europe/Berlin',
    window: 300_000_000_000n,
    skip: 100,
    notification: { type: 'slack', webhook: 'https://hooks.slack.com/services/T/B/secret' },
    serviceUrl: 'https://omen.example.com',
    publicKeys: [join(folder, 'release.pem'), expect.stringContaining('BEGIN PUBLIC KEY')],
  })
  expect([...origins.keys()].sort()).toEqual(
    leavesOf(CONFIG_KEYS)
      .map(([name]) => name)
      .sort(),
  )
  expect(origins.get('rules.disableCommunityRules')).toBe(7)
  expect(origins.get('notification.webhook')).toBe(19)
})

test('the defaults in the table are the effective ones', async () => {
  const lines = leavesOf(CONFIG_KEYS).flatMap(([name, key]) => {
    const nested = name.split('.').map((part, depth) => `${'  '.repeat(depth)}${part}:`)
    return key.default === undefined ? [] : [`${nested.join('\n')} ${key.default}`]
  })
  expect((await load(`${lines.join('\n')}\n`)).settings).toEqual(DEFAULT_SETTINGS)
})

test.each(['local', 'UTC', '+02:00', '-0330', 'Asia/Kathmandu'])('timezone: %s is a zone', async (written) => {
  expect((await load(`timezone: ${written}\n`)).settings.timezone).toBe(written)
})

test('an unknown time zone is refused with the nearest name', async () => {
  await expect(load('timezone: Europe/Berln\n')).rejects.toThrow(
    'config.yaml:1:11: timezone cannot be used: unknown time zone "Europe/Berln". Did you mean Europe/Berlin?',
  )
})

test.each(['off', '0', '0s', '0h'])('window: %s is off', async (written) => {
  expect((await load(`window: ${written}\n`)).settings.window).toBeUndefined()
})

test('a warning for an unknown key suggests the nearest known one', async () => {
  const { settings, warnings } = await load('ruls:\n  paths: [x]\nskipp: 3\nwebhook: https://x\nrules.paths: [y]\n')
  expect(settings).toEqual(DEFAULT_SETTINGS)
  expect(warnings.map((warning) => warning.replace(`${folder}/`, ''))).toEqual([
    'config.yaml:2:3: unknown key "ruls.paths": did you mean "rules.paths"?',
    'config.yaml:3:1: unknown key "skipp": did you mean "skip"?',
    'config.yaml:4:1: unknown key "webhook": did you mean "notification.webhook"?',
    'config.yaml:5:1: unknown key "rules.paths": write it as nested keys: rules: {paths: …}',
  ])
})

test('all errors are reported at once, each with its position', async () => {
  expect(await problemsOf('acceptUpdates: yes\nskip: many\nupdateFrequency: 1 day\n')).toEqual([
    'config.yaml:1:16: acceptUpdates must be true or false, not the string "yes"',
    'config.yaml:2:7: skip must be a whole number from 1 to 100,000, not the string "many"',
    'config.yaml:3:18: updateFrequency must be a duration such as 5s, 10m or 1h30m, not the string "1 day"',
  ])
})

describe('a notification needs both its keys', () => {
  test('type without webhook is an error', async () => {
    expect(await problemsOf('notification:\n  type: slack\n')).toEqual([
      'config.yaml:2:3: notification.webhook is missing: add the URL next to type, such as webhook: https://…',
    ])
  })

  test('webhook without type is an error that does not show it', async () => {
    expect(await problemsOf('notification: {webhook: "https://hooks.example.com/SECRET"}\n')).toEqual([
      'config.yaml:1:15: notification.type is missing: add one of slack, mattermost, discord, teams, webhook next to webhook',
    ])
  })

  test('neither key means no notification', async () => {
    expect((await load('notification: {}\n')).settings.notification).toBeUndefined()
  })
})

describe('an invalid file', () => {
  test('is a folder', async () => {
    mkdirSync(join(folder, 'config.yaml'))
    expect(await problemsOf()).toEqual(['config.yaml: is a folder, not a file'])
  })

  test('is a pipe without a writer', async () => {
    expect(spawnSync('mkfifo', [join(folder, 'config.yaml')]).status).toBe(0)
    expect(await problemsOf()).toEqual(['config.yaml: is a device or a pipe, not a file'])
  })

  test('is a circular link', async () => {
    symlinkSync('config.yaml', join(folder, 'config.yaml'))
    expect(await problemsOf()).toEqual(['config.yaml: too many symbolic links'])
  })

  test('has 100 MB', async () => {
    writeFileSync(join(folder, 'config.yaml'), '')
    truncateSync(join(folder, 'config.yaml'), 100_000_000)
    expect(await problemsOf()).toEqual(['config.yaml: is larger than 1 MiB'])
  })

  test('contains NUL bytes', async () => {
    expect(await problemsOf('skip: 1\n\0')).toEqual(['config.yaml:2:1: contains a NUL byte: not a text file'])
  })

  test('is not UTF-8', async () => {
    expect(await problemsOf(Buffer.from('skip: 1 # caf\xe9\n', 'latin1'))).toEqual([
      'config.yaml:1:14: not valid UTF-8: save the file as UTF-8',
    ])
  })

  test('is a list', async () => {
    const message = 'config.yaml:1:1: the file must be a map of keys (rules, rulesVersion, acceptUpdates …), not a list'
    expect(await problemsOf('- rules\n')).toEqual([message])
  })
})

test('a symbolic link to a file is followed, as in a config map', async () => {
  writeFileSync(join(folder, 'data'), 'skip: 7\n')
  symlinkSync('data', join(folder, 'config.yaml'))
  expect((await load()).settings.skip).toBe(7)
})

test('any content is read or rejected with a message', async () => {
  const fragment = fc.constantFrom(
    ...leavesOf(CONFIG_KEYS).flatMap(([name]) => name.split('.')),
    ...[
      '\n',
      '\n  ',
      '\n- ',
      ': ',
      ' ',
      '"',
      "'",
      '[',
      ']',
      '{',
      '}',
      ', ',
      '#',
      '&a',
      '*a',
      '!!str',
      '|',
      '>',
      '---',
      '\t',
    ],
    ...['true', '5m', '-1', '1e9', '~', 'slack', 'https://x', '\0', '\u001b[2J', '<<', '\ufeff', '\r\n'],
  )
  const texts = fc.oneof(
    fc.array(fragment, { maxLength: 30 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
  )
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const file = { folder: '/f', path: '/f/config.yaml', bytes: Buffer.from(text) }
      const result = await readConfigFile(file, env).catch((error: unknown) => error)
      if (!(result instanceof Error)) return
      expect(result).toBeInstanceOf(Failure)
      for (const line of result.message.split('\n')) expect(line).toMatch(/^\/f\/config\.yaml:\d+:\d+: [^\p{Cc}]+$/u)
    }),
    { numRuns: 500 },
  )
})
