import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { complete, exchange, open } from './api.js'
import { MOVED_CLOCK, type Outcome, setClockFile, useOmen } from './omen-server.js'
import { CLIENT_ID, CLIENT_SECRET, type RealProvider, startRealProvider } from './sessions/real-provider.js'
import { createUserAgent, type UserAgent } from './sessions/user-agent.js'

/** The tool as built. */
const TOOL = fileURLToPath(new URL('../../cli/dist/omen.js', import.meta.url))

const HOUR = 3_600_000

const service = useOmen()
const running = new Set<ChildProcess>()
let url = ''
let idp: RealProvider
let alice: UserAgent

interface Tool {
  /** Resolves with what a pattern finds in standard output; rejects when the tool ends without it. */
  untilOutput(pattern: RegExp): Promise<string>
  readonly ended: Promise<Outcome>
}

/** Starts the tool, whose clock is that of the service. */
function omen(...args: string[]): Tool {
  return omenIn('config', ...args)
}

function omenIn(folder: string, ...args: string[]): Tool {
  const env = {
    ...process.env,
    OMEN_CONFIG_DIR: service.path(folder),
    TEST_CLOCK_FILE: service.path('clock'),
    TZ: 'UTC',
  }
  const child = spawn(process.execPath, ['--import', MOVED_CLOCK, TOOL, ...args], { env, cwd: service.path('.') })
  running.add(child)
  const written = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.err += text
  })
  child.stdin.end()
  const ended = new Promise<Outcome>((resolve) => child.once('close', (status) => resolve({ status, ...written })))
  ended.then(() => running.delete(child))
  const untilOutput = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(written.out)
        if (found) resolve(found[1] ?? found[0])
      }
      child.stdout.on('data', look)
      look()
      ended.then((outcome) => reject(new Error(`It ended without ${pattern}: ${JSON.stringify(outcome)}`)))
    })
  return { untilOutput, ended }
}

const command = async (...args: string[]) => {
  const { status, out, err } = await service.run([...args, '--json'])
  if (status !== 0) throw new Error(err)
  return JSON.parse(out)
}

const kept = () => readFileSync(service.path('config/.ruletoken'), 'utf8')
const tokens = () => JSON.parse(kept()) as Record<'service' | 'access_token' | 'refresh_token' | 'expires_at', string>
const setClock = (aheadMs: number) => setClockFile(service.path('clock'), aheadMs)
const me = (token: string) => fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })

/** Connects an organization to the identity provider, and signs a user in there. */
async function onboard(domain: string): Promise<void> {
  idp = await startRealProvider(domain, { algorithm: 'ES256' })
  const { code } = await command('code', 'issue', '--org', 'Acme', '--expires', '2099-01-01')
  const token = String((await exchange(url, code)).body.token)
  const opened = await open(url, token, { well_known_url: idp.wellKnownUrl, domain, org_name: 'Acme Inc.' })
  await idp.register({ redirectUri: String(opened.body.sign_in_uri) })
  const client = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET }
  expect((await complete(url, token, opened.body.transaction_id, client)).status).toBe(200)
  alice = createUserAgent()
  await alice.open(`${url}/v1/auth/login?email=alice@${domain}`)
}

/** Approves or denies a code as a user does on the page. */
async function decide(code: string, decision: 'approve' | 'deny'): Promise<string> {
  const body = new URLSearchParams({ user_code: code, decision })
  const { response } = await alice.open(`${url}/device`, { method: 'POST', body })
  return response.text()
}

describe('a tool that a user signs in', () => {
  beforeAll(async () => {
    setClock(0)
    const args = ['--allow-insecure-idp', '--limit-sign-ins', '10000']
    const server = await service.serve(args, { clockFile: service.path('clock') })
    // The URL that the service uses for itself.
    url = server.url.replace('127.0.0.1', 'localhost')
    await onboard('acme.com')
  })
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL')
    await idp?.[Symbol.asyncDispose]()
  })

  test('waits for the approval of the code, stores its tokens and knows its user', async () => {
    const program = omenIn('other-config', 'login', url, '-y', '--json')
    const user = omen('login', url, '-y')
    const { userCode } = JSON.parse(await program.untilOutput(/^(\{.*\})\n/m))
    expect(await decide(userCode, 'approve')).toContain('The tool is signed in.')
    expect(await decide(await user.untilOutput(/ code (\S{4}-\S{4})/), 'approve')).toContain('The tool is signed in.')
    const lines = (await program.ended).out.trim().split('\n')
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ signedIn: true, service: url, email: 'alice@acme.com' })
    const { status, out, err } = await user.ended
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toContain(`Signed in to ${new URL(url).host} as alice of acme.com <alice@acme.com> (Acme Inc.).\n`)
    expect(out).not.toContain('omen_')
    expect(readFileSync(service.path('config/config.yaml'), 'utf8')).toBe(`service:\n  url: ${url}\n`)
    expect(statSync(service.path('config/.ruletoken')).mode & 0o777).toBe(0o600)
    expect(tokens().service).toBe(url)
    const known = JSON.parse((await omen('whoami', '--json').ended).out)
    expect(known).toMatchObject({
      signedIn: true,
      service: url,
      email: 'alice@acme.com',
      org: { name: 'Acme Inc.', domain: 'acme.com' },
    })
    const days = (Date.parse(known.until) - Date.now()) / (24 * HOUR)
    expect(Math.round(days)).toBe(30)
  })

  test('renews its tokens when they have expired, also in two concurrent processes', async () => {
    const before = tokens()
    setClock(2 * HOUR)
    const both = await Promise.all([omen('whoami').ended, omen('whoami').ended])
    for (const { status, out, err } of both) {
      expect({ status, err }).toEqual({ status: 0, err: '' })
      expect(out).toContain('alice@acme.com')
    }
    expect(tokens().refresh_token).not.toBe(before.refresh_token)
    // After the minute in which the service accepts a refresh token a second time.
    setClock(4 * HOUR)
    expect(await omen('whoami', '-q').ended).toEqual({ status: 0, out: '', err: '' })
    expect((await me(tokens().access_token)).status).toBe(200)
    expect(readdirSync(service.path('config')).filter((name) => name.startsWith('.'))).toEqual(['.ruletoken'])
  })

  test('sends renewed tokens when it requests rules', async () => {
    setClock(6 * HOUR)
    expect(await omen('updates', 'check').ended).toMatchObject({ status: 0, err: '' })
    expect(Date.parse(tokens().expires_at) - Date.now()).toBeGreaterThan(6 * HOUR)
  })

  test('signs out of the service and deletes its tokens', async () => {
    const { access_token } = tokens()
    expect(await omen('logout').ended).toEqual({ status: 0, out: `Signed out of ${new URL(url).host}.\n`, err: '' })
    expect((await me(access_token)).status).toBe(401)
    expect(existsSync(service.path('config/.ruletoken'))).toBe(false)
    expect(await omen('whoami').ended).toEqual({
      status: 1,
      out: '',
      err: 'You are not signed in. Sign in: omen login\n',
    })
  })

  test('says to sign in again after the user ended its session on the sessions page', async () => {
    const { response } = await alice.open(`${url}/v1/sessions`)
    const { sessions } = (await response.json()) as { sessions: { id: string; kind: string }[] }
    const tool = sessions.find(({ kind }) => kind === 'tool')
    await alice.open(`${url}/v1/sessions/${tool?.id}`, { method: 'DELETE' })
    const { status, err } = await omenIn('other-config', 'updates', 'check').ended
    expect({ status, err }).toEqual({ status: 1, err: expect.stringContaining('Sign in again: omen login\n') })
  })
})
