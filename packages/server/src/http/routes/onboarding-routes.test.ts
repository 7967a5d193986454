import { describe, expect, test } from 'vitest'
import {
  BEARER,
  CLIENT,
  COMPLETED,
  CONNECTION,
  OPENED,
  startApp,
  TOKEN,
  useApp,
} from '../../../test/http/app-under-test.js'
import { Problem } from '../../problem.js'

const COMPLETE = `/v1/api/oauth/${OPENED.transaction_id}/onboard`

describe('step 1: the code for a token', () => {
  const app = useApp()

  test('a code is passed on unchanged, with the requester', async () => {
    const { send, calls } = app()
    const response = await send({
      url: '/v1/auth/validate?code=k7qf2m-9xtr4b',
      headers: { 'x-request-id': 'from-proxy-7' },
      remoteAddress: '203.0.113.7',
    })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ token: 'a.b.c' })
    expect(response.headers['cache-control']).toBe('no-store')
    expect(calls).toEqual([
      ['exchangeCode', 'k7qf2m-9xtr4b', { address: '203.0.113.7', requestId: 'from-proxy-7', agent: 'lightMyRequest' }],
    ])
  })

  test.each([
    ['/v1/auth/validate', 'missing_code'],
    ['/v1/auth/validate?', 'missing_code'],
    ['/v1/auth/validate?code=', 'missing_code'],
    ['/v1/auth/validate?token=x', 'missing_code'],
    ['/v1/auth/validate?code=a&code=b', 'bad_request'],
  ])('%s is %s', async (url, code) => {
    const { send, calls } = app()
    const response = await send({ url })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code, detail: expect.stringContaining('/v1/auth/validate?code=') })
    expect(calls).toEqual([])
  })

  test.each(['%00', '%E2%98%83', '__proto__', "'; drop table codes", '%ff'])(
    'a code like %j is passed to onboarding, which rejects it',
    async (code) => {
      const { send, calls } = await startApp({
        onboarding: { exchangeCode: () => Promise.reject(new Problem('invalid_code', 'This code is not known.')) },
      })
      const response = await send({ url: `/v1/auth/validate?code=${code}` })
      expect(response.statusCode).toBe(401)
      expect(response.headers['www-authenticate']).toBe('Bearer realm="omen-onboarding"')
      expect(calls).toHaveLength(1)
    },
  )

  test('HEAD has the response of GET without a body', async () => {
    const { send } = app()
    const response = await send({ method: 'HEAD', url: '/v1/auth/validate?code=x' })
    expect([response.statusCode, response.body]).toEqual([200, ''])
  })
})

describe('step 2: the identity provider for a transaction', () => {
  const app = useApp()

  test.each([
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain; charset=latin1',
    'multipart/form-data',
    ';;; nonsense',
    '',
    undefined,
  ])('the body is JSON even if the Content-Type is %j', async (type) => {
    const { send, calls } = app()
    const response = await send({
      method: 'POST',
      url: '/v1/api/oauth',
      headers: { ...BEARER, ...(type !== undefined && { 'content-type': type }) },
      payload: Buffer.from(JSON.stringify(CONNECTION)),
    })
    expect(response.json()).toEqual(OPENED)
    expect(response.statusCode).toBe(200)
    expect(response.headers['cache-control']).toBe('no-store')
    expect(calls).toEqual([['openTransaction', TOKEN, CONNECTION, expect.objectContaining({ address: '127.0.0.1' })]])
  })

  test('unknown fields are not passed on', async () => {
    const { send, calls } = app()
    const payload = `{"__proto__":{"admin":true},"constructor":{"prototype":{}},"extra":1,${JSON.stringify(CONNECTION).slice(1)}`
    const response = await send({ method: 'POST', url: '/v1/api/oauth', headers: BEARER, payload })
    expect(response.statusCode).toBe(200)
    expect(calls[0]![2]).toEqual(CONNECTION)
    expect(Object.keys(calls[0]![2] as object)).toEqual(Object.keys(CONNECTION))
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  test.each([
    [{}, { well_known_url: 'is missing', domain: 'is missing', org_name: 'is missing' }],
    [{ ...CONNECTION, domain: '' }, { domain: 'is empty' }],
    [{ ...CONNECTION, domain: null }, { domain: 'must be a string' }],
    [{ ...CONNECTION, domain: ['acme.example'] }, { domain: 'must be a string' }],
    [{ ...CONNECTION, org_name: 7 }, { org_name: 'must be a string' }],
    [
      { ...CONNECTION, org_name: ' \n ', domain: '\t' },
      { org_name: 'contains only spaces', domain: 'contains only spaces' },
    ],
  ])('%j is 422 and names the field', async (body, fields) => {
    const { send, calls } = app()
    const response = await send({
      method: 'POST',
      url: '/v1/api/oauth',
      headers: BEARER,
      payload: JSON.stringify(body),
    })
    expect(response.statusCode).toBe(422)
    const { code, errors, detail } = response.json()
    expect(code).toBe('invalid_request')
    expect(Object.fromEntries(errors.map(({ field, message }: never) => [field, message]))).toEqual(fields)
    for (const { field, message } of errors) expect(detail).toContain(`${field} ${message}`)
    expect(calls).toEqual([])
  })

  test.each([
    [{ ...CONNECTION, org_name: 'Łódź & Söhne “GmbH” 株式会社 👩‍💻' }],
    [{ ...CONNECTION, domain: 'bücher.example' }],
    [{ ...CONNECTION, well_known_url: 'http://idp.internal/x' }],
    [{ ...CONNECTION, well_known_url: ' https://acme.okta.example/x\n' }],
    [{ ...CONNECTION, well_known_url: 'file:///etc/passwd' }],
    [{ ...CONNECTION, org_name: 'Acme\u0000' }],
  ])('%j is passed to onboarding', async (body) => {
    const { send, calls } = app()
    const response = await send({
      method: 'POST',
      url: '/v1/api/oauth',
      headers: BEARER,
      payload: JSON.stringify(body),
    })
    expect(response.statusCode).toBe(200)
    expect(calls[0]![2]).toEqual(body)
  })

  test.each(['[]', '"text"', '7', 'null', 'true'])('JSON that is not an object is 422: %s', async (payload) => {
    const { send } = app()
    const response = await send({ method: 'POST', url: '/v1/api/oauth', headers: BEARER, payload })
    expect(response.statusCode).toBe(422)
    expect(response.json()).toMatchObject({ code: 'invalid_request', detail: expect.stringContaining('object') })
  })

  test.each([
    undefined,
    '',
    '  \n',
    '{',
    '{"domain": acme}',
    "{'domain': 'acme'}",
    'domain=acme.example',
    Buffer.from([0xff, 0xfe]),
  ])('a body that is not JSON is 400: %j', async (payload) => {
    const { send, calls } = app()
    const response = await send({
      method: 'POST',
      url: '/v1/api/oauth',
      headers: BEARER,
      ...(payload !== undefined && { payload }),
    })
    expect(response.statusCode).toBe(400)
    expect(response.json().code).toBe('invalid_json')
    expect(calls).toEqual([])
  })

  test('characters outside the BMP count once: a name has at most 200 characters', async () => {
    const { send } = app()
    const named = (org_name: string) =>
      send({
        method: 'POST',
        url: '/v1/api/oauth',
        headers: BEARER,
        payload: JSON.stringify({ ...CONNECTION, org_name }),
      })
    expect((await named('🏢'.repeat(200))).statusCode).toBe(200)
    const refused = await named('🏢'.repeat(201))
    expect(refused.json().errors).toEqual([{ field: 'org_name', message: 'has more than 200 characters' }])
  })

  test('deeply nested and unclosed brackets are rejected like other bodies', async () => {
    const { send } = app()
    const request = { method: 'POST', url: '/v1/api/oauth', headers: BEARER } as const
    expect((await send({ ...request, payload: '['.repeat(65_000) })).json().code).toBe('invalid_json')
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
    expect((await send({ ...request, payload: deep })).json().code).toBe('invalid_request')
    const hidden = `{"extra":${deep},${JSON.stringify(CONNECTION).slice(1)}`
    expect((await send({ ...request, payload: hidden })).statusCode).toBe(200)
  })

  test('a body of 64 KiB is accepted, and one byte more is 413', async () => {
    const { send } = app()
    const whole = (size: number) => {
      const body = JSON.stringify({ ...CONNECTION, filler: '' })
      return body.replace('"filler":""', `"filler":"${'x'.repeat(size - body.length)}"`)
    }
    const request = { method: 'POST', url: '/v1/api/oauth', headers: BEARER } as const
    expect((await send({ ...request, payload: whole(65_536) })).statusCode).toBe(200)
    const refused = await send({ ...request, payload: whole(65_537) })
    expect([refused.statusCode, refused.json().code]).toEqual([413, 'body_too_large'])
  })
})

describe('step 4: the client for a connection', () => {
  const app = useApp()

  test('the transaction, the client and the token are passed on', async () => {
    const { send, calls } = app()
    const response = await send({ method: 'POST', url: COMPLETE, headers: BEARER, payload: JSON.stringify(CLIENT) })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual(COMPLETED)
    expect(calls).toEqual([['complete', TOKEN, OPENED.transaction_id, CLIENT, expect.anything()]])
  })

  test.each(['nope', '%00', '%2e%2e%2fadmin', '%F0%9F%98%80'])(
    'any transaction ID is passed to onboarding: %s',
    async (id) => {
      const { send } = await startApp({
        onboarding: {
          complete: () => Promise.reject(new Problem('unknown_transaction', 'There is no such transaction.')),
        },
      })
      const response = await send({
        method: 'POST',
        url: `/v1/api/oauth/${id}/onboard`,
        headers: BEARER,
        payload: JSON.stringify(CLIENT),
      })
      expect(response.statusCode).toBe(404)
    },
  )

  test('a secret that is not valid is not quoted', async () => {
    const { send, logged } = app()
    const payload = JSON.stringify({ client_secret: 'hush'.repeat(2000) })
    const response = await send({ method: 'POST', url: COMPLETE, headers: BEARER, payload })
    expect(response.statusCode).toBe(422)
    expect(response.body + logged()).not.toContain('hush')
  })
})
