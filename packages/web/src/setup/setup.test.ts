import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { type Check, sendable } from '../checks/check.js'
import { checkCode, checkOrganizationName, codeOfLink } from './checks.js'
import { connectService } from './client.js'
import { curlCommand } from './curl-panel.js'

const fixOf = (check: Check) => ('fix' in check ? check.fix : undefined)
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

/** A service that sends the same response to every request. */
async function respondingWith(status: number, body: string, headers: Record<string, string> = {}) {
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
  test('sends requests below the folder of the page, with escaped values', async () => {
    const { service, seen, base } = await respondingWith(200, '{"token":"ey.a.b"}')
    expect(await service.exchangeCode('A B&c')).toEqual({ ok: true, value: { token: 'ey.a.b' } })
    expect(seen[0]).toMatchObject({ method: 'GET', url: '/onboard/v1/auth/validate?code=A%20B%26c' })
    expect(service.url('v1/api/oauth')).toBe(`${base}v1/api/oauth`)
  })

  test('sends the token as a bearer token and the body as JSON', async () => {
    const { service, seen } = await respondingWith(
      200,
      '{"sign_in_uri":"https://x/1","transaction_id":"t","expires_at":"2026-12-03T10:00:00Z"}',
    )
    const request = { well_known_url: 'https://idp/', domain: 'acme.com', org_name: 'Acme' }
    expect((await service.openTransaction('ey.a.b', request)).ok).toBe(true)
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/onboard/v1/api/oauth', authorization: 'Bearer ey.a.b' })
    expect(JSON.parse(seen[0]!.body)).toEqual(request)
  })

  test('escapes a transaction ID in the path', async () => {
    const { service, seen } = await respondingWith(200, '{"login_url":"https://x/l","app_url":"https://x"}')
    await service.complete('t', '../../evil', { client_id: 'a', client_secret: 'b' })
    expect(seen[0]?.url).toBe('/onboard/v1/api/oauth/..%2F..%2Fevil/onboard')
  })

  test('rejects a successful response with an unexpected body', async () => {
    for (const body of ['{}', '[]', 'null', '<html>', '{"token":1}']) {
      const { service } = await respondingWith(200, body)
      expect(await service.exchangeCode('x')).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
    }
  })

  test('rejects a test URL that is not an http(s) URL', async () => {
    const { service } = await respondingWith(200, '{"test_url":"javascript:alert(1)"}')
    expect((await service.startTest('t', 'x', { client_id: 'a', client_secret: 'b' })).ok).toBe(false)
  })

  test('reports that it is offline when the connection fails', async () => {
    const service = connectService({ base: 'http://127.0.0.1:1/', fetch, now: () => NOW })
    expect(await service.exchangeCode('x')).toMatchObject({ ok: false, failure: { code: 'offline' } })
  })

  test('reads the set-up file, and reports when there is none', async () => {
    const present = await respondingWith(200, '{"base_url":"https://b","app_url":"https://a","test_sign_in":true}')
    const value = { base_url: 'https://b', app_url: 'https://a', test_sign_in: true }
    expect(await present.service.readSetup()).toEqual({ ok: true, value })
    const missing = await respondingWith(404, '')
    expect(await missing.service.readSetup()).toMatchObject({ ok: false })
  })
})

describe('a curl command', () => {
  test('has one option per line', () => {
    expect(curlCommand({ url: 'https://x/v1', token: 'ey', body: { a: 'b' } })).toBe(
      `curl 'https://x/v1' \\\n  -H 'Authorization: Bearer ey' \\\n  -d '{\n  "a": "b"\n}'`,
    )
  })

  test('is expanded by no shell, whatever the values contain', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'))
    fc.assert(
      fc.property(text, (value) => {
        const command = curlCommand({ url: `https://x/${value}`, body: { name: value } })
        const script = `curl() { printf '%s\\0' "$@"; }\n${command}`
        const argv = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0')
        expect(argv[0]).toBe(`https://x/${value}`)
        expect(JSON.parse(argv[2]!)).toEqual({ name: value })
      }),
      { numRuns: 50 },
    )
  })
})

describe('a code', () => {
  test.each([
    ['K7QF2M-9XTR4B'],
    ['k7qf2m-9xtr4b'],
    ['  K7QF2M 9XTR4B\n'],
    ['K7QF2M9XTR4B'],
    ['K7QF2M–9XTR4B'],
    ['https://omen.example/#code=K7QF2M-9XTR4B'],
    ['https://omen.example/#code=k7qf2m%2D9xtr4b&x=1'],
  ])('typed as %j is understood', (text) => {
    expect(checkCode(text)).toEqual({ state: 'good', value: 'K7QF2M-9XTR4B' })
  })

  test('that is unfinished is not rejected yet', () => {
    for (const text of ['K', 'K7QF2M', 'K7QF2M-', 'K7QF2M-9XTR4']) expect(checkCode(text).state).toBe('partial')
    expect(checkCode(' ').state).toBe('empty')
  })

  test('with a letter that looks like a digit is corrected on request', () => {
    expect(fixOf(checkCode('K7QFOM-9XTRLB'))).toBe('K7QF0M-9XTR1B')
  })

  test('with invalid or too many characters is rejected, and the message names them', () => {
    expect(checkCode('K7QF2M-9XTR4U')).toMatchObject({ state: 'bad', message: expect.stringContaining('“U”') })
    expect(checkCode('K7QF2M-9XTR4B1')).toMatchObject({ state: 'bad', message: expect.stringContaining('13') })
  })

  test('in a link that cannot be decoded is used unchanged', () => {
    expect(codeOfLink('#code=%zz')).toBe('%zz')
    expect(codeOfLink('#step=2')).toBeUndefined()
  })

  test('is always submitted as two groups of six characters', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const value = sendable(checkCode(text))
        return value === undefined || /^[0-9A-HJKMNP-TV-Z]{6}-[0-9A-HJKMNP-TV-Z]{6}$/.test(value)
      }),
    )
  })
})

describe('the name of an organization', () => {
  test('is trimmed, and has at most 200 characters of any size', () => {
    expect(checkOrganizationName('  Acme  ')).toEqual({ state: 'good', value: 'Acme' })
    expect(checkOrganizationName('🦉'.repeat(200)).state).toBe('good')
    expect(checkOrganizationName('a'.repeat(201)).state).toBe('bad')
    expect(checkOrganizationName('Ac\u0007me').state).toBe('bad')
    expect(checkOrganizationName('   ').state).toBe('empty')
  })
})
