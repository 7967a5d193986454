import { CommanderError } from 'commander'
import { describe, expect, test } from 'vitest'
import { Failure } from '../failure.js'
import type { GivenFlags } from '../settings/load-settings.js'
import { SETTING_KEYS, SETTINGS } from '../settings/setting-table.js'
import { createProgram, type Request } from './program.js'

/** Parses a command line; returns its request, or the error that is printed. */
async function read(...argv: string[]) {
  let out = ''
  let error = ''
  let parsed: { request: Request; flags: GivenFlags } | undefined
  const program = createProgram({
    out: (text) => {
      out += text
    },
    error: (text) => {
      error += text
    },
    exampleDate: '2026-12-31',
    run: async (request, flags) => {
      parsed = { request, flags }
    },
  })
  const thrown: unknown = await program.parseAsync(argv, { from: 'user' }).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (thrown !== undefined && !(thrown instanceof CommanderError) && !(thrown instanceof Failure)) throw thrown
  return { out, error, thrown, ...parsed }
}

test.each<[string, Request]>([
  ['', { verb: 'serve' }],
  ['serve', { verb: 'serve' }],
  ['version', { verb: 'version' }],
  ['--version', { verb: 'version' }],
  ['-V', { verb: 'version' }],
  ['config --json', { verb: 'config', json: true }],
  ['code list', { verb: 'code list', json: false }],
  ['rules pack', { verb: 'rules pack', folder: 'rules', json: false }],
  ['rules pack my --version 1.4.0', { verb: 'rules pack', folder: 'my', version: '1.4.0', json: false }],
  [
    'rules pack --version=1.4.0 --private',
    { verb: 'rules pack', folder: 'rules', version: '1.4.0', private: true, json: false },
  ],
  ['tool publish a b --json', { verb: 'tool publish', files: ['a', 'b'], json: true }],
  ['keys release --list', { verb: 'keys release', list: true, json: false }],
  [
    'token issue --org Acme --name ci',
    { verb: 'token issue', org: 'Acme', name: 'ci', scope: 'rules:read', json: false },
  ],
  [
    'code issue --org Acme --expires 2026-12-31',
    { verb: 'code issue', org: 'Acme', expires: '2026-12-31', json: false },
  ],
  [
    'code issue --json --domain acme.com --org Acme --expires 2026-12-31',
    { verb: 'code issue', org: 'Acme', expires: '2026-12-31', domain: 'acme.com', json: true },
  ],
  ['code revoke K7QF2M-9XTR4B', { verb: 'code revoke', code: 'K7QF2M-9XTR4B', json: false }],
  ['org list --json', { verb: 'org list', json: true }],
  ['org show Acme', { verb: 'org show', name: 'Acme', json: false }],
  ['org remove Acme -y', { verb: 'org remove', name: 'Acme', yes: true, json: false }],
  ['org remove Acme', { verb: 'org remove', name: 'Acme', yes: false, json: false }],
  ['keys rotate', { verb: 'keys rotate', json: false }],
  ['keys rotate-signing', { verb: 'keys rotate-signing', endTokens: false, json: false }],
  ['keys rotate-signing --end-tokens --json', { verb: 'keys rotate-signing', endTokens: true, json: true }],
  ['audit', { verb: 'audit', lines: '50', json: false }],
  [
    'audit -f -n 5 --org Acme --action code.issued --since 2h --json',
    { verb: 'audit', lines: '5', follow: true, org: 'Acme', action: 'code.issued', since: '2h', json: true },
  ],
])('the command line omen-server %s is parsed', async (line, request) => {
  const { request: parsed, error } = await read(...line.split(' ').filter((word) => word !== ''))
  expect(error).toBe('')
  expect(parsed).toEqual(request)
})

describe('the flags of settings', () => {
  test('are accepted before and after the command', async () => {
    expect((await read('--data-dir', '/x', 'code', 'list')).flags).toMatchObject({ dataDir: '/x' })
    expect((await read('code', 'list', '--data-dir=/x', '--json')).flags).toMatchObject({ dataDir: '/x' })
    expect((await read('--port', '1', '--allow-insecure-idp')).flags).toEqual({ port: '1', allowInsecureIdp: true })
  })

  test('all set the setting with their key', async () => {
    for (const key of SETTING_KEYS) {
      const { flag, argument } = SETTINGS[key]
      if (flag === undefined) continue
      const { flags } = await read(flag, ...(argument === undefined ? [] : ['x']))
      expect(flags).toEqual({ [key]: argument === undefined ? true : 'x' })
    }
    expect((await read('--config', 'omen.yaml')).flags).toEqual({ config: 'omen.yaml' })
  })

  test('do not include a database URL, which the error does not repeat', async () => {
    const { thrown } = await read('--database-url', 'postgres://omen:SECRET@db/omen')
    expect(thrown).toMatchObject({
      kind: 'Usage',
      message:
        '--database-url would show its password to every user of this machine: set DATABASE_URL in the environment, or databaseUrl in the --config file',
    })
  })
})

test.each([
  ['--prot 80', "Usage error: unknown option '--prot'. Did you mean --port?\n"],
  ['--port', "Usage error: option '--port <number>' argument missing\n"],
  ['code issue --org Acme', "Usage error: required option '--expires <date>' not specified\n"],
  ['code isue', "Usage error: unknown command 'isue'. Did you mean issue?\n"],
  ['code revoke', "Usage error: missing required argument 'code'\n"],
  ['code list extra', "Usage error: too many arguments for 'list'. Expected 0 arguments but got 1\n"],
])('omen-server %s is rejected', async (line, message) => {
  const { error, thrown } = await read(...line.split(' '))
  expect(error).toBe(message)
  expect(thrown).toBeInstanceOf(CommanderError)
})

test('an unknown command is reported with the most similar one', async () => {
  expect((await read('cod')).thrown).toMatchObject({
    kind: 'Usage',
    message: 'unknown command "cod". Did you mean code?',
  })
  expect((await read('frobnicate')).thrown).toMatchObject({ message: 'unknown command "frobnicate"' })
})

describe('help', () => {
  test('shows every setting with its default and variable, the commands and the first steps', async () => {
    const { out } = await read('--help')
    for (const key of SETTING_KEYS) {
      const { flag, environment } = SETTINGS[key]
      if (flag !== undefined) expect(out).toContain(flag)
      if (flag !== undefined) expect(out.replace(/\s+/g, ' ')).toContain(`[${environment}]`)
    }
    expect(out).not.toContain('--database-url')
    for (const command of ['serve', 'code', 'org', 'audit', 'keys', 'config', 'version']) {
      expect(out).toMatch(new RegExp(`^  ${command}\\b`, 'm'))
    }
    expect(out).toContain('omen-server code issue --org "Acme" --expires 2026-12-31')
  })

  test('of a command shows examples and the settings that it uses', async () => {
    const { out } = await read('code', 'issue', '--help')
    expect(out).toContain('Usage: omen-server code issue [options]')
    expect(out).toContain('--data-dir')
    expect(out).toContain('--json')
    expect(out).not.toContain('--trust-proxy')
    expect(out).toContain('omen-server code issue --org "Acme" --expires 2026-12-31 --domain acme.com')
    expect((await read('serve', '--help')).out).toContain('--trust-proxy')
  })

  test('a group without a command shows its commands', async () => {
    const { error, thrown } = await read('code')
    expect(error).toContain('Usage: omen-server code')
    expect(thrown).toMatchObject({ exitCode: 1 })
  })
})
