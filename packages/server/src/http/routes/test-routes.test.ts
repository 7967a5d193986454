import { describe, expect, test } from 'vitest'
import { BEARER, CLIENT, OPENED, STARTED_TEST, startApp, TOKEN, useApp } from '../../../test/http/app-under-test.js'
import { Problem } from '../../problem.js'

const URL = `/v1/api/oauth/${OPENED.transaction_id}/test`

describe('POST …/test', () => {
  const app = useApp()

  test('passes on the client, and no other field of the body', async () => {
    const response = await app().send({
      method: 'POST',
      url: URL,
      headers: { ...BEARER, 'content-type': 'text/plain' },
      payload: JSON.stringify({ ...CLIENT, extra: 1 }),
    })
    expect(response.json()).toEqual(STARTED_TEST)
    expect(app().calls).toEqual([
      [
        'startTest',
        TOKEN,
        OPENED.transaction_id,
        CLIENT,
        expect.objectContaining({ address: '127.0.0.1', requestId: expect.any(String) }),
      ],
    ])
  })

  test('is validated like step 4', async () => {
    expect((await app().send({ method: 'POST', url: URL, payload: '{}' })).json()).toMatchObject({
      code: 'missing_token',
    })
    const empty = await app().send({ method: 'POST', url: URL, headers: BEARER, payload: '{}' })
    expect(empty.json()).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'client_id' }, { field: 'client_secret' }],
    })
    const broken = await app().send({ method: 'POST', url: URL, headers: BEARER, payload: '{' })
    expect(broken.json()).toMatchObject({ code: 'invalid_json' })
  })
})

describe('GET …/test', () => {
  test('reports the result of the test', async () => {
    const report = { status: 'failed', detail: 'Correct this.', at: '2026-11-15T12:00:00.000Z' } as const
    const { send, calls } = await startApp({ onboarding: { readTest: async () => report } })
    const response = await send({ url: URL, headers: BEARER })
    expect(response.json()).toEqual(report)
    expect(calls).toEqual([['readTest', TOKEN, OPENED.transaction_id]])
    expect((await send({ url: URL })).statusCode).toBe(401)
  })

  test('shares the limit of the token with POST', async () => {
    const { send } = await startApp({ settings: { limitCalls: 2 } })
    expect((await send({ url: URL, headers: BEARER })).statusCode).toBe(200)
    expect((await send({ method: 'POST', url: URL, headers: BEARER, payload: CLIENT })).statusCode).toBe(200)
    expect((await send({ url: URL, headers: BEARER })).statusCode).toBe(429)
  })

  test('is on the onboarding host and has no other method', async () => {
    const { send } = await startApp()
    const response = await send({ method: 'DELETE', url: URL, headers: BEARER })
    expect([response.statusCode, response.headers.allow]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
  })
})

test('an unknown transaction is reported as on other routes', async () => {
  const unknown = async () => {
    throw new Problem('unknown_transaction', 'There is no such transaction.')
  }
  const { send } = await startApp({ onboarding: { startTest: unknown, readTest: unknown } })
  expect((await send({ url: URL, headers: BEARER })).statusCode).toBe(404)
  expect((await send({ method: 'POST', url: URL, headers: BEARER, payload: CLIENT })).statusCode).toBe(404)
})
