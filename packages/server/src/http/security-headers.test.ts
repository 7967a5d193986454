import helmet from '@fastify/helmet'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { BEARER, startApp, THREE_HOSTS } from '../../test/http/app-under-test.js'
import { securityHeaders } from './security-headers.js'

test('every kind of response has every header that helmet sets', async () => {
  const guarded = Fastify()
  await guarded.register(helmet)
  const expected = Object.keys((await guarded.inject('/')).headers).filter(
    (name) => name in securityHeaders(THREE_HOSTS),
  )
  const usual = new Set(['content-type', 'content-length', 'date', 'connection'])
  expect(expected).toEqual(Object.keys((await guarded.inject('/')).headers).filter((name) => !usual.has(name)))

  const { send } = await startApp({ settings: THREE_HOSTS })
  const requests = [
    { url: '/' },
    { url: '/docs' },
    { url: '/nope' },
    { url: '/%' },
    { url: '/v1/auth/validate?code=x' },
    { method: 'POST', url: '/v1/api/oauth', headers: BEARER, payload: '{' },
    { method: 'OPTIONS', url: '/v1/api/oauth' },
  ] as const
  for (const request of requests) {
    const { headers } = await send(request)
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(expected))
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(headers['x-powered-by']).toBeUndefined()
    expect(headers.server).toBeUndefined()
  }
})

test('documents disable browser features, and other responses do not mention them', async () => {
  const { send } = await startApp({ settings: THREE_HOSTS })
  expect((await send({ url: '/docs' })).headers['permissions-policy']).toContain('camera=()')
  expect((await send({ url: '/v1/auth/validate?code=x' })).headers).not.toHaveProperty('permissions-policy')
})

test('Strict-Transport-Security is set only with HTTPS', () => {
  expect(securityHeaders({ onboardUrl: 'https://a.example' })).toHaveProperty('strict-transport-security')
  expect(securityHeaders({ onboardUrl: 'http://localhost:8080' })).not.toHaveProperty('strict-transport-security')
})
