import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { startApp, THREE_HOSTS, useApp } from '../../../test/http/app-under-test.js'
import { gathered } from '../../../test/releases/stage.js'
import { Problem } from '../../problem.js'
import type { Releases, ServedFile, Upload } from '../../releases/releases.js'

const TOKEN = `omen_${'2'.repeat(44)}`
const BEARER = { authorization: `Bearer ${TOKEN}` }
const VIEWER = {
  organizationId: 'o1',
  organization: 'Acme',
  tokenId: 't1',
  scopes: ['rules:read', 'rules:publish'],
} as const

const PACKAGE = {
  version: '1.4.0',
  file: 'omen-public-cre-rules.1.4.0.9f2c4e6a8b0d.yaml.gz',
  size: 100,
  sha256: 'ab'.repeat(32),
  url: 'http://localhost:8080/v1/rules/x',
  sha256_url: 'http://localhost:8080/v1/rules/x.sha256',
  sig_url: 'http://localhost:8080/v1/rules/x.sig',
  notes: '',
}

const BYTES = Buffer.from(Uint8Array.from({ length: 100 }, (_, index) => index))
const NAME = PACKAGE.file
const SIGNATURE = Buffer.alloc(70, 1).toString('base64')

const served = (name: string, isPrivate = false): ServedFile => ({
  name,
  size: BYTES.length,
  tag: 'abc',
  isPrivate,
  async *read(start, end) {
    yield BYTES.subarray(start, Math.min(start + 30, end))
    if (start + 30 < end) yield BYTES.subarray(start + 30, end)
  },
})

const uploads: (Omit<Upload, 'body'> & { readonly bytes: Buffer })[] = []

const releases: Releases = {
  identify: async (token) => {
    if (token === TOKEN) return VIEWER
    throw new Problem('invalid_token', 'This token is mistyped or was revoked.')
  },
  latest: async (requester) => ({ rules: PACKAGE, ...(requester && { private: PACKAGE }) }),
  history: async (_, { before, limit }) => ({
    releases: [
      { ...PACKAGE, channel: 'public', published_at: '2026-12-01T10:00:00.000Z', notes: `${before} ${limit}` },
    ],
  }),
  keys: async () => ({ keys: [{ id: '8e1f0a2b3c4d5e6f', pem: 'PEM', fingerprint: 'SHA256:x' }] }),
  find: async (_, name, requester) => {
    if (name.includes('private') && requester === undefined) return undefined
    return name.includes('none') ? undefined : served(name, name.includes('private'))
  },
  publish: async (_, { body, ...upload }) => {
    uploads.push({ ...upload, bytes: await gathered(body) })
    return { outcome: upload.name.includes('old') ? 'unchanged' : 'published', announced: PACKAGE }
  },
}

describe('the newest releases', () => {
  const app = useApp({ releases })

  test('are announced, and may be cached for a minute', async () => {
    const { statusCode, headers, body } = await app().send({ url: '/v1/rules/latest' })
    expect({ statusCode, body: JSON.parse(body) }).toEqual({ statusCode: 200, body: { rules: PACKAGE } })
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=60',
      vary: 'Accept-Encoding, Authorization',
      'content-type': 'application/json; charset=utf-8',
    })
  })

  test('are not sent again to a client that has them', async () => {
    const { headers } = await app().send({ url: '/v1/rules/latest' })
    for (const tag of [String(headers.etag), `"other", ${headers.etag}`, '*']) {
      const again = await app().send({ url: '/v1/rules/latest', headers: { 'if-none-match': tag } })
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', headers.etag])
    }
    const other = await app().send({ url: '/v1/rules/latest', headers: { 'if-none-match': '"other"' } })
    expect(other.statusCode).toBe(200)
    const mine = await app().send({
      url: '/v1/rules/latest',
      headers: { ...BEARER, 'if-none-match': String(headers.etag) },
    })
    expect(mine.statusCode).toBe(200)
  })

  test('include private rules for a token, and then only its requester may cache them', async () => {
    const { headers, body } = await app().send({ url: '/v1/rules/latest', headers: BEARER })
    expect(JSON.parse(body)).toEqual({ rules: PACKAGE, private: PACKAGE })
    expect(headers).toMatchObject({ 'cache-control': 'private, max-age=60', vary: 'Accept-Encoding, Authorization' })
  })

  test.each(['Bearer 1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b', 'Bearer', 'Basic b21lbl8=', ''])(
    '%j is anonymous',
    async (authorization) => {
      const { statusCode, body } = await app().send({ url: '/v1/rules/latest', headers: { authorization } })
      expect([statusCode, JSON.parse(body)]).toEqual([200, { rules: PACKAGE }])
    },
  )

  test('an invalid token of this service is rejected, and is not in the log', async () => {
    const authorization = `Bearer omen_${'3'.repeat(44)}`
    const { statusCode, headers, body } = await app().send({ url: '/v1/rules/latest', headers: { authorization } })
    expect([statusCode, JSON.parse(body).code]).toEqual([401, 'invalid_token'])
    expect(headers['www-authenticate']).toContain('invalid_token')
    expect(headers['cache-control']).toBe('no-store')
    await app().send({ url: `/v1/rules/omen_${'3'.repeat(44)}` })
    // The id of a request may have a few equal digits by chance.
    expect(app().logged()).not.toContain('3'.repeat(20))
  })

  test.each([
    ['gzip', (bytes: Buffer) => gunzipSync(bytes)],
    ['br', (bytes: Buffer) => brotliDecompressSync(bytes)],
  ])('are compressed with %s if the client accepts it', async (coding, unpack) => {
    const { headers, rawPayload } = await app().app.inject({
      url: '/v1/rules/latest',
      headers: { 'accept-encoding': coding },
    })
    expect(headers['content-encoding']).toBe(coding)
    expect(JSON.parse(unpack(rawPayload).toString())).toEqual({ rules: PACKAGE })
  })
})

describe('the history and the keys', () => {
  const app = useApp({ releases })

  test('are paginated', async () => {
    const notesOf = async (query: string) => (await app().send({ url: `/v1/rules${query}` })).json().releases[0].notes
    expect(await notesOf('')).toBe('undefined 20')
    expect(await notesOf('?limit=5&before=42')).toBe('42 5')
  })

  test.each(['?limit=0', '?limit=101', '?limit=x', '?limit=1&limit=2', '?before=x', '?before=1&before=2', '?before='])(
    '%s is rejected with a message for the field',
    async (query) => {
      const { statusCode, body } = await app().send({ url: `/v1/rules${query}` })
      expect([statusCode, JSON.parse(body)]).toMatchObject([422, { code: 'invalid_request', errors: [{}] }])
    },
  )

  test('keys are sent', async () => {
    expect((await app().send({ url: '/v1/rules/keys' })).json().keys).toHaveLength(1)
  })
})

describe('files', () => {
  const app = useApp({ releases })
  const url = `/v1/rules/${NAME}`
  const get = (headers: Record<string, string> = {}, address = url) => app().app.inject({ url: address, headers })

  test('are sent as a whole, may be cached forever, and are counted', async () => {
    const { statusCode, headers, rawPayload } = await get()
    expect([statusCode, rawPayload.equals(BYTES)]).toEqual([200, true])
    expect(headers).toMatchObject({
      etag: '"abc"',
      'accept-ranges': 'bytes',
      'content-length': '100',
      'content-type': 'application/gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(headers).not.toHaveProperty('content-encoding')
    await get({}, '/v1/tool/omen-0.3.0-linux-x64')
    const { body } = await app().app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
    expect(body).toMatch(/^omen_downloads_total\{kind="rules"\} 1$/m)
    expect(body).toMatch(/^omen_downloads_total\{kind="tool"\} 1$/m)
  })

  test('are sent in ranges', async () => {
    const { statusCode, headers, rawPayload } = await get({ range: 'bytes=25-74' })
    expect([statusCode, rawPayload.equals(BYTES.subarray(25, 75))]).toEqual([206, true])
    expect(headers).toMatchObject({ 'content-range': 'bytes 25-74/100', 'content-length': '50', etag: '"abc"' })
    const beyond = await get({ range: 'bytes=100-' })
    expect([beyond.statusCode, beyond.json().code, beyond.headers['content-range']]).toEqual([
      416,
      'range_not_satisfiable',
      'bytes */100',
    ])
    expect((await get({ range: 'bytes=0-1,3-4' })).statusCode).toBe(200)
  })

  test('are sent in ranges only if the client has the same file', async () => {
    const statusOf = async (ifRange: string) => (await get({ range: 'bytes=5-', 'if-range': ifRange })).statusCode
    expect(await statusOf('"abc"')).toBe(206)
    for (const other of ['"abd"', 'W/"abc"', 'Sun, 06 Nov 1994 08:49:37 GMT', ''])
      expect(await statusOf(other)).toBe(200)
  })

  test('are not sent again to a client that has them', async () => {
    const { statusCode, headers, body } = await get({ 'if-none-match': '"abc"', range: 'bytes=5-' })
    expect([statusCode, body, headers.etag]).toEqual([304, '', '"abc"'])
    expect(headers).not.toHaveProperty('content-length')
  })

  test('are not read for HEAD', async () => {
    let isRead = false
    const { read, ...file } = served(NAME)
    const watched: ServedFile = {
      ...file,
      read: (start, end) => {
        isRead = true
        return read(start, end)
      },
    }
    const { app: other } = await startApp({ releases: { ...releases, find: async () => watched } })
    const { statusCode, headers, body } = await other.inject({ method: 'HEAD', url, headers: { range: 'bytes=5-' } })
    expect([statusCode, headers['content-length'], body, isRead]).toEqual([200, '100', '', false])
    expect(headers).not.toHaveProperty('content-range')
  })

  test('that are private need a token, and do not exist without it', async () => {
    const address = '/v1/rules/omen-private-cre-rules.1.4.0.9f2c4e6a8b0d.yaml.gz'
    const mine = await get(BEARER, address)
    expect(mine.headers).toMatchObject({
      'cache-control': 'private, max-age=31536000, immutable',
      vary: 'Authorization',
    })
    const theirs = await app().send({ url: address })
    expect([theirs.statusCode, theirs.json().code]).toEqual([404, 'unknown_file'])
    expect((await app().send({ url: '/v1/tool/none' })).json().code).toBe('unknown_file')
  })

  test('are on the host of sign-in', async () => {
    const { send } = await startApp({ releases, settings: THREE_HOSTS })
    const { statusCode, body } = await send({ url: '/v1/rules/latest', headers: { host: 'start.omen.example' } })
    expect([statusCode, JSON.parse(body).detail]).toEqual([404, expect.stringContaining(THREE_HOSTS.baseUrl)])
    expect((await send({ url: '/v1/rules/latest', headers: { host: 'login.omen.example' } })).statusCode).toBe(200)
  })
})

test('are limited by address', async () => {
  const { send } = await startApp({ releases, settings: { limitDownloads: 2 } })
  const statuses = []
  for (const url of ['/v1/rules/latest', '/v1/rules/keys', '/v1/rules/latest'])
    statuses.push((await send({ url })).statusCode)
  expect(statuses).toEqual([200, 200, 429])
  expect((await send({ url: '/v1/rules/latest', remoteAddress: '192.0.2.9' })).statusCode).toBe(200)
})

describe('publishing', () => {
  const app = useApp({ releases })
  const put = (
    headers: Record<string, string>,
    name = 'omen-private-cre-rules.1.0.0.9f2c4e6a8b0d.yaml.gz',
    payload = BYTES,
  ) => app().send({ method: 'PUT', url: `/v1/rules/${name}`, headers, payload })

  test('accepts the bytes with any Content-Type', async () => {
    const types = ['application/gzip', 'application/json', 'not a type', '']
    for (const type of types) {
      const { statusCode, body } = await put({ ...BEARER, 'omen-signature': SIGNATURE, 'content-type': type })
      expect([statusCode, JSON.parse(body)]).toEqual([201, PACKAGE])
    }
    expect(uploads).toHaveLength(types.length)
    expect(uploads[0]).toMatchObject({ detail: { address: '127.0.0.1' } })
    expect(uploads.every(({ bytes, signature }) => bytes.equals(BYTES) && signature.length === 70)).toBe(true)
  })

  test('has another status for a package that is already published', async () => {
    expect((await put({ ...BEARER, 'omen-signature': SIGNATURE }, 'old')).statusCode).toBe(200)
  })

  test.each([
    [{}, 401, 'missing_token'],
    [{ authorization: 'Bearer abc' }, 401, 'missing_token'],
    [{ authorization: `Bearer omen_${'3'.repeat(44)}` }, 401, 'invalid_token'],
    [{ ...BEARER }, 422, 'signature_rejected'],
    [{ ...BEARER, 'omen-signature': 'not base64!' }, 422, 'signature_rejected'],
    [{ ...BEARER, 'omen-signature': SIGNATURE, 'content-length': String(17 * 1024 * 1024) }, 413, 'body_too_large'],
  ])('with %j responds with %i %s', async (headers, status, code) => {
    const { statusCode, body } = await put(headers as Record<string, string>)
    expect([statusCode, JSON.parse(body).code]).toEqual([status, code])
  })
})
