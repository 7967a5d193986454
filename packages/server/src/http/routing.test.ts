import { describe, expect, test } from 'vitest'
import { BEARER, THREE_HOSTS, useApp } from '../../test/http/app-under-test.js'

describe('addresses and methods', () => {
  const app = useApp()

  test.each(['/nope', '/v1', '/v1/api', '/v1/auth/validate/K7QF2M-9XTR4B', '/V1/auth/validate', '/.env', '/docs/x'])(
    'there is nothing at %s',
    async (url) => {
      const response = await app().send({ url })
      expect(response.statusCode).toBe(404)
      expect(response.json()).toMatchObject({
        code: 'not_found',
        type: 'http://localhost:8080/docs#not_found',
        detail: expect.stringContaining('http://localhost:8080/docs'),
      })
      expect(response.body).not.toContain('K7QF2M')
    },
  )

  test.each(['/%', '/%zz', '/%ff', '/v1/api/oauth/%E0%A4%A/onboard', '/v1/%c0%ae%c0%ae/x'])(
    'the address %s cannot be decoded',
    async (url) => {
      const response = await app().send({ url })
      expect(response.statusCode).toBe(400)
      expect(response.json().code).toBe('bad_request')
      expect(response.headers['x-request-id']).toBeDefined()
    },
  )

  test.each([
    ['POST', '/v1/auth/validate', 'GET, HEAD, OPTIONS'],
    ['GET', '/v1/api/oauth', 'POST, OPTIONS'],
    ['HEAD', '/v1/api/oauth', 'POST, OPTIONS'],
    ['PUT', '/v1/api/oauth', 'POST, OPTIONS'],
    ['DELETE', '/v1/api/oauth/x/onboard', 'POST, OPTIONS'],
    ['PATCH', '/v1/auth/login', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
    ['TRACE', '/v1/openapi.json', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', '/', 'GET, HEAD, OPTIONS'],
  ])('%s %s is 405 and names the allowed methods', async (method, url, allow) => {
    const response = await app().send({ method: method as 'PUT', url, payload: '{' })
    expect([response.statusCode, response.headers.allow]).toEqual([405, allow])
    if (method !== 'HEAD') expect(response.json().code).toBe('method_not_allowed')
  })

  test.each(['/v1/api/oauth', '/v1/api/oauth/x/onboard'])(
    'OPTIONS %s names the methods and allows no origin',
    async (url) => {
      const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
      const response = await app().send({ method: 'OPTIONS', url, headers })
      expect([response.statusCode, response.headers.allow, response.body]).toEqual([204, 'POST, OPTIONS', ''])
      expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    },
  )

  test.each(['/v1/auth/validate/?code=x', '//v1/auth/validate?code=x', '/v1//auth/validate//?code=x'])(
    'additional slashes are ignored: %s',
    async (url) => {
      expect((await app().send({ url })).statusCode).toBe(200)
    },
  )

  test('an unknown address is reported before its body is read', async () => {
    const response = await app().send({ method: 'POST', url: '/nope', payload: 'x'.repeat(200_000) })
    expect(response.statusCode).toBe(404)
  })
})

describe('one process, three hosts', () => {
  const app = useApp({ settings: THREE_HOSTS })

  test.each([
    ['start.omen.example', '/v1/auth/validate?code=x', 200],
    ['START.Omen.Example:443', '/v1/auth/validate?code=x', 200],
    ['start.omen.example.', '/v1/auth/validate?code=x', 200],
    ['start.omen.example:8080', '/v1/auth/validate?code=x', 200],
    ['127.0.0.1:8080', '/v1/auth/validate?code=x', 200],
    ['[::1]:8080', '/', 200],
    ['', '/', 200],
    ['login.omen.example', '/v1/auth/login', 200],
    ['login.omen.example', '/healthz', 200],
    ['app.omen.example', '/readyz', 200],
    ['app.omen.example', '/docs', 200],
    ['login.omen.example', '/v1/openapi.json', 200],
  ])('%s%s responds with %i', async (host, url, status) => {
    expect((await app().send({ url, headers: { host } })).statusCode).toBe(status)
  })

  test.each([
    ['GET', 'login.omen.example', '/v1/auth/validate?code=x', THREE_HOSTS.onboardUrl],
    ['POST', 'app.omen.example', '/v1/api/oauth', THREE_HOSTS.onboardUrl],
    ['GET', 'app.omen.example', '/', THREE_HOSTS.onboardUrl],
    ['GET', 'start.omen.example', '/v1/auth/login', THREE_HOSTS.baseUrl],
    ['GET', 'app.omen.example', '/v1/auth/callback/x', THREE_HOSTS.baseUrl],
  ] as const)('%s %s%s is 404 and names %s', async (method, host, url, right) => {
    const response = await app().send({ method, url, headers: { host, ...BEARER }, payload: '{}' })
    expect(response.statusCode).toBe(404)
    expect(response.json().detail).toBe(`This address belongs to another host: use ${right}.`)
    expect(app().calls).toEqual([])
  })

  test('a forwarded host counts only from a trusted proxy', async () => {
    const request = {
      url: '/v1/auth/validate?code=x',
      headers: { host: 'start.omen.example', 'x-forwarded-host': 'app.omen.example' },
    }
    expect((await app().send(request)).statusCode).toBe(200)
  })
})

describe('every response', () => {
  const app = useApp()

  test.each(['/healthz', '/nope', '/v1/auth/validate', '/%', '/docs'])('of %s has a request ID', async (url) => {
    const echoed = await app().send({ url, headers: { 'x-request-id': 'trace-1:a/b=c' } })
    expect(echoed.headers['x-request-id']).toBe('trace-1:a/b=c')
    const ids = [undefined, '', 'a b', 'x'.repeat(101), '{"a":1}', 'é']
    for (const id of ids) {
      const made = await app().send({ url, ...(id !== undefined && { headers: { 'x-request-id': id } }) })
      expect(made.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    }
  })
})
