import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { connectService } from './client.js'
import { curlCommand } from './curl.js'
import { readFailure, retrySeconds } from './failure.js'
import { placeFailure, remedyOf } from './remedies.js'

const NOW = new Date('2026-12-01T10:00:00Z')
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

interface Seen {
  method?: string | undefined
  url?: string | undefined
  authorization?: string | undefined
  body: string
}

/** A service that answers everything in the same way. */
async function answering(status: number, body: string, headers: Record<string, string> = {}) {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    let sent = ''
    request.on('data', (chunk) => {
      sent += chunk
    })
    request.on('end', () => {
      const { method, url, headers: got } = request
      seen.push({ method, url, authorization: got.authorization, body: sent })
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close().closeAllConnections())
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/onboard/`
  return { seen, base, service: connectService({ base, fetch, now: () => NOW }) }
}

describe('the client', () => {
  test('asks below the folder of the page, and escapes what it sends', async () => {
    const { service, seen, base } = await answering(200, '{"token":"ey.a.b"}')
    expect(await service.exchangeCode('A B&c')).toEqual({ ok: true, value: { token: 'ey.a.b' } })
    expect(seen[0]).toMatchObject({ method: 'GET', url: '/onboard/v1/auth/validate?code=A%20B%26c' })
    expect(service.address('v1/api/oauth')).toBe(`${base}v1/api/oauth`)
  })

  test('sends the token as a bearer and the body as JSON', async () => {
    const { service, seen } = await answering(
      200,
      '{"sign_in_uri":"https://x/1","transaction_id":"t","expires_at":"2026-12-03T10:00:00Z"}',
    )
    const request = { well_known_url: 'https://idp/', domain: 'acme.com', org_name: 'Acme' }
    expect((await service.openTransaction('ey.a.b', request)).ok).toBe(true)
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/onboard/v1/api/oauth', authorization: 'Bearer ey.a.b' })
    expect(JSON.parse(seen[0]!.body)).toEqual(request)
  })

  test('keeps a transaction id inside its part of the address', async () => {
    const { service, seen } = await answering(200, '{"login_url":"https://x/l","app_url":"https://x"}')
    await service.complete('t', '../../evil', { client_id: 'a', client_secret: 'b' })
    expect(seen[0]?.url).toBe('/onboard/v1/api/oauth/..%2F..%2Fevil/onboard')
  })

  test('takes no success for one that holds something else', async () => {
    for (const body of ['{}', '[]', 'null', '<html>', '{"token":1}']) {
      const { service } = await answering(200, body)
      expect(await service.exchangeCode('x')).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
    }
  })

  test('makes no link of an address that is none', async () => {
    const { service } = await answering(200, '{"test_url":"javascript:alert(1)"}')
    expect((await service.startTest('t', 'x', { client_id: 'a', client_secret: 'b' })).ok).toBe(false)
  })

  test('says that it is offline when nobody answers', async () => {
    const service = connectService({ base: 'http://127.0.0.1:1/', fetch, now: () => NOW })
    expect(await service.exchangeCode('x')).toMatchObject({ ok: false, failure: { code: 'offline' } })
  })

  test('reads what the server says about itself, and says when it says nothing', async () => {
    const told = await answering(200, '{"base_url":"https://b","app_url":"https://a","test_sign_in":true}')
    const value = { base_url: 'https://b', app_url: 'https://a', test_sign_in: true }
    expect(await told.service.readSetup()).toEqual({ ok: true, value })
    const silent = await answering(404, '')
    expect(await silent.service.readSetup()).toMatchObject({ ok: false })
  })
})

describe('a failure', () => {
  const headers = (values: Record<string, string> = {}) => new Headers(values)

  test('has the words of the service', () => {
    const body = {
      code: 'invalid_request',
      title: 'T',
      detail: 'D',
      errors: [{ field: 'domain', message: 'M' }, 'x', {}],
    }
    expect(readFailure(422, body, headers(), NOW)).toEqual({
      code: 'invalid_request',
      title: 'T',
      detail: 'D',
      errors: [{ field: 'domain', message: 'M' }],
    })
  })

  test('of something in between is told by its status', () => {
    expect(readFailure(502, '<html>', headers({ 'x-request-id': 'r1' }), NOW)).toMatchObject({
      code: 'unreadable',
      title: 'The service answered with status 502',
      requestId: 'r1',
    })
    expect(readFailure(429, undefined, headers(), NOW)).toMatchObject({ code: 'rate_limited', retryAfter: 60 })
  })

  test.each([
    ['30', 30],
    ['0', 1],
    ['999999', 3600],
    ['Tue, 01 Dec 2026 10:00:45 GMT', 45],
    ['Tue, 01 Dec 2020 10:00:45 GMT', 1],
    ['soon', 60],
    [null, 60],
  ])('with Retry-After %j waits for %d s', (header, seconds) => {
    expect(retrySeconds(header, NOW)).toBe(seconds)
  })

  const fields = ['well_known_url', 'domain', 'org_name'] as const
  const failure = (code: string, errors: { field: string; message: string }[] = []) => ({
    code,
    title: 'T',
    detail: 'D',
    errors,
  })

  test('stands at the field that it is about', () => {
    expect(placeFailure(failure('discovery_failed'), fields)).toEqual({
      atField: { well_known_url: 'D' },
      elsewhere: [],
      above: false,
    })
    const errors = [
      { field: 'domain', message: 'first' },
      { field: 'domain', message: 'second' },
    ]
    expect(placeFailure(failure('invalid_request', errors), fields)).toMatchObject({
      atField: { domain: 'first' },
      above: false,
    })
    const short = [{ field: 'well_known_url', message: 'cannot be read' }]
    expect(placeFailure(failure('discovery_failed', short), fields).atField).toEqual({ well_known_url: 'D' })
  })

  test('about a field that has more to say says it above, too', () => {
    const errors = [{ field: 'client_secret', message: 'Copy it again.' }]
    expect(placeFailure(failure('client_rejected', errors), ['client_id', 'client_secret'])).toEqual({
      atField: { client_secret: 'Copy it again.' },
      elsewhere: [],
      above: true,
    })
    const same = { ...failure('client_rejected', errors), detail: 'It says invalid_client. Copy it again.' }
    expect(placeFailure(same, ['client_id', 'client_secret']).atField).toEqual({ client_secret: 'See above.' })
  })

  test('stands above the form when no field of it is meant', () => {
    expect(placeFailure(failure('client_rejected'), fields)).toMatchObject({ atField: {}, above: true })
    expect(placeFailure(failure('invalid_code'), fields)).toMatchObject({ atField: {}, above: true })
    const foreign = [{ field: 'nonsense', message: 'M' }]
    expect(placeFailure(failure('invalid_request', foreign), fields)).toMatchObject({ elsewhere: foreign, above: true })
  })

  test('that nobody knows offers nothing', () => {
    expect(remedyOf('constructor')).toEqual({})
  })
})

describe('a curl command', () => {
  test('has one part per line', () => {
    expect(curlCommand({ url: 'https://x/v1', token: 'ey', body: { a: 'b' } })).toBe(
      `curl 'https://x/v1' \\\n  -H 'Authorization: Bearer ey' \\\n  -d '{\n  "a": "b"\n}'`,
    )
  })

  test('means the same to a shell, whatever is in it', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'))
    fc.assert(
      fc.property(text, (value) => {
        const command = curlCommand({ url: `https://x/${value}`, body: { name: value } })
        const script = `curl() { printf '%s\\0' "$@"; }\n${command}`
        const words = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0')
        expect(words[0]).toBe(`https://x/${value}`)
        expect(JSON.parse(words[2]!)).toEqual({ name: value })
      }),
      { numRuns: 50 },
    )
  })
})
