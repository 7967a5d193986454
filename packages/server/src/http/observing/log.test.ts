import { describe, expect, test } from 'vitest'
import { BEARER, CLIENT, CONNECTION, startApp, TOKEN } from '../../../test/http/app-under-test.js'
import { Problem } from '../../problem.js'
import { createLogger, scrub } from './log.js'

const CODE = 'K7QF2M-9XTR4B'

describe('the log', () => {
  test('has one line per request with the fields that an operator needs', async () => {
    const { send, logged } = await startApp()
    await send({
      method: 'POST',
      url: '/v1/api/oauth?debug=1',
      headers: { ...BEARER, 'x-request-id': 'r-1' },
      payload: '{}',
      remoteAddress: '203.0.113.7',
    })
    const lines = logged().trim().split('\n')
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      requestId: 'r-1',
      method: 'POST',
      path: '/v1/api/oauth',
      status: 422,
      problem: 'invalid_request',
      address: '203.0.113.7',
      ms: expect.any(Number),
    })
  })

  test('has health checks only at the level debug', async () => {
    const { send, logged } = await startApp()
    await send({ url: '/healthz' })
    expect(JSON.parse(logged()).level).toBe('debug')
  })

  test('has an unexpected error with its stack and the request ID', async () => {
    const { send, logged } = await startApp({
      onboarding: { exchangeCode: () => Promise.reject(new TypeError('x is not a function')) },
    })
    await send({ url: '/v1/auth/validate?code=x', headers: { 'x-request-id': 'r-2' } })
    const fault = JSON.parse(logged().split('\n')[0]!)
    expect(fault).toMatchObject({
      level: 'error',
      requestId: 'r-2',
      err: { type: 'TypeError', message: 'x is not a function' },
    })
    expect(fault.err.stack).toContain('log.test')
  })
})

describe('secrets', () => {
  test('are in no log line, no metric and no error', async () => {
    const leaky = new Error(`connect postgres://omen:hush-db@db failed for code=${CODE} with Bearer ${TOKEN}`, {
      cause: new Error(`{"client_secret":"${CLIENT.client_secret}"}`),
    })
    const cookie = { cookie: 'session=hush-cookie' }
    for (const failure of [undefined, leaky, new Problem('unavailable', 'Away.', { cause: leaky })]) {
      const settle = <T>(value: T) => (failure === undefined ? Promise.resolve(value) : Promise.reject(failure))
      const { send, logged } = await startApp({
        onboarding: {
          exchangeCode: () => settle({ token: TOKEN }),
          openTransaction: () => settle({ sign_in_uri: 'x', transaction_id: 'y', expires_at: 'z' }),
          complete: () => settle({ status: 'completed' as const, login_url: 'x', app_url: 'y' }),
        },
      })
      const responses = [
        await send({ url: `/v1/auth/validate?code=${CODE}`, headers: cookie }),
        await send({ url: `/v1/auth/validate/${CODE}` }),
        await send({ url: `/v1/auth/validate/${CODE.toLowerCase().replace('-', '%2D')}` }),
        await send({ url: `/v1/auth/callback/x?code=${CODE}&state=hush` }),
        await send({ url: `/${TOKEN}` }),
        await send({ url: `/v1/api/oauth?code=${CODE}&token=${TOKEN}`, method: 'POST' }),
        await send({
          url: '/v1/api/oauth',
          method: 'POST',
          headers: { ...BEARER, ...cookie },
          payload: JSON.stringify(CONNECTION),
        }),
        await send({
          url: '/v1/api/oauth',
          method: 'POST',
          headers: BEARER,
          payload: `{"client_secret":"${CLIENT.client_secret}`,
        }),
        await send({
          url: '/v1/api/oauth/t/onboard',
          method: 'POST',
          headers: BEARER,
          payload: JSON.stringify(CLIENT),
        }),
        await send({ url: '/metrics' }),
      ]
      const headersAndBodies = responses
        .slice(failure === undefined ? 1 : 0)
        .map(({ body, headers }) => body + JSON.stringify(headers))
      const everything = [logged(), ...headersAndBodies].join('\n')
      for (const secret of [CODE, '9XTR4B', TOKEN, TOKEN.split('.')[2]!, CLIENT.client_secret, 'hush']) {
        expect(everything.toLowerCase()).not.toContain(secret.toLowerCase())
      }
    }
  })

  test('are hidden by their key, also in other log lines', () => {
    const lines: string[] = []
    const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } })
    log.info({
      token: 'hush',
      client_secret: 'hush',
      password: 'hush',
      authorization: 'hush',
      cookie: 'hush',
      'set-cookie': 'hush',
    })
    log.info({
      settings: { databaseUrl: 'hush', port: 8080 },
      body: { clientSecret: 'hush' },
      headers: { authorization: 'hush' },
    })
    log.info({ req: { headers: { authorization: 'hush', cookie: 'hush' }, query: { code: CODE } } })
    log.info({ a: { b: { c: { d: { e: { f: { g: 'hush' } } } } } } })
    log.info({ err: Object.assign(new Error('x'), { code: 'ECONNREFUSED', token: 'hush' }) })
    expect(lines.join('')).not.toMatch(new RegExp(`hush|${CODE}`))
    expect(lines.join('')).toContain('8080')
    expect(lines.join('')).toContain('ECONNREFUSED')
  })

  test('are recognized by their form', () => {
    expect(scrub(`a ${CODE} b ${CODE.toLowerCase()}`)).toBe('a [hidden] b [hidden]')
    expect(scrub(`authorization: bearer ${TOKEN}`)).toBe('authorization: bearer [hidden]')
    expect(scrub('https://u:p@host/x')).toBe('https://u:[hidden]@host/x')
    expect(scrub('1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b at /v1/api/oauth')).toBe(
      '1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b at /v1/api/oauth',
    )
  })
})
