import { describe, expect, test } from 'vitest'
import { useSite } from '../../../test/sessions/site.js'
import { removeTemporaryFolders } from '../../../test/world.js'
import { randomString } from '../../signin/begin-authorization.js'

removeTemporaryFolders()

const JSON_ONLY = { accept: 'application/json' }
const CROSS_SITE = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }

describe('with one host, without HTTPS', () => {
  const site = useSite({})

  test('the sign-in page asks for an address and is protected by its headers', async () => {
    const { statusCode, body, headers } = await site().browser().get('/v1/auth/login')
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(body).toContain('<label for="email">')
    expect(body).not.toContain('<script')
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; base-uri 'none'; form-action 'self' https: http:; frame-ancestors 'none'; style-src 'sha256-/,
    )
    const odd = await site().browser().get('/v1/auth/login?email=%3Cb%3E%22&target_link_uri=%22%3E')
    expect(odd.statusCode).toBe(404)
    expect(odd.body).toContain('value="&lt;b&gt;&quot;"')
    expect(odd.body).toContain('role="alert"')
  })

  test('an unknown domain is always the same page, and a problem for programs', async () => {
    const pages = await Promise.all(
      ['a@nobody.example', 'nonsense', 'a@b@c'].map(async (email) => {
        const { statusCode, body } = await site().browser().get(`/v1/auth/login?email=${email}`)
        return [statusCode, body.replaceAll(email, '')]
      }),
    )
    expect(new Set(pages.map(String)).size).toBe(1)
    const problem = await site().browser().get('/v1/auth/login?email=a@nobody.example', { headers: JSON_ONLY })
    expect(problem.json()).toMatchObject({ status: 404, code: 'not_found' })
  })

  test('a user signs in, and signs out at the identity provider, too', async () => {
    const browser = site().browser()
    expect((await browser.get('/v1/me')).json()).toMatchObject({ status: 401, code: 'missing_session' })
    const page = await browser.get('/v1/auth/login')
    expect(page.headers['set-cookie']).toMatch(/^omen_browser=/)
    const redirect = await browser.post('/v1/auth/login', { email: ' alice@ACME.com ' })
    expect(redirect.statusCode).toBe(303)
    expect(new URL(String(redirect.headers.location)).searchParams.get('login_hint')).toBe('alice@ACME.com')
    const back = await browser.get(await site().respond(String(redirect.headers.location), { name: 'Alice <3' }))
    expect([back.statusCode, back.headers.location]).toEqual([303, 'http://localhost:8080/'])
    expect(back.headers['set-cookie']).toMatch(
      /^omen_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const me = await browser.get('/v1/me')
    expect(me.json()).toEqual({
      email: 'alice@acme.com',
      name: 'Alice <3',
      org: { name: 'Acme Inc.', domain: 'acme.com' },
    })
    expect(me.headers['cache-control']).toBe('no-store')
    const out = await browser.post('/v1/auth/logout', {}, { headers: { 'sec-fetch-site': 'same-origin' } })
    expect(out.statusCode).toBe(303)
    expect(out.headers.location).toMatch(/^https:\/\/idp\.acme\.com\/logout\?brand=acme&id_token_hint=eyJ/)
    expect((await browser.get('/v1/me')).statusCode).toBe(401)
    const again = await browser.post('/v1/auth/logout', {})
    expect(again.headers.location).toBe('/v1/auth/signed-out')
    expect((await browser.get('/v1/auth/signed-out')).body).toContain('You are signed out.')
    const program = await browser.post('/v1/auth/logout', {}, { headers: JSON_ONLY })
    expect(program.json()).toEqual({ status: 'signed_out' })
    for (const secret of ['eyJ', 'id_token_hint']) expect(site().logged()).not.toContain(secret)
  })

  test('a failed sign-in is a page with the request ID of the log, and a problem for programs', async () => {
    const browser = site().browser()
    const refused = async (headers: Record<string, string>) => {
      const redirect = await browser.get('/v1/auth/login?email=x@acme.com')
      const url = await site().respond(String(redirect.headers.location), { sub: 'x', email: 'x@evil.com' })
      return browser.get(url, { headers: { 'x-request-id': 'reference-7', ...headers } })
    }
    const page = await refused({})
    expect([page.statusCode, page.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8'])
    expect(page.body).toContain('with &quot;x@evil.com&quot;, but this connection is only for addresses at acme.com')
    expect(page.body).toContain('<code>reference-7</code>')
    expect(page.headers['set-cookie']).toBeUndefined()
    expect(
      site()
        .logged()
        .split('\n')
        .some((line) => line.includes('reference-7') && line.includes('wrong_domain')),
    ).toBe(true)
    expect((await refused(JSON_ONLY)).json()).toMatchObject({ status: 403, code: 'sign_in_refused' })
  })

  test('a callback in another browser, or without a cookie, is rejected (login CSRF)', async () => {
    const attacker = site().browser()
    const redirect = await attacker.get('/v1/auth/login?email=alice@acme.com')
    const url = await site().respond(String(redirect.headers.location))
    const victim = site().browser()
    const page = await victim.get(url)
    expect(page.statusCode).toBe(400)
    expect(page.body).toContain('was not started in this browser')
    expect(victim.cookies.size).toBe(0)
  })

  test('a third party starts a new login with GET and POST, and it is never treated as a callback', async () => {
    const { issuer } = site().service.idp.provider
    const states = new Set<string | null>()
    const tokenRequests = site().service.idp.requestCount('/token')
    const follow = async (url: string, method: 'get' | 'post') => {
      const browser = site().browser()
      const form = { iss: issuer, code: 'x', state: randomString(), target_link_uri: 'http://localhost:8080/rules' }
      const sent =
        method === 'get'
          ? await browser.get(`${url}?${new URLSearchParams(form)}`)
          : await browser.post(url, form, { headers: CROSS_SITE })
      // A form of another site is sent without the cookie of this one: the service redirects to itself.
      if (method === 'post') expect(sent.headers.location).toMatch(/^\/v1\/auth\/login\?iss=/)
      const redirect = method === 'post' ? await browser.get(String(sent.headers.location)) : sent
      const { origin, searchParams } = new URL(String(redirect.headers.location))
      expect(origin).toBe(issuer)
      states.add(searchParams.get('state'))
      const back = await browser.get(await site().respond(String(redirect.headers.location)))
      expect(back.headers.location).toBe('http://localhost:8080/rules')
    }
    await follow('/v1/auth/login', 'get')
    await follow('/v1/auth/login', 'post')
    expect(states.size).toBe(2)
    expect(site().service.idp.requestCount('/token')).toBe(tokenRequests + 2)
    const requests = site().service.idp.requests.length
    const unknown = await site().browser().get('/v1/auth/login?iss=https%3A%2F%2Fevil.example')
    expect(unknown.statusCode).toBe(403)
    expect(site().service.idp.requests.length).toBe(requests)
  })

  test.each([
    '//evil.example',
    'https://evil.example/',
    'http://localhost:8080\\@evil.example',
    'http:\\\\evil.example',
    'http://user:pass@localhost:8080/',
    'http://localhost:8080@evil.example/',
    'http://localhost:8081/',
    'https://localhost:8080/',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://localhost:8080/\u202egpj',
    'http://localhost.:8080/',
    `http://localhost:8080/${'x'.repeat(3_000)}`,
  ])('a sign-in for %j leads to the start page of the app', async (target) => {
    expect(await site().signIn(site().browser(), {}, target)).toBe('http://localhost:8080/')
  })

  test('a page of another site cannot change anything', async () => {
    const browser = site().browser()
    await site().signIn(browser)
    const { sessions } = (await browser.get('/v1/sessions')).json()
    const attempts = [
      () => browser.post('/v1/auth/logout', {}, { headers: CROSS_SITE }),
      () => browser.post('/v1/auth/logout', {}, { headers: { origin: 'null' } }),
      () => browser.post('/v1/auth/logout', {}, { headers: { 'sec-fetch-site': 'same-site' } }),
      () => browser.get(`/v1/sessions/${sessions[0].id}`, { method: 'DELETE', headers: CROSS_SITE }),
      () => browser.post('/device', { user_code: 'BCDF-GHJK', decision: 'approve' }, { headers: CROSS_SITE }),
    ]
    for (const attempt of attempts) expect((await attempt()).statusCode).toBe(403)
    expect((await browser.get('/v1/me')).statusCode).toBe(200)
    const own = { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }
    expect((await browser.post('/v1/auth/logout', {}, { headers: own })).statusCode).toBe(303)
    expect((await browser.get('/v1/me')).statusCode).toBe(401)
  })

  test('users end their other sessions', async () => {
    const [here, there, elsewhere] = [site().browser(), site().browser(), site().browser()]
    for (const browser of [there, elsewhere, here]) await site().signIn(browser, { sub: 's', email: 's@acme.com' })
    const { sessions } = (await here.get('/v1/sessions')).json() as { sessions: { id: string; current: boolean }[] }
    const others = sessions.filter(({ current }) => !current)
    expect([sessions.length, others.length]).toEqual([3, 2])
    for (const { id } of others) {
      const ended = await here.get(`/v1/sessions/${id}`, { method: 'DELETE' })
      expect(ended.json()).toEqual({ status: 'ended' })
    }
    expect((await here.get(`/v1/sessions/${others[1]!.id}`, { method: 'DELETE' })).statusCode).toBe(404)
    expect([(await there.get('/v1/me')).statusCode, (await elsewhere.get('/v1/me')).statusCode]).toEqual([401, 401])
    expect((await here.get('/v1/me')).statusCode).toBe(200)
  })

  test('a user signs a tool in, in the browser', async () => {
    const { app } = site()
    const form = (url: string, fields: Record<string, string>) =>
      app.inject({
        method: 'POST',
        url,
        payload: new URLSearchParams(fields).toString(),
        headers: { 'user-agent': 'omen/0.3' },
      })
    const begun = (await form('/v1/auth/device', { client_id: 'omen' })).json()
    const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: begun.device_code }
    const pending = await form('/v1/auth/token', grant)
    expect([pending.statusCode, pending.json().error]).toEqual([400, 'authorization_pending'])
    const browser = site().browser()
    const sent = await browser.get(begun.verification_uri_complete)
    expect(sent.headers.location).toContain('/v1/auth/login?target_link_uri=')
    const target = new URL(String(sent.headers.location), 'http://localhost:8080').searchParams.get('target_link_uri')!
    expect(await site().signIn(browser, {}, target)).toBe(begun.verification_uri_complete)
    const page = await browser.get(begun.verification_uri_complete)
    for (const shown of [begun.user_code, 'omen/0.3', '127.0.0.1', 'alice@acme.com']) expect(page.body).toContain(shown)
    expect((await browser.get('/device')).body).toContain('Enter the code')
    expect((await browser.get('/device?user_code=nonsense')).statusCode).toBe(404)
    const approved = await browser.post('/device', { user_code: begun.user_code, decision: 'approve' })
    expect(approved.body).toContain('The tool is signed in.')
    const tokens = (await form('/v1/auth/token', grant)).json()
    const me = (token: string) => app.inject({ url: '/v1/me', headers: { authorization: `Bearer ${token}` } })
    expect((await me(tokens.access_token)).json()).toMatchObject({ email: 'alice@acme.com' })
    const next = (
      await form('/v1/auth/token', { grant_type: 'refresh_token', refresh_token: tokens.refresh_token })
    ).json()
    expect((await me(tokens.access_token)).json()).toMatchObject({ status: 401, code: 'invalid_token' })
    expect((await me(next.access_token)).statusCode).toBe(200)
    expect((await form('/v1/auth/revoke', { token: next.refresh_token })).json()).toEqual({ status: 'revoked' })
    expect((await me(next.access_token)).statusCode).toBe(401)
    expect((await form('/v1/auth/token', { grant_type: 'password' })).json().error).toBe('unsupported_grant_type')
    expect((await form('/v1/auth/token', { grant_type: 'refresh_token' })).json().error).toBe('invalid_request')
    for (const secret of [begun.device_code, tokens.access_token, next.refresh_token, begun.user_code]) {
      expect(site().logged()).not.toContain(secret)
    }
  })

  test('a token is not accepted as a cookie, and a cookie not as a token', async () => {
    const { app, service } = site()
    const browser = site().browser()
    await site().signIn(browser)
    const cookie = browser.cookies.get('localhost:8080 omen_session')!
    const { code } = await service.world.operations.issueCode({ org: 'Mix', expires: '2030-06-01' })
    const { token } = (await app.inject(`/v1/auth/validate?code=${code}`)).json()
    const status = async (headers: Record<string, string>, url = '/v1/me', method: 'GET' | 'POST' = 'GET') =>
      (await app.inject({ method, url, headers })).statusCode
    expect(await status({ authorization: `Bearer ${token}` })).toBe(401)
    expect(await status({ cookie: `omen_session=${token}` })).toBe(401)
    expect(await status({ authorization: `Bearer ${cookie}` })).toBe(401)
    expect(await status({ cookie: `omen_session=${cookie}; omen_session=${cookie}` })).toBe(401)
    expect(await status({ authorization: `Bearer ${cookie}` }, '/v1/api/oauth', 'POST')).toBe(401)
    expect(await status({ cookie: `omen_session=${cookie}` })).toBe(200)
  })

  test('an identity provider ends sessions at its own address', async () => {
    const { app, service } = site()
    const [connection] = await service.world.database.query<{ callback_id: string }>(
      'select callback_id from connections',
    )
    const send = (payload: string) =>
      app.inject({ method: 'POST', url: `/v1/auth/backchannel/${connection!.callback_id}`, payload })
    const refused = await send('logout_token=x.y.z')
    expect([refused.statusCode, refused.json().error]).toEqual([400, 'invalid_request'])
    const browser = site().browser()
    await site().signIn(browser, { sub: 'gone', email: 'gone@acme.com' })
    const seconds = service.world.clock().getTime() / 1000
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const claims = { iss: service.idp.provider.issuer, aud: 'client-7', iat: seconds, jti: 'j1', events, sub: 'gone' }
    const token = await service.idp.sign(claims, { header: { typ: 'logout+jwt' } })
    const done = await send(`logout_token=${token}`)
    expect([done.statusCode, done.body, done.headers['cache-control']]).toEqual([200, '', 'no-store'])
    expect((await browser.get('/v1/me')).statusCode).toBe(401)
  })

  test('sign-ins are counted by their outcome', async () => {
    await site().signIn(site().browser())
    const { body } = await site().app.inject('/metrics')
    expect(body).toMatch(/^omen_sign_ins_total\{outcome="ok"\} \d+$/m)
    expect(body).toMatch(/^omen_sign_ins_total\{outcome="wrong_domain"\} \d+$/m)
  })
})
