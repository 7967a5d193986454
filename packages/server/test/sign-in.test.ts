import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../src/http/observing/log.js'
import { type RunningServer, startServer } from '../src/serve/start-server.js'
import { loadSettings } from '../src/settings/load-settings.js'
import { complete, exchange, open } from './api.js'
import { copyPreparedDatabase } from './prepared/prepared.js'
import { CLIENT_ID, CLIENT_SECRET, type RealProvider, type SetUp, startRealProvider } from './sessions/real-provider.js'
import { createUserAgent, type UserAgent } from './sessions/user-agent.js'

const folder = mkdtempSync(join(tmpdir(), 'omen-sign-in-'))
let server: RunningServer
let url = ''
/** How far the clock of the service is ahead. */
let aheadMs = 0
let domains = 0
const clock = () => new Date(Date.now() + aheadMs)
beforeAll(async () => {
  const limits = { limitSignIns: '100000', limitCodeTries: '100000' } as const
  const flags = { port: '0', dataDir: join(folder, 'data'), allowInsecureIdp: true, ...limits } as const
  const { settings } = loadSettings({ flags, env: {}, folder })
  const logger = createLogger({ level: 'silent' })
  await copyPreparedDatabase(flags.dataDir)
  server = await startServer(settings, { clock, env: {}, logger, report: () => {}, pause: async () => {} })
  url = server.settings.baseUrl
})
beforeEach(() => {
  aheadMs = 0
})
afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Onboards a new organization with a provider in this configuration. */
async function onboard(setUp: SetUp): Promise<{ idp: RealProvider; domain: string }> {
  const domain = `set-up-${++domains}.com`
  const idp = await startRealProvider(domain, setUp)
  const expires = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  const { code } = await server.operations.issueCode({ org: domain, expires })
  const token = String((await exchange(url, code)).body.token)
  const opened = await open(url, token, { well_known_url: idp.wellKnownUrl, domain, org_name: `Org of ${domain}` })
  const redirectUri = String(opened.body.sign_in_uri)
  await idp.register({ redirectUri, logoutUri: redirectUri.replace('/callback/', '/backchannel/') })
  const client = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET }
  const completed = await complete(url, token, opened.body.transaction_id, client)
  expect(completed.body).toMatchObject({ status: 'completed' })
  return { idp, domain }
}

async function me(agent: UserAgent): Promise<{ status: number; email: unknown }> {
  const { response } = await agent.open(`${url}/v1/me`)
  return { status: response.status, email: ((await response.json()) as { email?: unknown }).email }
}

async function signIn(agent: UserAgent, email: string): Promise<readonly string[]> {
  return (await agent.open(`${url}/v1/auth/login?email=${email}`)).way
}

describe('a real identity provider', () => {
  test.each<[string, SetUp]>([
    ['basic authentication, RS256', { auth: 'client_secret_basic', algorithm: 'RS256', verified: true }],
    ['authentication in the body, ES256', { auth: 'client_secret_post', algorithm: 'ES256', verified: true }],
    ['EdDSA, the address in the userinfo', { algorithm: 'EdDSA', inIdToken: false, verified: true }],
    ['no claim about verification', { algorithm: 'ES256' }],
    ['no issuer in the response', { algorithm: 'ES256', sendsIssuer: false }],
    ['no refresh tokens', { algorithm: 'ES256', refreshes: false }],
  ])('with %s signs users in, and out', async (_, setUp) => {
    const { idp, domain } = await onboard(setUp)
    await using _idp = idp
    const agent = createUserAgent()
    const way = await signIn(agent, `alice@${domain}`)
    expect(way.some((step) => new URL(step).searchParams.has('iss'))).toBe(setUp.sendsIssuer ?? true)
    expect(await me(agent)).toEqual({ status: 200, email: `alice@${domain}` })
    // Later the service checks the session at the provider, if there is a refresh token.
    aheadMs += 6 * 60_000
    expect(await me(agent)).toEqual({ status: 200, email: `alice@${domain}` })
    idp.forgetEverybody()
    aheadMs += 6 * 60_000
    expect((await me(agent)).status).toBe((setUp.refreshes ?? true) ? 401 : 200)
    const out = await agent.open(`${url}/v1/auth/logout`, { method: 'POST' })
    expect(out.way.at(-1)).toMatch(/\/session\/end\?|\/signed-out$/)
    expect((await me(agent)).status).toBe(401)
  })

  test('with an unverified address is rejected', async () => {
    const { idp, domain } = await onboard({ algorithm: 'ES256', verified: false })
    await using _idp = idp
    const { response } = await createUserAgent().open(`${url}/v1/auth/login?email=alice@${domain}`)
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('is not verified')
  })

  test('that has rotated its keys still signs users in', async () => {
    const { idp, domain } = await onboard({ algorithm: 'ES256' })
    await using _idp = idp
    await signIn(createUserAgent(), `alice@${domain}`)
    await idp.rotateKeys()
    const agent = createUserAgent()
    await signIn(agent, `alice@${domain}`)
    expect((await me(agent)).status).toBe(200)
  })

  test('can start a login with its issuer only', async () => {
    const { idp, domain } = await onboard({ algorithm: 'ES256' })
    await using _idp = idp
    idp.account = 'bob'
    const agent = createUserAgent()
    await agent.open(`${url}/v1/auth/login?iss=${encodeURIComponent(idp.issuer)}`)
    expect(await me(agent)).toEqual({ status: 200, email: `bob@${domain}` })
    const posted = createUserAgent()
    await posted.open(`${url}/v1/auth/login`, { method: 'POST', body: new URLSearchParams({ iss: idp.issuer }) })
    expect(await me(posted)).toEqual({ status: 200, email: `bob@${domain}` })
  })

  test('that ends its own session also ends the session of the service', async () => {
    const { idp, domain } = await onboard({ algorithm: 'ES256' })
    await using _idp = idp
    const agent = createUserAgent()
    await signIn(agent, `alice@${domain}`)
    expect((await me(agent)).status).toBe(200)
    const { response } = await agent.open(`${idp.issuer}/session/end?client_id=${CLIENT_ID}`)
    const page = await response.text()
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const body = new URLSearchParams({ xsrf, logout: 'yes' })
    await agent.open(`${idp.issuer}/session/end/confirm`, { method: 'POST', body })
    expect((await me(agent)).status).toBe(401)
  })

  test('is replaced by another one after an administrator has signed in through the new one', async () => {
    const { idp, domain } = await onboard({ algorithm: 'ES256' })
    await using _idp = idp
    await using next = await startRealProvider(domain, { auth: 'client_secret_post', algorithm: 'EdDSA' })
    const agent = createUserAgent()
    await signIn(agent, `alice@${domain}`)
    const call = async (method: string, path: string, body?: object) => {
      const init = { method, headers: { accept: 'application/json' }, ...(body && { body: JSON.stringify(body) }) }
      const { response } = await agent.open(`${url}/v1/org${path}`, init)
      return { status: response.status, body: (await response.json()) as Record<string, Record<string, string>> }
    }
    const { current } = (await call('GET', '/connection')).body
    await next.register({ redirectUri: current!.redirect_uri! })
    const wrong = { well_known_url: next.wellKnownUrl, client_id: CLIENT_ID, client_secret: 'a wrong one' }
    expect(await call('POST', '/connection', wrong)).toMatchObject({ status: 422, body: { code: 'client_rejected' } })
    const proposed = await call('POST', '/connection', { ...wrong, client_secret: CLIENT_SECRET })
    expect(proposed).toMatchObject({ status: 201, body: { next: { issuer: next.issuer, status: 'untested' } } })
    const { url: test } = (await call('POST', '/connection/test')).body as unknown as { url: string }
    const { way } = await agent.open(test)
    expect(way.at(-1)).toBe(`${server.settings.appUrl}/organization/connection`)
    expect((await call('GET', '/connection')).body.next).toMatchObject({
      status: 'passed',
      tested_as: `alice@${domain}`,
    })
    expect(await call('POST', '/connection/switch')).toMatchObject({ status: 200, body: { next: null } })
    expect((await me(agent)).status).toBe(401)
    expect((await signIn(agent, `alice@${domain}`)).some((step) => step.startsWith(next.issuer))).toBe(true)
    expect((await call('GET', '')).body).toMatchObject({ role: 'administrator' })
  })
})
