import type { InjectOptions } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { OTHER_IDP, OTHER_ISSUER } from '../../../test/administration/acme.js'
import { NO_ADMINISTRATION, NOBODY, startApp, THREE_HOSTS } from '../../../test/http/app-under-test.js'
import { checkAgainstDocument } from '../../../test/http/check-response.js'
import { type Browser, useSite } from '../../../test/sessions/site.js'
import { removeTemporaryFolders } from '../../../test/world.js'
import type { User } from '../../sessions/sessions.js'

removeTemporaryFolders()

const ID = '6cc81bd4-f321-46cf-b126-781d298729c2'
const JSON_ONLY = { accept: 'application/json' }

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Every request about an organization, with a valid body. */
const CALLS: readonly (readonly [Method, string, object?])[] = [
  ['GET', '/v1/org/members'],
  ['PATCH', `/v1/org/members/${ID}`, { role: 'member' }],
  ['DELETE', `/v1/org/members/${ID}`],
  ['GET', '/v1/org/domains'],
  ['POST', '/v1/org/domains', { domain: 'acme.org' }],
  ['POST', '/v1/org/domains/acme.org/check'],
  ['DELETE', '/v1/org/domains/acme.org'],
  ['GET', '/v1/org/audit'],
  ['GET', '/v1/org/tokens'],
  ['POST', '/v1/org/tokens', { name: 'ci', scopes: ['rules:read'], expires_at: '2030-06-01T00:00:00Z' }],
  ['DELETE', `/v1/org/tokens/${ID}`],
  ['GET', '/v1/org/connection'],
  ['POST', '/v1/org/connection', { client_secret: 'a new secret' }],
  ['POST', '/v1/org/connection/test'],
  ['POST', '/v1/org/connection/switch'],
  ['DELETE', '/v1/org/connection/next'],
]

describe('the routes of an organization', () => {
  const site = useSite({ ...THREE_HOSTS, limitCalls: 100_000 })
  let alice: Browser
  let bob: Browser
  beforeAll(async () => {
    const enter = async (email: string) => {
      const browser = site().browser()
      const onward = await site().signIn(browser, { sub: email, email })
      // Continues to the host of the app, which sets its own cookie.
      const bound = await browser.get(onward)
      const ticket = await browser.get(String(bound.headers.location))
      await browser.get(String(ticket.headers.location))
      return browser
    }
    alice = await enter('alice@acme.com')
    bob = await enter('bob@acme.com')
  })

  /** Sends a request of the app; the response must match the description of the API. */
  const call = async (browser: Browser | undefined, method: Method, url: string, body?: object, headers = {}) => {
    const request: InjectOptions = {
      method,
      url,
      headers: { ...JSON_ONLY, 'sec-fetch-site': 'same-origin', ...headers },
      ...(body && { payload: JSON.stringify(body) }),
    }
    const guest = browser ?? site().browser()
    const response = await guest.get(`${THREE_HOSTS.appUrl}${url}`, request)
    await checkAgainstDocument(site().app, { method, url }, response)
    return { status: response.statusCode, body: response.body === '' ? {} : response.json(), response }
  }
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const audited = async () => (await site().service.actions()).length

  test('are for signed-in users', async () => {
    for (const [method, url, body] of [['GET', '/v1/org'] as const, ...CALLS]) {
      expect(await call(undefined, method, url, body)).toMatchObject({ status: 401, body: { code: 'missing_session' } })
    }
  })

  test('are only for administrators, and a request of a member changes nothing', async () => {
    const before = await audited()
    for (const [method, url, body] of CALLS) {
      expect(await call(bob, method, url, body)).toMatchObject({ status: 403, body: { code: 'not_administrator' } })
      // The requester is checked before the body.
      if (body) expect(await call(bob, method, url, { x: 1 })).toMatchObject({ body: { code: 'not_administrator' } })
    }
    expect(await audited()).toBe(before)
    expect((await call(bob, 'GET', '/v1/org')).body).toMatchObject({ role: 'member', domains: ['acme.com'] })
  })

  test('reject requests of other sites, and nothing changes', async () => {
    const before = await audited()
    for (const [method, url, body] of CALLS.filter(([method]) => method !== 'GET')) {
      const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
      expect(await call(alice, method, url, body, foreign)).toMatchObject({ status: 403, body: { code: 'cross_site' } })
    }
    expect(await audited()).toBe(before)
  })

  test('report unknown IDs, and every invalid field of a body', async () => {
    for (const [method, url, body] of CALLS.filter(([, url]) => url.includes(ID) || url.includes('acme.org'))) {
      expect(await call(alice, method, url, body)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    const { body } = await call(alice, 'POST', '/v1/org/tokens', { name: 7, scopes: ['x'] })
    expect(body).toMatchObject({ code: 'invalid_request' })
    expect(body.detail).toBe(
      'Correct the request and send it again: expires_at is missing; name must be a string; ' +
        'scopes is not one of rules:read, rules:publish, audit:read, members:read.',
    )
    expect((await call(alice, 'PATCH', `/v1/org/members/${ID}`, { role: 'king' })).body.detail).toContain(
      'role is not one of administrator, member',
    )
    expect((await call(alice, 'POST', '/v1/org/domains')).body).toMatchObject({ code: 'invalid_json' })
    expect((await call(alice, 'GET', '/v1/org/audit?limit=x')).body).toMatchObject({ code: 'invalid_request' })
    const { response } = await call(alice, 'POST', '/v1/org')
    expect(response.headers.allow).toBe('GET, HEAD, OPTIONS')
  })

  test('make a member an administrator, who then has the same rights', async () => {
    const { members } = (await call(alice, 'GET', '/v1/org/members')).body
    const [self, other] = members
    expect([self.you, other.you]).toEqual([true, false])
    const path = `/v1/org/members/${other.id}`
    expect((await call(alice, 'PATCH', path, { role: 'administrator' })).body).toMatchObject({ role: 'administrator' })
    expect((await call(bob, 'PATCH', path, { role: 'member' })).body).toMatchObject({ role: 'member', you: true })
    expect(await call(bob, 'GET', '/v1/org/members')).toMatchObject({ status: 403 })
    expect(await call(alice, 'PATCH', `/v1/org/members/${self.id}`, { role: 'member' })).toMatchObject({
      status: 409,
      body: { code: 'last_administrator' },
    })
  })

  test('add, verify and remove a domain', async () => {
    const added = await call(alice, 'POST', '/v1/org/domains', { domain: 'acme.net' })
    expect(added).toMatchObject({ status: 201, body: { status: 'pending' } })
    const unverified = await call(alice, 'POST', '/v1/org/domains/acme.net/check')
    expect(unverified).toMatchObject({ status: 422, body: { code: 'domain_unverified' } })
    site().service.dns.set('_omen.acme.net', [[added.body.record.value]])
    expect((await call(alice, 'POST', '/v1/org/domains/ACME.net/check')).body).toMatchObject({ status: 'verified' })
    expect((await call(alice, 'GET', '/v1/org/domains')).body.domains).toHaveLength(2)
    expect(await call(alice, 'DELETE', '/v1/org/domains/acme.net')).toMatchObject({ status: 204 })
    expect((await call(alice, 'DELETE', '/v1/org/domains/acme.com')).body).toMatchObject({ code: 'primary_domain' })
  })

  test('create API tokens, which read only what their scopes allow and are not users', async () => {
    const expires_at = '2030-06-01T00:00:00Z'
    const make = async (name: string, scopes: readonly string[]) =>
      (await call(alice, 'POST', '/v1/org/tokens', { name, scopes, expires_at })).body
    const auditor = await make('auditor', ['audit:read'])
    const counter = await make('counter', ['members:read'])
    const get = (url: string, token: string) => call(undefined, 'GET', url, undefined, bearer(token))
    const { records, next } = (await get('/v1/org/audit?limit=1&action=token.issued', auditor.token)).body
    expect(records).toMatchObject([{ action: 'token.issued', actor: 'alice@acme.com', detail: { name: 'counter' } }])
    expect((await get(`/v1/org/audit?before=${next}&action=token.issued`, auditor.token)).body.records).toHaveLength(1)
    expect((await get('/v1/org/members', counter.token)).body.members).toMatchObject([{ you: false }, { you: false }])
    expect(await get('/v1/org/members', auditor.token)).toMatchObject({ status: 403, body: { code: 'missing_scope' } })
    for (const url of ['/v1/me', '/v1/org', '/v1/org/tokens', '/v1/sessions']) {
      const refused = await get(url, auditor.token)
      expect(refused).toMatchObject({ status: 403, body: { code: 'missing_scope' } })
      expect(refused.body.detail).toContain('and this request needs a user')
    }
    const list = (await call(alice, 'GET', '/v1/org/tokens')).body.tokens
    expect(list.map(({ last_used_at: at }: { last_used_at: string }) => typeof at)).toEqual(['string', 'string'])
    expect(await call(alice, 'DELETE', `/v1/org/tokens/${auditor.id}`)).toMatchObject({ status: 204 })
    expect(await get('/v1/org/audit', auditor.token)).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
    const shown = JSON.stringify([(await call(alice, 'GET', '/v1/org/audit')).body, list, site().logged()])
    for (const { token } of [auditor, counter]) expect(shown).not.toContain(token)
  })

  test('replace the connection: prepare it, test it in this browser, switch to it', async () => {
    const { service } = site()
    service.connectTo.provider = { ...service.idp.provider, issuer: OTHER_ISSUER }
    const { body: before } = await call(alice, 'GET', '/v1/org/connection')
    expect(before.next).toBeNull()
    expect(await call(alice, 'POST', '/v1/org/connection', OTHER_IDP)).toMatchObject({
      status: 201,
      body: { next: { issuer: OTHER_ISSUER, status: 'untested', redirect_uri: before.current.redirect_uri } },
    })
    const back = async (claims: object) => {
      const { url } = (await call(alice, 'POST', '/v1/org/connection/test')).body
      expect(url.startsWith(`${THREE_HOSTS.baseUrl}/v1/auth/test/`)).toBe(true)
      const redirect = await alice.get(url)
      expect(redirect.statusCode).toBe(303)
      return alice.get(await site().respond(String(redirect.headers.location), { iss: OTHER_ISSUER, ...claims }))
    }
    const failed = await back({ sub: 'x', email: 'x@elsewhere.com' })
    expect(failed).toMatchObject({
      statusCode: 303,
      headers: { location: `${THREE_HOSTS.appUrl}/organization/connection` },
    })
    expect((await call(alice, 'GET', '/v1/org/connection')).body.next).toMatchObject({ status: 'failed' })
    const untested = await call(alice, 'POST', '/v1/org/connection/switch')
    expect(untested).toMatchObject({ status: 409, body: { code: 'connection_untested' } })
    const passed = await back({ sub: 'a1', email: 'alice@acme.com' })
    expect(passed.headers.location).toBe(`${THREE_HOSTS.appUrl}/organization/connection`)
    // The test created no session, and the existing one is still valid.
    expect(passed.headers['set-cookie']).toBeUndefined()
    expect((await call(alice, 'GET', '/v1/org/connection')).body.next).toMatchObject({ status: 'passed' })
    const switched = await call(alice, 'POST', '/v1/org/connection/switch')
    expect(switched).toMatchObject({ status: 200, body: { current: { issuer: OTHER_ISSUER }, next: null } })
    expect(await call(alice, 'GET', '/v1/org')).toMatchObject({ status: 401 })
    await site().signIn(alice, { iss: OTHER_ISSUER, sub: 'a1', email: 'alice@acme.com' })
    const shown = JSON.stringify([switched.body, site().logged()])
    expect(shown).not.toContain(OTHER_IDP.client_secret)
  })
})

test('limit the number of changes, but not of reads', async () => {
  const alice: User = {
    kind: 'browser',
    sessionId: ID,
    userId: ID,
    organizationId: ID,
    organization: 'Acme',
    email: 'alice@acme.com',
    name: undefined,
    role: 'administrator',
    org: { name: 'Acme', domain: 'acme.com' },
  }
  const { send } = await startApp({
    settings: { limitCalls: 3 },
    sessions: { ...NOBODY, read: async () => alice },
    administration: { ...NO_ADMINISTRATION, removeDomain: async () => {}, listTokens: async () => [] },
  })
  for (const status of [204, 204, 204, 429]) {
    expect((await send({ method: 'DELETE', url: '/v1/org/domains/acme.org' })).statusCode).toBe(status)
  }
  expect((await send({ url: '/v1/org/tokens' })).json()).toEqual({ tokens: [] })
})
