import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AccountServer, refusal, startAccountServer, tokenAnswer } from '../../test/account-service.js'
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

it('sends what the standards want, with what it is and the name and password of the address', async () => {
  const url = new URL(server.url)
  url.username = 'me'
  url.password = 'pass'
  const behindProxy = openAccountService({ url, env: {} })
  await behindProxy.begin()
  await behindProxy.exchange('the-code')
  await behindProxy.person('omen_at_1')
  behindProxy.close()
  const [begin, exchange, person] = server.requests
  expect(begin?.headers['user-agent']).toMatch(/^omen\/\d\S* \(\w+-\w+\)$/)
  expect(begin?.headers.authorization).toBe(`Basic ${Buffer.from('me:pass').toString('base64')}`)
  expect(exchange?.headers['content-type']).toBe('application/x-www-form-urlencoded')
  expect(exchange?.form).toEqual({
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: 'the-code',
  })
  expect(person?.headers.authorization).toBe('Bearer omen_at_1')
})

it('tells a no from something that passes', async () => {
  server.answers.set(TOKEN, [
    refusal('slow_down'),
    { status: 503, headers: { 'retry-after': '20' } },
    { status: 429, headers: { 'retry-after': '99999' } },
    (response) => void response.socket?.resetAndDestroy(),
    { status: 200, json: tokenAnswer(1) },
  ])
  expect(await service.refresh('omen_rt_0')).toEqual({ error: 'slow_down' })
  expect(await service.refresh('omen_rt_0')).toEqual({ trouble: 'HTTP 503', pause: 20_000 })
  expect(await service.refresh('omen_rt_0')).toEqual({ trouble: 'HTTP 429', pause: 60_000 })
  expect(await service.refresh('omen_rt_0')).toEqual({ trouble: 'the connection was closed', pause: undefined })
  expect(await service.refresh('omen_rt_0')).toMatchObject({ accessToken: 'omen_at_1' })
})

describe('a service that does not mean well', () => {
  it('does not get what is secret sent to somebody else', async () => {
    const other = await startAccountServer()
    server.answers.set(TOKEN, [{ status: 307, headers: { location: `${other.url}${TOKEN}` } }])
    await expect(service.refresh('omen_rt_secret')).rejects.toThrow(
      `${server.host}: it redirects to ${other.url}, which is not followed`,
    )
    expect(other.requests).toEqual([])
    await other.close()
  })

  it('is not listened to for ever', async () => {
    server.answers.set(TOKEN, [
      (response) => {
        const send = () => {
          while (response.write('x'.repeat(65_536)));
          response.once('drain', send)
        }
        response.writeHead(200)
        send()
      },
    ])
    await expect(service.refresh('omen_rt_1')).rejects.toThrow('the answer is longer than any should be')
  })

  it.each([
    [
      'a page of HTML',
      (response: import('node:http').ServerResponse) => void response.end('<html>omen_rt_secret</html>'),
    ],
    ['nothing', { status: 200 }],
    ['tokens of wrong types', { status: 200, json: { access_token: 1, refresh_token: {}, token_type: 'Bearer' } }],
    ['an error that is no word', { status: 400, json: { error: '\u001b[2J' } }],
    ['another status', { status: 404, json: {} }],
  ])('and answers with %s is told apart from an omen-server', async (_, answer) => {
    server.answers.set(TOKEN, [answer])
    const failure = await service.refresh('omen_rt_secret').catch((error: Error) => error)
    expect(failure).toMatchObject({
      message: expect.stringMatching(/: HTTP \d+: it does not answer as an omen-server does$/),
    })
    expect(JSON.stringify(failure)).not.toContain('secret')
  })

  it('and sends people to a page that is not safe is refused', async () => {
    const json = { device_code: 'x', user_code: 'ABCD', verification_uri: 'file:///etc/passwd', expires_in: 900 }
    server.answers.set('/v1/auth/device', [{ status: 200, json }])
    await expect(service.begin()).rejects.toThrow('sends people to an address that is not safe')
  })
})

it('gives up on a service that says nothing, and on one that is not there', async () => {
  server.answers.set(TOKEN, [() => {}])
  const impatient = openAccountService({ url: new URL(server.url), env: {}, limit: 50 })
  expect(await impatient.exchange('x')).toEqual({ trouble: 'it did not answer in time', pause: undefined })
  impatient.close()
  await server.close()
  await expect(service.begin()).rejects.toThrow(
    `${server.host}: the connection was refused: check the address, or try again later`,
  )
})

it('refuses to send secrets without TLS to another machine', () => {
  expect(() => openAccountService({ url: new URL('http://omen.example.com'), env: {} })).toThrow(
    'http://omen.example.com: tokens go over https:// alone, or to this machine: use https://',
  )
})
