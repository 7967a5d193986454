import { describe, expect, test } from 'vitest'
import { BEARER, CLIENT, CONNECTION, OPENED, startApp, TOKEN, useApp } from '../../../test/http/app-under-test.js'
import { PROBLEMS, Problem, type ProblemCode } from '../../problem.js'

const COMPLETE = `/v1/api/oauth/${OPENED.transaction_id}/onboard`

describe('tokens', () => {
  const app = useApp()

  test.each([
    [{}, 'missing_token'],
    [{ authorization: '' }, 'missing_token'],
    [{ authorization: 'Bearer ' }, 'missing_token'],
    [{ authorization: TOKEN }, 'invalid_token'],
    [{ authorization: 'Basic YTpi' }, 'invalid_token'],
    [{ authorization: `Bearer ${TOKEN} ${TOKEN}` }, 'invalid_token'],
    [{ authorization: `Bearer "${TOKEN}"` }, 'invalid_token'],
  ])('%j is %s', async (headers, code) => {
    const { send, calls } = app()
    for (const url of ['/v1/api/oauth', `/v1/api/oauth?access_token=${TOKEN}`, COMPLETE]) {
      const response = await send({ method: 'POST', url, headers, payload: '{}' })
      expect(response.statusCode).toBe(401)
      expect(response.json().code).toBe(code)
      const challenge = response.headers['www-authenticate']
      expect(challenge).toMatch(/^Bearer realm="omen-onboarding"/)
      expect(String(challenge).includes('error="invalid_token"')).toBe(code === 'invalid_token')
      expect(response.body).not.toContain(TOKEN)
    }
    expect(calls).toEqual([])
  })

  test.each(['bearer', 'BEARER', 'bEaReR', 'Bearer  '])('the scheme may be written as %j', async (scheme) => {
    const { send, calls } = app()
    const headers = { authorization: `${scheme} ${TOKEN}` }
    await send({ method: 'POST', url: '/v1/api/oauth', headers, payload: JSON.stringify(CONNECTION) })
    expect(calls[0]![1]).toBe(TOKEN)
  })

  test('if token and body are invalid, the token is reported', async () => {
    const expired = new Problem('token_expired', 'This token expired with its code.')
    const { send } = await startApp({ onboarding: { authenticate: () => Promise.reject(expired) } })
    for (const payload of ['', '{', '[]', '{}']) {
      const response = await send({ method: 'POST', url: '/v1/api/oauth', headers: BEARER, payload })
      expect([response.statusCode, response.json().code]).toEqual([401, 'token_expired'])
      expect(response.headers['www-authenticate']).toContain('error="invalid_token"')
    }
  })

  test('if only the body is invalid, the body is reported', async () => {
    const { send } = await startApp({ onboarding: { authenticate: async () => ({}) } })
    const response = await send({ method: 'POST', url: '/v1/api/oauth', headers: BEARER, payload: '{}' })
    expect(response.json().code).toBe('invalid_request')
  })
})

describe('problems', () => {
  const failing = (error: unknown) => () => Promise.reject(error)

  let next: unknown
  const app = useApp({ onboarding: { complete: () => Promise.reject(next), exchangeCode: () => Promise.reject(next) } })

  test.each(Object.keys(PROBLEMS) as ProblemCode[])('%s of onboarding is sent with its status', async (code) => {
    const { send } = app()
    next = new Problem(code, 'What to do.', { retryAfter: 1.2 })
    const response = await send({ method: 'POST', url: COMPLETE, headers: BEARER, payload: JSON.stringify(CLIENT) })
    const { status, title } = PROBLEMS[code]
    expect(response.statusCode).toBe(status)
    expect(response.headers['content-type']).toBe('application/problem+json')
    expect(response.headers['retry-after']).toBe('2')
    expect(response.json()).toEqual({
      type: `http://localhost:8080/docs#${code}`,
      title,
      status,
      detail: 'What to do.',
      code,
    })
  })

  test('field errors are sent', async () => {
    const errors = [{ field: 'domain', message: 'is not a domain' }]
    const { send } = await startApp({
      onboarding: { openTransaction: failing(new Problem('invalid_request', 'Correct it.', { errors })) },
    })
    const payload = JSON.stringify(CONNECTION)
    const response = await send({ method: 'POST', url: '/v1/api/oauth', headers: BEARER, payload })
    expect(response.json().errors).toEqual(errors)
  })

  test.each([
    new Error('password=hush at db.internal'),
    'hush',
    null,
    undefined,
    { statusCode: 200 },
    Object.create(null),
  ])('nothing about an unknown error is sent: %j', async (error) => {
    const { send, logged } = await startApp({ onboarding: { exchangeCode: failing(error) } })
    const response = await send({ url: '/v1/auth/validate?code=x', headers: { 'x-request-id': 'find-me' } })
    expect(response.statusCode).toBe(500)
    expect(response.json()).toMatchObject({ code: 'internal', detail: expect.stringContaining('find-me') })
    expect(response.body).not.toContain('hush')
    expect(logged()).toContain('"requestId":"find-me"')
  })

  test('a 503 has a Retry-After header', async () => {
    const { send } = await startApp({ onboarding: { exchangeCode: failing(new Problem('unavailable', 'Away.')) } })
    expect((await send({ url: '/v1/auth/validate?code=x' })).headers['retry-after']).toBe('5')
  })
})
