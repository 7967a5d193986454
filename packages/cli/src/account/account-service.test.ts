import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AccountServer, oauthError, startAccountServer, tokenResponse } from '../../test/account-service.js'
import { type AccountService, openAccountService } from './account-service.js'

let server: AccountServer
let service: AccountService
beforeEach(async () => {
  server = await startAccountServer()
  service = openAccountService({ url: new URL(server.url), env: {} })
})
afterEach(async () => {
  service.close()
  await server.close()
})

const TOKEN = '/v1/auth/token'

it('sends the requests of the standards, with its user agent and the credentials of the URL', async () => {
  const url = new URL(server.url)
  url.username = 'me'
  url.password = 'pass'
  const service = openAccountService({ url, env: {} })
  await service.begin()
  await service.exchange('the-code')
  await service.user('omen_at_1')
  service.close()
  const [begin, exchange, user] = server.requests
  expect(begin?.headers['user-agent']).toMatch(/^omen\/\d\S* \(\w+-\w+\)$/)
  expect(begin?.headers.authorization).toBe(`Basic ${Buffer.from('me:pass').toString('base64')}`)
  expect(exchange?.headers['content-type']).toBe('application/x-www-form-urlencoded')
  expect(exchange?.form).toEqual({
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: 'the-code',
  })
  expect(user?.headers.authorization).toBe('Bearer omen_at_1')
})

it('distinguishes an error of the service from a temporary failure', async () => {
  server.responses.set(TOKEN, [
    oauthError('slow_down'),
    { status: 503, headers: { 'retry-after': '20' } },
    { status: 429, headers: { 'retry-after': '99999' } },
    (response) => void response.socket?.resetAndDestroy(),
    { status: 200, json: tokenResponse(1) },
  ])
  expect(await service.refresh('omen_rt_0')).toEqual({ error: 'slow_down' })
  expect(await service.refresh('omen_rt_0')).toEqual({ failure: 'HTTP 503', pause: 20_000 })
  expect(await service.refresh('omen_rt_0')).toEqual({ failure: 'HTTP 429', pause: 60_000 })
  expect(await service.refresh('omen_rt_0')).toEqual({ failure: 'the connection was closed', pause: undefined })
  expect(await service.refresh('omen_rt_0')).toMatchObject({ accessToken: 'omen_at_1' })
})

describe('a hostile or broken service', () => {
  it('cannot redirect secrets to another host', async () => {
    const other = await startAccountServer()
    server.responses.set(TOKEN, [{ status: 307, headers: { location: `${other.url}${TOKEN}` } }])
    await expect(service.refresh('omen_rt_secret')).rejects.toThrow(
      `${server.host}: it redirects to ${other.url}, which omen does not follow`,
    )
    expect(other.requests).toEqual([])
    await other.close()
  })

  it('cannot send an endless response', async () => {
    server.responses.set(TOKEN, [
      (response) => {
        const send = () => {
          while (response.write('x'.repeat(65_536)));
          response.once('drain', send)
        }
        response.writeHead(200)
        send()
      },
    ])
    await expect(service.refresh('omen_rt_1')).rejects.toThrow('the response is longer than 262144 bytes')
  })

  it.each([
    [
      'a page of HTML',
      (response: import('node:http').ServerResponse) => void response.end('<html>omen_rt_secret</html>'),
    ],
    ['nothing', { status: 200 }],
    ['tokens of wrong types', { status: 200, json: { access_token: 1, refresh_token: {}, token_type: 'Bearer' } }],
    ['an error code with control characters', { status: 400, json: { error: '\u001b[2J' } }],
    ['another status', { status: 404, json: {} }],
  ])('that responds with %s is reported as not an omen-server', async (_, response) => {
    server.responses.set(TOKEN, [response])
    const failure = await service.refresh('omen_rt_secret').catch((error: Error) => error)
    expect(failure).toMatchObject({
      message: expect.stringMatching(/: HTTP \d+: this is not the response of an omen-server$/),
    })
    expect(JSON.stringify(failure)).not.toContain('secret')
  })

  it('that names an unsafe sign-in page is refused', async () => {
    const json = { device_code: 'x', user_code: 'ABCD', verification_uri: 'file:///etc/passwd', expires_in: 900 }
    server.responses.set('/v1/auth/device', [{ status: 200, json }])
    await expect(service.begin()).rejects.toThrow('the address of its sign-in page is not safe')
  })
})

it('gives up on a service that does not respond, and on one that is down', async () => {
  server.responses.set(TOKEN, [() => {}])
  const withTimeout = openAccountService({ url: new URL(server.url), env: {}, timeout: 50 })
  expect(await withTimeout.exchange('x')).toEqual({ failure: 'it did not respond in time', pause: undefined })
  withTimeout.close()
  await server.close()
  await expect(service.begin()).rejects.toThrow(
    `${server.host}: the connection was refused: check the address, or try again later`,
  )
})

it('does not send secrets to another machine without TLS', () => {
  expect(() => openAccountService({ url: new URL('http://omen.example.com'), env: {} })).toThrow(
    'http://omen.example.com: tokens are sent only over https:// or to this machine: use https://',
  )
})
