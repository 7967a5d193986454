import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Failure } from '../failure.js'
import { describeSettings } from './describe-settings.js'
import { type Environment, followPort, type GivenFlags, loadSettings } from './load-settings.js'
import { SETTING_KEYS, SETTINGS } from './setting-table.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'omen-settings-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Given {
  readonly flags?: GivenFlags
  readonly env?: Environment
  readonly file?: string | Uint8Array
}

function load({ flags = {}, env = {}, file }: Given = {}) {
  if (file === undefined) return loadSettings({ flags, env, folder })
  writeFileSync(join(folder, 'omen.yaml'), file)
  return loadSettings({ flags: { config: 'omen.yaml', ...flags }, env, folder })
}

/** The lines of the failure, without the path of the folder. */
function problemsOf(given: Given): string[] {
  try {
    load(given)
  } catch (error) {
    expect(error).toBeInstanceOf(Failure)
    expect(error).toMatchObject({ kind: 'Config', exitCode: 2 })
    return (error as Failure).message.replaceAll(`${folder}/`, '').split('\n')
  }
  return []
}

test('the defaults apply if nothing is set', () => {
  const { settings, origins, warnings } = load()
  expect(settings).toEqual({
    host: '127.0.0.1',
    port: 8080,
    dataDir: join(folder, 'omen-data'),
    databaseUrl: undefined,
    baseUrl: 'http://localhost:8080',
    onboardUrl: 'http://localhost:8080',
    appUrl: 'http://localhost:8080',
    allowInsecureIdp: false,
    trustProxy: [],
    limitCodeTries: 10,
    limitCalls: 60,
    limitDownloads: 120,
    limitSignIns: 60,
    metricsFrom: ['127.0.0.0/8', '::1'],
    logLevel: 'info',
  })
  expect(new Set(Object.values(origins))).toEqual(new Set(['default']))
  expect(warnings).toEqual([])
})

test('flags override variables, variables override the file, the file overrides defaults', () => {
  const file = 'port: 1\nhost: 10.0.0.1\nlogLevel: debug\n'
  const { settings, origins } = load({ flags: { port: '3' }, env: { OMEN_PORT: '2', OMEN_HOST: '10.0.0.2' }, file })
  expect(settings).toMatchObject({ port: 3, host: '10.0.0.2', logLevel: 'debug', limitCalls: 60 })
  expect(origins).toMatchObject({ port: '--port', host: 'OMEN_HOST', limitCalls: 'default' })
  expect(origins.logLevel).toBe(`${join(folder, 'omen.yaml')}:3`)
})

test('a variable can name the file', () => {
  writeFileSync(join(folder, 'other.yaml'), 'port: 7\n')
  expect(load({ env: { OMEN_CONFIG: 'other.yaml' } }).settings.port).toBe(7)
})

test('every setting can be set in the environment and in the file', () => {
  const values: Record<string, string> = {
    host: '0.0.0.0',
    port: '443',
    dataDir: '/var/lib/omen',
    databaseUrl: 'postgres://omen:secret@db/omen',
    baseUrl: 'https://omen.example.com',
    onboardUrl: 'https://start.example.com',
    appUrl: 'https://app.example.com',
    allowInsecureIdp: 'true',
    trustProxy: '10.0.0.0/8, ::1',
    metricsFrom: '10.1.0.0/16',
    limitCodeTries: '5',
    limitCalls: '6',
    limitDownloads: '7',
    limitSignIns: '7',
    logLevel: 'warn',
  }
  expect(Object.keys(values).sort()).toEqual([...SETTING_KEYS].sort())
  const expected = {
    ...values,
    port: 443,
    allowInsecureIdp: true,
    trustProxy: ['10.0.0.0/8', '::1'],
    metricsFrom: ['10.1.0.0/16'],
    limitCodeTries: 5,
    limitCalls: 6,
    limitDownloads: 7,
    limitSignIns: 7,
  }
  const env = Object.fromEntries(SETTING_KEYS.map((key) => [SETTINGS[key].environment, values[key]]))
  expect(load({ env }).settings).toEqual(expected)
  const file = Object.entries(values).map(([key, value]) => `${key}: ${value}\n`)
  expect(load({ file: file.join('') }).settings).toEqual(expected)
  expect(load({ file: 'trustProxy:\n  - 10.0.0.0/8\n  - ::1\n' }).settings.trustProxy).toEqual(expected.trustProxy)
})

test('an empty variable and a key without a value are not set', () => {
  const { settings } = load({ env: { OMEN_PORT: '', DATABASE_URL: '', OMEN_CONFIG: '' }, file: 'host:\nport: ~\n' })
  expect(settings).toMatchObject({ port: 8080, host: '127.0.0.1', databaseUrl: undefined })
})

test.each(['', '# nothing\n', '---\n', '{}'])('the file %j changes no default', (file) => {
  expect(load({ file }).settings).toEqual(load().settings)
})

describe('the three URLs', () => {
  test('the onboarding and app URLs follow the base URL, which follows the port', () => {
    const { settings } = load({ flags: { port: '9000' } })
    expect(settings).toMatchObject({ baseUrl: 'http://localhost:9000', onboardUrl: 'http://localhost:9000' })
    const named = load({ flags: { baseUrl: 'https://omen.example.com', appUrl: 'https://app.example.com' } })
    expect(named.settings).toMatchObject({
      baseUrl: 'https://omen.example.com',
      onboardUrl: 'https://omen.example.com',
      appUrl: 'https://app.example.com',
    })
  })

  test.each([
    ['https://Omen.Example.com/', 'https://omen.example.com'],
    ['https://omen.example.com:443', 'https://omen.example.com'],
    ['https://omen.example.com:8443', 'https://omen.example.com:8443'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
  ])('%s is %s', (written, origin) => {
    expect(load({ flags: { baseUrl: written } }).settings.baseUrl).toBe(origin)
  })

  test.each([
    ['omen.example.com', '"omen.example.com" is not a URL: write it as https://omen.example.com'],
    [
      'ftp://omen.example.com',
      '"ftp://omen.example.com" is neither http nor https: write it as https://omen.example.com',
    ],
    [
      'https://example.com/omen',
      '"https://example.com/omen" has more than a host and a port: write it as https://omen.example.com, without a path',
    ],
    [
      'https://ada:secret@example.com',
      'this URL cannot contain a user name or password: write it as https://omen.example.com',
    ],
    ['', '"" is not a URL: write it as https://omen.example.com'],
  ])('%s is rejected', (written, message) => {
    expect(problemsOf({ flags: { baseUrl: written } })).toEqual([`--base-url: ${message}`])
  })

  test('HTTP on another host than this machine prints a warning for each address', () => {
    const { warnings } = load({ flags: { baseUrl: 'http://omen.example.com' } })
    expect(warnings).toEqual([
      'http://omen.example.com is not HTTPS: codes, tokens and secrets are sent unencrypted. Use it for development only',
    ])
    expect(load({ flags: { baseUrl: 'http://127.0.0.1:8080', appUrl: 'http://[::1]' } }).warnings).toEqual([])
  })

  test('with port 0 they get the actual port, unless they are set', () => {
    const { settings } = load({ flags: { port: '0', appUrl: 'https://app.example.com' } })
    expect(followPort(settings, 49_152)).toMatchObject({
      port: 49_152,
      baseUrl: 'http://localhost:49152',
      onboardUrl: 'http://localhost:49152',
      appUrl: 'https://app.example.com',
    })
  })
})

describe('invalid settings', () => {
  test('are all reported together', () => {
    expect(
      problemsOf({
        flags: { port: 'http' },
        env: { OMEN_HOST: '300.1.1.1', DATABASE_URL: 'mysql://root:SECRET@db' },
        file: 'prot: 80\nlimitCalls: many\nlogLevel: {a: b}\n',
      }),
    ).toEqual([
      'omen.yaml:1: unknown setting "prot": did you mean port?',
      'omen.yaml:3: logLevel takes one value',
      'OMEN_HOST: "300.1.1.1" is not a host: write an address such as 127.0.0.1, 0.0.0.0 or ::, or a host name',
      '--port: "http" is not a port: write a whole number from 0 to 65535',
      'DATABASE_URL: not the URL of a PostgreSQL database: write postgres://user:password@host:5432/database, with characters such as @ or / in the password as %40 or %2F',
      'omen.yaml:2: limitCalls: "many" is not a limit: write a whole number from 1 to 1000000',
    ])
  })

  test.each<[string, GivenFlags, string]>([
    ['a port out of range', { port: '65536' }, '--port: "65536" is not a port: write a whole number from 0 to 65535'],
    ['a negative port', { port: '-1' }, '--port: "-1" is not a port: write a whole number from 0 to 65535'],
    [
      'a limit of nothing',
      { limitCalls: '0' },
      '--limit-calls: "0" is not a limit: write a whole number from 1 to 1000000',
    ],
    [
      'a home that no shell expanded',
      { dataDir: '~/omen' },
      '--data-dir: "~/omen": "~" is not expanded here: write the whole path',
    ],
    [
      'trust in everybody',
      { trustProxy: 'true' },
      `--trust-proxy: "true" is neither an address nor a network: write it as 10.0.0.5 or 10.0.0.0/8`,
    ],
    ['a level', { logLevel: 'loud' }, '--log-level: "loud" is not fatal, error, warn, info, debug, trace or silent'],
  ])('%s', (_, flags, message) => {
    expect(problemsOf({ flags })).toEqual([message])
  })

  test.each<[string, string | Uint8Array, string]>([
    [
      'broken YAML',
      'port: [1\n',
      'omen.yaml:2: not YAML: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    ['a list', '- port\n', 'omen.yaml:1: a settings file has one line for each setting, such as port: 8080'],
    ['a text', 'hello\n', 'omen.yaml:1: a settings file has one line for each setting, such as port: 8080'],
    ['a setting twice', 'port: 1\nport: 2\n', 'omen.yaml:2: not YAML: Map keys must be unique'],
    [
      'a name as the shell has it',
      'base-url: https://x.example\n',
      'omen.yaml:1: unknown setting "base-url": did you mean baseUrl?',
    ],
    [
      'an alias',
      'host: &a ::1\ndataDir: *a\n',
      'omen.yaml:2: dataDir: aliases are not supported: write the value itself',
    ],
    ['a list for one value', 'port: [1, 2]\n', 'omen.yaml:1: port takes one value'],
    ['a list of lists', 'trustProxy: [[a]]\n', 'omen.yaml:1: trustProxy takes a list of values'],
    ['another encoding', Buffer.from([0x70, 0xff, 0xfe]), 'omen.yaml: the file is not UTF-8: save it as UTF-8'],
    [
      'a number with leading zeros',
      'port: 0x50\n',
      'omen.yaml:1: port: "0x50" is not a port: write a whole number from 0 to 65535',
    ],
  ])('in a file: %s', (_, file, message) => {
    expect(problemsOf({ file })).toEqual([message])
  })

  test('a file that cannot be read is reported', () => {
    const advice = 'name the settings file with --config'
    expect(problemsOf({ flags: { config: 'missing.yaml' } })).toEqual([
      `missing.yaml: the file does not exist: ${advice}`,
    ])
    expect(problemsOf({ flags: { config: '.' } })).toEqual([`${folder}: it is a folder, not a file: ${advice}`])
    expect(problemsOf({ file: 'x'.repeat((1 << 20) + 1) })).toEqual([
      `omen.yaml: it is larger than 1 MiB, so it is not a settings file: ${advice}`,
    ])
  })

  test('any file is read or rejected with a message', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[a-zA-Z:\-[\]{}&*!|>'"%@`#, \n]{0,80}$/))
    fc.assert(
      fc.property(fc.oneof(text, fc.uint8Array({ maxLength: 80 })), (file) => {
        expect(Array.isArray(problemsOf({ file }))).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

describe('the environment', () => {
  test('a mistyped variable is reported with a suggestion', () => {
    expect(
      load({ env: { OMEN_PROT: '80', OMEN_CONFIG_DIR: '/x', OMEN_SIGNING_KEY: 'k', PORT: '1' } }).warnings,
    ).toEqual(['OMEN_PROT is not a setting: did you mean OMEN_PORT?'])
  })

  test('a variable that Kubernetes sets for a Service named omen is not a port', () => {
    const { settings, warnings } = load({ env: { OMEN_PORT: 'tcp://10.3.0.7:8080', OMEN_SERVICE_HOST: '10.3.0.7' } })
    expect(settings.port).toBe(8080)
    expect(warnings).toEqual([
      'OMEN_PORT is ignored: Kubernetes set it for a Service named omen (enableServiceLinks: false prevents that)',
    ])
  })
})

test('the description of the settings hides secrets and names their origin', () => {
  const loaded = load({ env: { DATABASE_URL: 'postgres://omen:SECRET@db/omen' }, flags: { port: '1' } })
  const shown = describeSettings(loaded)
  expect(JSON.stringify(shown)).not.toContain('SECRET')
  expect(shown).toContainEqual({ name: 'databaseUrl', value: 'hidden', from: 'DATABASE_URL' })
  expect(shown).toContainEqual({ name: 'port', value: 1, from: '--port' })
  expect(shown.map(({ name }) => name)).toEqual(SETTING_KEYS)
})

test('the table shows the actual defaults', () => {
  for (const key of ['host', 'port', 'allowInsecureIdp', 'limitCodeTries', 'limitCalls', 'logLevel'] as const) {
    expect(String(load().settings[key])).toBe(SETTINGS[key].default)
  }
  expect(load().settings.dataDir).toBe(join(folder, SETTINGS.dataDir.default))
})
