import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { NOBODY, startApp, THREE_HOSTS, useApp } from '../../../test/http/app-under-test.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import type { User } from '../../sessions/sessions.js'
import { CATALOGUE_RULE, RULE_CATALOGUE } from '../schemas/catalogue.js'

const prepared = (value: unknown, name: string) => ({
  tag: `W/"${name}"`,
  brotli: brotliCompressSync(JSON.stringify(value)),
})

/** All requesters get the same list, with an entity tag that names the organization of the request. */
const catalogue: Catalogue = {
  list: async (organization) => prepared(RULE_CATALOGUE.examples[0], `list of ${organization}`),
  find: async (id, organization) =>
    id === 'CRE-2026-10001' || (id === 'ACME 1/2' && organization === 'acme')
      ? prepared(CATALOGUE_RULE.examples[0], `${id} of ${organization}`)
      : undefined,
}

const COOKIE = 'a'.repeat(43)

const sessions = {
  ...NOBODY,
  read: async (cookie: string | undefined) => (cookie === COOKIE ? ({ organizationId: 'acme' } as User) : undefined),
}

const requester = { organizationId: 'acme', organization: 'Acme', tokenId: 't' }
const releases = {
  identify: async (token: string) => ({
    ...requester,
    scopes: token === 'omen_reader' ? (['rules:read'] as const) : (['rules:publish'] as const),
  }),
}

describe('the catalogue', () => {
  const app = useApp({ catalogue, sessions, releases, settings: THREE_HOSTS })
  const get = (url: string, headers: Record<string, string> = {}) =>
    app().send({ url, headers: { host: 'app.omen.example', ...headers } })

  test.each([
    ['an anonymous requester', {}, 'undefined'],
    ['a user', { cookie: `__Host-omen_session=${COOKIE}` }, 'acme'],
    ['a user whose session has ended', { cookie: `__Host-omen_session=${'b'.repeat(43)}` }, 'undefined'],
    ['a token with the scope', { authorization: 'Bearer omen_reader' }, 'acme'],
    ['a token without the scope', { authorization: 'Bearer omen_publisher' }, 'undefined'],
    ['the random token of an installation', { authorization: 'Bearer 1234' }, 'undefined'],
  ])('is read by %s', async (_, headers, organization) => {
    const response = await get('/v1/catalogue', headers)
    expect([response.statusCode, response.headers.etag]).toEqual([200, `W/"list of ${organization}"`])
    expect(response.json()).toEqual(RULE_CATALOGUE.examples[0])
    expect(response.headers['cache-control']).toBe('private, no-cache')
    expect(response.headers.vary).toContain('Cookie')
  })

  test('is compressed as the client accepts it, and is not sent again if it has not changed', async () => {
    const read = async (coding: string) => {
      const headers = { host: 'app.omen.example', 'accept-encoding': coding }
      return (await app().app.inject({ url: '/v1/catalogue', headers })).rawPayload
    }
    expect(JSON.parse(String(brotliDecompressSync(await read('gzip, br'))))).toEqual(RULE_CATALOGUE.examples[0])
    expect(JSON.parse(String(gunzipSync(await read('gzip'))))).toEqual(RULE_CATALOGUE.examples[0])
    expect(JSON.parse(String(await read('identity')))).toEqual(RULE_CATALOGUE.examples[0])
    const same = await get('/v1/catalogue', { 'if-none-match': 'W/"list of undefined"' })
    expect([same.statusCode, same.body]).toEqual([304, ''])
  })

  test('has every rule under its ID, for requesters who may read it', async () => {
    const rule = await get('/v1/catalogue/CRE-2026-10001')
    expect(rule.json()).toEqual(CATALOGUE_RULE.examples[0])
    expect((await get('/v1/catalogue/ACME%201%2F2', { cookie: `__Host-omen_session=${COOKIE}` })).statusCode).toBe(200)
    expect((await get('/v1/catalogue/ACME%201%2F2')).json()).toMatchObject({ status: 404, code: 'not_found' })
  })

  test('is also on the host of sign-in, and on no other', async () => {
    const at = async (host: string) => (await get('/v1/catalogue', { host })).statusCode
    expect([await at('login.omen.example'), await at('start.omen.example')]).toEqual([200, 404])
  })
})

test('anonymous requests are limited, and those of signed-in users are not', async () => {
  const { send } = await startApp({ catalogue, sessions, settings: { limitDownloads: 1 } })
  const statusOf = async (cookie: string) => (await send({ url: '/v1/catalogue', headers: { cookie } })).statusCode
  expect([await statusOf(''), await statusOf(''), await statusOf(`omen_session=${COOKIE}`)]).toEqual([200, 429, 200])
  expect(await statusOf(`omen_session=${COOKIE}`)).toBe(200)
})
