import { execFile, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { exchange } from './api.js'
import { PROGRAM, untilOutput, useOmen } from './omen-server.js'

const omen = useOmen()
const DATA = ['--data-dir', 'data']

const inAMonth = () => new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
const issue = (org: string) => omen.run(['code', 'issue', '--org', org, '--expires', inAMonth(), '--json', ...DATA])

async function json(...args: string[]) {
  const { status, out, err } = await omen.run([...args, '--json', ...DATA])
  if (status !== 0) throw new Error(err)
  return JSON.parse(out)
}

describe('without a server', () => {
  test('concurrent first commands create the database and run one after the other', async () => {
    const outcomes = await Promise.all([issue('Acme'), issue('Bolt')])
    expect(outcomes.map(({ status }) => status)).toEqual([0, 0])
    const [acme, bolt] = outcomes.map(({ out }) => JSON.parse(out))
    expect(acme).toEqual({
      id: expect.any(String),
      code: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{6}-[0-9A-HJKMNP-TV-Z]{6}$/),
      org: 'Acme',
      expires: inAMonth(),
    })
    expect(bolt.org).toBe('Bolt')
    expect((statSync(omen.path('data')).mode & 0o777).toString(8)).toBe('700')
  })

  test.each([
    [['code'], 2, /^Usage: omen-server code/],
    [
      ['code', 'issue', '--org', 'Acme', '--expires', '2020-01-01'],
      2,
      /^Usage error: --expires: 2020-01-01 is not after today/,
    ],
    [['code', 'issue', '--org', 'Acme'], 2, /^Usage error: required option '--expires <date>' not specified\n$/],
    [['servee'], 2, /^Usage error: unknown command "servee"\. Did you mean serve\?\nTry: omen-server --help\n$/],
    [['--prot', '1'], 2, /^Usage error: unknown option '--prot'\. Did you mean --port\?\n$/],
    [['org', 'remove', 'Acme'], 2, /^Usage error: no terminal to confirm the removal of "Acme": add --yes/],
    [['org', 'show', 'Nobody'], 1, /^Operator error: There is no organization "Nobody"/],
    [['code', 'revoke', 'AAAAAA-BBBBBB'], 1, /^Operator error: There is no such code/],
    [['code', 'issue', '--org', 'A', '--domain', 'com', '--expires', '2999-01-01'], 2, /^Operator error: .*\n.*domain/],
  ])('%j ends with %i', async (args, status, message) => {
    const outcome = await omen.run([...args, ...DATA])
    expect({ status: outcome.status, out: outcome.out }).toEqual({ status, out: '' })
    expect(outcome.err).toMatch(message)
  })

  test('a closed pipe on standard output is not an error', async () => {
    const line = `"${process.execPath}" "${PROGRAM}" code list --data-dir "${omen.path('data')}" | true`
    const { stderr } = await promisify(execFile)('/bin/sh', ['-c', line])
    expect(stderr).toBe('')
  })

  test('version and help need no database', async () => {
    expect(await omen.run(['version'])).toEqual({ status: 0, out: 'omen-server 0.1.0\n', err: '' })
    expect(await omen.run(['--version'])).toEqual({ status: 0, out: 'omen-server 0.1.0\n', err: '' })
    expect((await omen.run(['help', 'audit'])).out).toContain('omen-server audit --follow')
  })
})

describe('with a running server', () => {
  beforeAll(async () => {
    expect((await issue('Acme')).status).toBe(0)
  })

  test('every command does its work and prints JSON', async () => {
    const server = await omen.serve(DATA)
    const { code, id } = JSON.parse((await issue('Coda')).out)
    expect(await json('code', 'list')).toContainEqual({
      id,
      org: 'Coda',
      expires: inAMonth(),
      state: 'issued',
      issuedAt: expect.any(String),
    })
    expect((await exchange(server.url, code)).status).toBe(200)
    expect(await json('org', 'show', 'Coda')).toMatchObject({
      name: 'Coda',
      domains: [],
      connected: false,
      codes: [{ id, state: 'exchanged' }],
    })
    expect(await json('code', 'revoke', id)).toMatchObject({ id, state: 'revoked' })
    expect((await exchange(server.url, code)).body.code).toBe('invalid_code')
    expect(await json('keys', 'rotate')).toEqual({ keyId: expect.any(String), reencrypted: 0 })
    expect(await json('org', 'remove', 'Coda', '--yes')).toMatchObject({ name: 'Coda' })
    expect((await json('org', 'list')).map(({ name }: { name: string }) => name)).not.toContain('Coda')
    const records: { action: string; org?: string }[] = await json('audit', '--org', 'Coda')
    expect(records.map(({ action }) => action)).toEqual([
      'organization.created',
      'code.issued',
      'code.exchanged',
      'code.revoked',
      'organization.removed',
    ])
    await server.stop()
  })

  test('commands that are sent while the server stops are all carried out', async () => {
    const server = await omen.serve(DATA)
    const issuing = Array.from({ length: 4 }, (_, index) => issue(`Stop ${index}`))
    const stopped = server.stop()
    const outcomes = await Promise.all(issuing)
    expect(outcomes.map(({ status, err }) => ({ status, err }))).toEqual(outcomes.map(() => ({ status: 0, err: '' })))
    expect((await stopped).status).toBe(0)
    const ids = outcomes.map(({ out }) => JSON.parse(out).id)
    expect((await json('code', 'list')).map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(ids))
  })

  test('audit --follow shows new records, also after a restart, and ends with Ctrl-C', async () => {
    let server = await omen.serve(DATA)
    const following = omen.begin(['audit', '--follow', '-n', '1', '--json', ...DATA], {})
    const seen = (org: string) => untilOutput(following, ({ out }) => out.includes(`"org":"${org}"`))
    await untilOutput(following, ({ out }) => out !== '')
    await issue('Before')
    await seen('Before')
    await server.stop()
    server = await omen.serve(DATA)
    await issue('After')
    await seen('After')
    following.process.kill('SIGINT')
    expect((await following.ended).err).toBe('')
    await server.stop()
  })

  test('on a terminal an organization is removed when its name is typed', async () => {
    const server = await omen.serve(DATA)
    await issue('Typed')
    const line = `"${process.execPath}" "${PROGRAM}" org remove Typed --data-dir "${omen.path('data')}"`
    const remove = (typed: string) =>
      new Promise<{ status: number | null; text: string }>((resolve) => {
        const terminal = spawn('script', ['-qec', line, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] })
        let text = ''
        let hasTyped = false
        terminal.stdout.setEncoding('utf8').on('data', (part: string) => {
          text += part
          if (hasTyped || !text.includes('to continue: ')) return
          hasTyped = true
          terminal.stdin.write(`${typed}\n`)
        })
        terminal.once('close', (status) => resolve({ status, text }))
      })
    expect(await remove('no')).toMatchObject({
      status: 1,
      text: expect.stringContaining('Operator error: the name does not match: nothing was removed'),
    })
    expect(await remove('Typed')).toMatchObject({ status: 0, text: expect.stringContaining('Removed Typed.') })
    await server.stop()
  })
})
