import { describe, expect, test } from 'vitest'
import { THREE_HOSTS } from '../../../test/http/app-under-test.js'
import { useSite } from '../../../test/sessions/site.js'
import { removeTemporaryFolders } from '../../../test/world.js'

removeTemporaryFolders()

describe('with three hosts and HTTPS', () => {
  const site = useSite(THREE_HOSTS)

  test('a session moves to the host of the app, with its own cookie that no other host can set', async () => {
    const browser = site().browser()
    const login = `${THREE_HOSTS.baseUrl}/v1/auth/login?email=alice@acme.com&target_link_uri=${THREE_HOSTS.appUrl}/rules?q=a`
    const redirect = await browser.get(login)
    expect(redirect.headers['set-cookie']).toMatch(/^__Host-omen_browser=/)
    const back = await browser.get(await site().respond(String(redirect.headers.location)))
    expect(back.headers['set-cookie']).toMatch(
      /^__Host-omen_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
    let location = String(back.headers.location)
    const way = [location]
    while (!location.startsWith(`${THREE_HOSTS.appUrl}/rules`)) {
      location = String((await browser.get(location)).headers.location)
      way.push(location)
      expect(way.length).toBeLessThan(6)
    }
    expect(way.map((url) => `${new URL(url).host}${new URL(url).pathname}`)).toEqual([
      'app.omen.example/v1/auth/enter',
      'login.omen.example/v1/auth/hand-over',
      'app.omen.example/v1/auth/enter',
      'app.omen.example/rules',
    ])
    expect(location).toBe(`${THREE_HOSTS.appUrl}/rules?q=a`)
    const names = [...browser.cookies.keys()].filter((key) => key.includes('session'))
    expect(names).toEqual(['login.omen.example __Host-omen_session', 'app.omen.example __Host-omen_session'])
    for (const url of [THREE_HOSTS.baseUrl, THREE_HOSTS.appUrl]) {
      expect((await browser.get(`${url}/v1/me`)).json()).toMatchObject({ email: 'alice@acme.com' })
    }
    expect((await browser.get(`${THREE_HOSTS.onboardUrl}/v1/me`)).statusCode).toBe(404)
    // The ticket is used up, and was never valid in another browser.
    expect((await browser.get(way[2]!)).statusCode).toBe(400)
    expect((await site().browser().get(way[2]!)).statusCode).toBe(400)
    await browser.post(`${THREE_HOSTS.appUrl}/v1/auth/logout`, {}, { headers: { origin: THREE_HOSTS.appUrl } })
    expect((await browser.get(`${THREE_HOSTS.baseUrl}/v1/me`)).statusCode).toBe(401)
  })

  test('without a session the app redirects to the sign-in page, and never to another site', async () => {
    const browser = site().browser()
    const entered = await browser.get(`${THREE_HOSTS.appUrl}/v1/auth/enter?to=${encodeURIComponent('//evil.example')}`)
    const { searchParams } = new URL(String(entered.headers.location))
    expect(searchParams.get('to')).toBe('//evil.example')
    const sent = await browser.get(String(entered.headers.location))
    const target = new URL(String(sent.headers.location)).searchParams.get('target_link_uri')
    expect(new URL(target!).origin).toBe(THREE_HOSTS.appUrl)
    const policy = (await browser.get(String(sent.headers.location))).headers['content-security-policy']
    expect(policy).toContain("form-action 'self' https:;")
  })
})

describe('with a small limit', () => {
  const site = useSite({ limitSignIns: 3 })

  test('sign-ins are limited per address', async () => {
    const statuses = []
    for (let n = 0; n < 4; n++)
      statuses.push((await site().browser().get('/v1/auth/login?email=a@b.example')).statusCode)
    expect(statuses).toEqual([404, 404, 404, 429])
  })
})
