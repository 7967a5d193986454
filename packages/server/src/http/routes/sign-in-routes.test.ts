import { describe, expect, test } from 'vitest'
import { startApp, THREE_HOSTS } from '../../../test/http/app-under-test.js'
import { Problem } from '../../problem.js'
import { randomString } from '../../signin/begin-authorization.js'

const LINK = randomString()
const CALLBACK = '/v1/auth/callback/1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b'
const PAGE = { accept: 'text/html,application/xhtml+xml' }

describe('the link of a test', () => {
  test('binds the browser and redirects it to the identity provider', async () => {
    const { app, calls, logged } = await startApp()
    const response = await app.inject({ url: `/v1/auth/test/${LINK}`, headers: PAGE })
    expect(response.statusCode).toBe(303)
    expect(response.headers.location).toBe('https://idp.example/authorize?state=s')
    expect(response.headers['referrer-policy']).toBe('no-referrer')
    expect(response.headers['cache-control']).toBe('no-store')
    const cookie = String(response.headers['set-cookie'])
    expect(cookie).toMatch(/^omen_browser=[\w-]{43}; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/)
    const browser = cookie.slice('omen_browser='.length, 'omen_browser='.length + 43)
    expect(calls).toEqual([['beginTest', LINK, browser]])
    expect(logged()).not.toContain(LINK)
    expect(logged()).not.toContain(browser)
  })

  test('sets a cookie that only this host can set, with HTTPS', async () => {
    const { app } = await startApp({ settings: THREE_HOSTS })
    const response = await app.inject({ url: `/v1/auth/test/${LINK}`, headers: { host: 'login.omen.example' } })
    expect(response.headers['set-cookie']).toMatch(
      /^__Host-omen_browser=[\w-]{43}; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
  })

  test('treats two tabs as one browser, and ignores cookies that this service did not set', async () => {
    const { app, calls } = await startApp()
    const known = randomString()
    for (const cookie of [
      `a=b; omen_browser=${known}`,
      'omen_browser=short',
      `omen_browser=${known}; omen_browser=${known}`,
    ]) {
      await app.inject({ url: `/v1/auth/test/${LINK}`, headers: { cookie } })
    }
    const browsers = calls.map(([, , browser]) => browser)
    expect(browsers[0]).toBe(known)
    expect(new Set(browsers).size).toBe(3)
  })

  test('of an ended test is a page for browsers and a problem for programs', async () => {
    const beginTest = async () => {
      throw new Problem('not_found', 'This test is over.')
    }
    const { app, send } = await startApp({ onboarding: { beginTest } })
    const page = await app.inject({ url: `/v1/auth/test/${LINK}`, headers: PAGE })
    expect(page.statusCode).toBe(404)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toContain('This test is over.')
    expect((await send({ url: `/v1/auth/test/${LINK}` })).json()).toMatchObject({ code: 'not_found' })
  })

  test('is not used up by HEAD', async () => {
    const { app, calls } = await startApp()
    for (const url of [`/v1/auth/test/${LINK}`, CALLBACK]) {
      expect((await app.inject({ method: 'HEAD', url })).statusCode).toBe(405)
    }
    expect(calls).toEqual([])
  })
})

describe('the callback', () => {
  test('passes on the parameters unchanged', async () => {
    const { app, calls } = await startApp()
    const browser = randomString()
    await app.inject({ url: `${CALLBACK}?state=a&state=b&code=c%20d`, headers: { cookie: `omen_browser=${browser}` } })
    const [[, back]] = calls as unknown as [[string, { query: URLSearchParams; callbackId: string; browser: string }]]
    expect(back.callbackId).toBe('1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b')
    expect(back.browser).toBe(browser)
    expect([...back.query]).toEqual([
      ['state', 'a'],
      ['state', 'b'],
      ['code', 'c d'],
    ])
  })

  test('reports a successful test', async () => {
    const { app } = await startApp()
    const { statusCode, body, headers } = await app.inject({ url: `${CALLBACK}?state=x&code=y`, headers: PAGE })
    expect(statusCode).toBe(200)
    expect(body).toContain('<h1>It works.</h1>\n<p>alice@acme.example signed in.</p>\n<p>Go back to the set-up page.')
    expect(body).not.toContain('<script')
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'sha256-[\w+/=]+'$/,
    )
    expect(headers['set-cookie']).toBeUndefined()
  })

  test('reports a failed test with the request ID, and escapes foreign strings', async () => {
    const finishTest = async () => ({
      status: 'failed' as const,
      reason: 'access_denied',
      detail: '<b>"No"</b> & such',
    })
    const { app, send, logged } = await startApp({ onboarding: { finishTest } })
    const request = { url: `${CALLBACK}?state=x&code=hush-hush`, headers: { ...PAGE, 'x-request-id': 'request-77' } }
    const { statusCode, body } = await app.inject(request)
    expect(statusCode).toBe(400)
    expect(body).toContain('&lt;b&gt;&quot;No&quot;&lt;/b&gt; &amp; such')
    expect(body).toContain('<code>request-77</code>')
    const line = logged()
      .split('\n')
      .find((text) => text.includes('access_denied'))
    expect(line).toContain('"requestId":"request-77"')
    expect(logged()).not.toContain('hush-hush')
    expect((await send({ url: request.url })).json()).toMatchObject({
      code: 'bad_request',
      detail: '<b>"No"</b> & such',
    })
  })

  test('of an unknown sign-in is an error page', async () => {
    const finishTest = async () => {
      throw new Problem('bad_request', 'No sign-in waits here.')
    }
    const { app, send } = await startApp({ onboarding: { finishTest } })
    const page = await app.inject({ url: CALLBACK, headers: PAGE })
    expect([page.statusCode, page.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
    expect(page.body).toContain('No sign-in waits here.')
    expect((await send({ url: CALLBACK })).json()).toMatchObject({ code: 'bad_request' })
  })

  test('shows nothing about an unexpected error', async () => {
    const finishTest = async () => {
      throw new Error('secret internals')
    }
    const { app, logged } = await startApp({ onboarding: { finishTest } })
    const page = await app.inject({ url: CALLBACK, headers: { ...PAGE, 'x-request-id': 'request-78' } })
    expect(page.statusCode).toBe(500)
    expect(page.body).toContain('request-78')
    expect(page.body).not.toContain('internals')
    expect(logged()).toContain('request failed')
  })

  test('does not accept POST', async () => {
    const { app } = await startApp()
    expect((await app.inject({ method: 'POST', url: CALLBACK })).statusCode).toBe(405)
  })
})
