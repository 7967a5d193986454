import { describe, expect, test } from 'vitest'
import { begin, complete, exchange, GOOD_CLIENT, open, post } from './api.js'
import { useIdentityProvider } from './identity-provider.js'
import { type OmenServer, type RunOptions, useOmen } from './omen-server.js'
import { usePostgres } from './postgres.js'

const DAY_MS = 86_400_000
const idp = useIdentityProvider()
const omen = useOmen()
const postgres = usePostgres()

const ENGINES: readonly [string, (dataDir: string) => Promise<RunOptions>][] = [
  ['the embedded database', async (dataDir) => omen.copyPreparedDatabase(dataDir).then(() => ({}))],
  ['PostgreSQL', async () => ({ env: { DATABASE_URL: await postgres.createDatabase() } })],
]

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

describe.each(ENGINES)('on %s', (engine, makeOptions) => {
  const folder = engine.replaceAll(' ', '-')
  const dataDir = ['--data-dir', folder]
  const limits = ['--limit-code-tries', '1000', '--limit-calls', '1000']
  let options: RunOptions | undefined
  let server: OmenServer

  const serve = async (more: RunOptions = {}) => {
    options ??= await makeOptions(folder)
    server = await omen.serve([...dataDir, ...limits, '--allow-insecure-idp'], { ...options, ...more })
    return server
  }
  const command = async (...args: string[]) => {
    options ??= await makeOptions(folder)
    const { status, out, err } = await omen.run([...args, ...dataDir, '--json'], options)
    expect(err).toBe('')
    expect(status).toBe(0)
    return JSON.parse(out)
  }
  const issue = async (org: string, ...more: string[]): Promise<{ code: string; id: string }> =>
    command('code', 'issue', '--org', org, '--expires', inDays(30), ...more)
  const connection = (domain: string) => ({ well_known_url: idp.wellKnownUrl(), domain, org_name: 'Acme Inc.' })

  test('four requests lead from a code to a connection, across restarts', async () => {
    await serve()
    const { code, id } = await issue('Acme')
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{6}-[0-9A-HJKMNP-TV-Z]{6}$/)

    const { status, body } = await exchange(server.url, code.toLowerCase())
    expect(status).toBe(200)
    const token = String(body.token)

    await server.stop()
    await serve()
    const opened = await open(server.url, token, connection('Acme.com'))
    expect(opened.status).toBe(200)
    expect(opened.body).toEqual({
      sign_in_uri: expect.stringMatching(/^http:\/\/localhost:\d+\/v1\/auth\/callback\/[0-9a-f-]{36}$/),
      transaction_id: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{22}$/),
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    const again = await open(server.url, token, connection('acme.com'))
    expect(again.body.transaction_id).toBe(opened.body.transaction_id)

    await server.kill()
    await serve()
    const wrong = await complete(server.url, token, opened.body.transaction_id, {
      ...GOOD_CLIENT,
      client_secret: 'wrong',
    })
    expect(wrong).toMatchObject({ status: 422, body: { code: 'client_rejected' } })
    const completed = await complete(server.url, token, opened.body.transaction_id, GOOD_CLIENT)
    expect(completed).toMatchObject({
      status: 200,
      body: {
        status: 'completed',
        login_url: expect.stringMatching(/\/v1\/auth\/login$/),
        app_url: expect.any(String),
      },
    })

    expect(await command('code', 'list')).toContainEqual(
      expect.objectContaining({ id, org: 'Acme', state: 'completed' }),
    )
    expect(await command('org', 'show', 'Acme')).toMatchObject({
      name: 'Acme',
      domains: ['acme.com'],
      connected: true,
      issuer: idp.issuer(),
      clientId: GOOD_CLIENT.client_id,
    })
    expect((await exchange(server.url, code)).body.code).toBe('code_used')
    expect((await open(server.url, token, connection('acme.com'))).body.code).toBe('code_used')
    await server.stop()
  })

  test('every row of the error table is returned as documented', async () => {
    await serve()
    const { url } = server
    const acme = await issue('Rows')
    const { token, id } = await begin(url, acme.code, connection('rows.com'))
    const otherToken = (await begin(url, (await issue('Other')).code, connection('other.com'))).token
    const revoked = await issue('Revoked')
    const revokedToken = String((await exchange(url, revoked.code)).body.token)
    await command('code', 'revoke', revoked.code)

    const rows: readonly [string, () => ReturnType<typeof post>, number, string][] = [
      ['no code', () => exchange(url, undefined), 400, 'missing_code'],
      ['a malformed code', () => exchange(url, 'nonsense'), 401, 'invalid_code'],
      ['an unknown code', () => exchange(url, 'AAAAAA-BBBBBB'), 401, 'invalid_code'],
      ['a revoked code', () => exchange(url, revoked.code), 401, 'invalid_code'],
      ['the token of a revoked code', () => open(url, revokedToken, connection('a.com')), 401, 'invalid_token'],
      ['a body that is not JSON', () => open(url, token, '{'), 400, 'invalid_json'],
      ['a body that is too large', () => open(url, token, ' '.repeat(65 * 1024)), 413, 'body_too_large'],
      ['no token', () => open(url, undefined, connection('a.com')), 401, 'missing_token'],
      ['a wrong token', () => open(url, `${token}x`, connection('a.com')), 401, 'invalid_token'],
      ['a missing field', () => open(url, token, { domain: 'a.com' }), 422, 'invalid_request'],
      ['a body that is not an object', () => open(url, token, '[]'), 422, 'invalid_request'],
      [
        'no discovery document',
        () => open(url, token, { ...connection('rows.com'), well_known_url: `${idp.issuer()}/nothing` }),
        422,
        'discovery_failed',
      ],
      ['a public mail domain', () => open(url, token, connection('gmail.com')), 422, 'public_domain'],
      ['an unknown transaction', () => complete(url, token, 'x'.repeat(22), GOOD_CLIENT), 404, 'unknown_transaction'],
      [
        "another organization's transaction",
        () => complete(url, otherToken, id, GOOD_CLIENT),
        404,
        'unknown_transaction',
      ],
      [
        'a wrong client',
        () => complete(url, token, id, { client_id: 'x', client_secret: 'y' }),
        422,
        'client_rejected',
      ],
      ['an empty client', () => complete(url, token, id, {}), 422, 'invalid_request'],
      ['an address that does not exist', () => post(`${url}/v1/nothing`, { body: {} }), 404, 'not_found'],
      ['a method that does not exist', () => post(`${url}/v1/auth/validate`, { body: {} }), 405, 'method_not_allowed'],
    ]
    for (const [name, call, status, code] of rows) {
      const response = await call()
      expect({ name, status: response.status, code: response.body.code }).toEqual({ name, status, code })
      expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
      expect(response.body).toMatchObject({ type: expect.any(String), title: expect.any(String), status })
      if (status === 401)
        expect(response.headers.get('www-authenticate') ?? '').toMatch(code === 'invalid_code' ? '' : /^Bearer/)
    }

    // The same code again supersedes its transaction; a completed one reports that it is completed.
    const { body } = await open(url, token, connection('rows2.com'))
    expect(await complete(url, token, id, GOOD_CLIENT)).toMatchObject({
      status: 410,
      body: { code: 'transaction_expired' },
    })
    expect((await complete(url, token, body.transaction_id, GOOD_CLIENT)).status).toBe(200)
    expect(await complete(url, token, body.transaction_id, GOOD_CLIENT)).toMatchObject({
      status: 410,
      body: { code: 'code_used' },
    })
    const lateCode = (await issue('Late')).code
    const late = await begin(url, lateCode, connection('late.com'))
    expect(await open(url, late.token, connection('rows2.com'))).toMatchObject({
      status: 409,
      body: { code: 'domain_taken' },
    })
    await server.stop()

    // Two days later, and after the expiry date.
    await serve({ clockAheadMs: 2 * DAY_MS + 60_000 })
    expect(await complete(server.url, late.token, late.id, GOOD_CLIENT)).toMatchObject({
      status: 410,
      body: { code: 'transaction_expired' },
    })
    await server.stop()
    await serve({ clockAheadMs: 31 * DAY_MS })
    expect(await exchange(server.url, acme.code)).toMatchObject({ status: 410, body: { code: 'code_used' } })
    expect(await exchange(server.url, lateCode)).toMatchObject({ status: 410, body: { code: 'code_expired' } })
    expect(await open(server.url, late.token, connection('late.com'))).toMatchObject({
      status: 401,
      body: { code: 'token_expired' },
    })
    await server.stop()
  })

  test('too many attempts to enter a code are rejected for a while', async () => {
    options ??= await makeOptions(folder)
    const strict = await omen.serve([...dataDir, '--limit-code-tries', '3'], options)
    const codes = ['A', 'B', 'C', 'D'].map((letter) => `${letter.repeat(6)}-${letter.repeat(6)}`)
    const responses = []
    for (const code of codes) responses.push(await exchange(strict.url, code))
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 429])
    expect(responses[3]!.body.code).toBe('rate_limited')
    expect(Number(responses[3]!.headers.get('retry-after'))).toBeGreaterThan(0)
    await strict.stop()
  })

  test('no secret is ever written to the log', async () => {
    await serve()
    const { code } = await issue('Quiet')
    const { token, id } = await begin(server.url, code, connection('quiet.com'))
    await complete(server.url, token, id, { ...GOOD_CLIENT, client_secret: 'a wrong SECRET' })
    await complete(server.url, token, id, GOOD_CLIENT)
    const { out, err } = await server.stop()
    for (const secret of [code, token, GOOD_CLIENT.client_secret, 'SECRET']) expect(out + err).not.toContain(secret)
    expect(err).toContain('"status":200')
  })
})
