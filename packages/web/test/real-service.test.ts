import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch, openContext } from './browser.js'
import { CLIENT_ID, CLIENT_SECRET, type IdentityProvider, startIdentityProvider } from './identity-provider.js'
import { lowContrastTexts } from './page-quality.js'
import { type RealService, startRealService } from './real-service.js'
import { createApplication, enterCode } from './steps.js'

let browser: Browser
let service: RealService
let idp: IdentityProvider
beforeAll(async () => {
  ;[browser, service, idp] = await Promise.all([launch(), startRealService(), startIdentityProvider()])
})
afterAll(() => Promise.all([browser.close(), service.close(), idp.close()]))

interface OnboardingOptions {
  readonly domain?: string
  /** Whether the identity provider knows the redirect URI. */
  readonly registered?: boolean
  readonly context?: BrowserContextOptions
}

/** Completes steps 1 to 3 for an organization, and fills in the client. */
async function openCredentials(
  org: string,
  { domain = 'acme.com', registered = true, context: options = {} }: OnboardingOptions = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await openContext(browser, options)
  const page = await context.newPage()
  await page.goto(service.url)
  await enterCode(page, await service.issueCode(org))
  await page.getByRole('radio', { name: 'Other provider' }).check()
  await page.getByLabel('Well-known URL').fill(idp.wellKnownUrl)
  await page.getByLabel('E-mail domain').fill(domain)
  await page.getByLabel('Organization name').fill('Acme')
  const opened = page.waitForResponse((response) => response.url().endsWith('/v1/api/oauth'))
  await page.getByRole('button', { name: 'Check and continue' }).click()
  const { sign_in_uri } = (await (await opened).json()) as { sign_in_uri: string }
  if (registered) idp.register(sign_in_uri)
  await createApplication(page)
  await page.getByRole('textbox', { name: 'Client ID' }).fill(CLIENT_ID)
  await page.getByLabel('Client secret', { exact: true }).fill(CLIENT_SECRET)
  return { page, context }
}

async function connect(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('heading', { name: 'Acme is connected' }).waitFor()
}

/** Signs in on the pages of the identity provider, up to its consent page. */
async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.locator('input[name="login"]').fill(name)
  await page.locator('input[name="password"]').fill('any')
  await page.getByRole('button', { name: /sign-in/i }).click()
  await page.getByRole('button', { name: /continue/i }).waitFor()
}

async function consent(page: Page): Promise<void> {
  await page.getByRole('button', { name: /continue/i }).click()
}

describe('a test sign-in', () => {
  /** Starts a test and opens the tab in which to sign in. */
  async function openTest(page: Page, context: BrowserContext): Promise<Page> {
    await page.getByRole('button', { name: 'Start a test sign-in' }).click()
    const link = page.getByRole('link', { name: /Sign in to test/ })
    const [tab] = await Promise.all([context.waitForEvent('page'), link.click()])
    return tab
  }

  test('verifies the connection and creates no session, and the connection can then be completed', async () => {
    const { page, context } = await openCredentials('Testing')
    const tab = await openTest(page, context)
    await signInAtProvider(tab, 'alice')
    await consent(tab)
    await tab.getByRole('heading', { level: 1, name: 'It works.' }).waitFor()
    await tab.getByText('alice@acme.com signed in.').waitFor()
    expect(await lowContrastTexts(tab)).toEqual([])
    const cookies = await context.cookies(service.url)
    expect(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
      { name: 'omen_browser', httpOnly: true, sameSite: 'Lax' },
    ])
    await page.getByText('The test succeeded: alice@acme.com signed in.').waitFor()
    await page.reload()
    await page.getByText('The test succeeded: alice@acme.com signed in.').waitFor()
    await page.getByLabel('Client secret', { exact: true }).fill(CLIENT_SECRET)
    await connect(page)
    await context.close()
  })

  test('of a user of another domain fails on both pages with the same message, and its reference is in the log', async () => {
    const { page, context } = await openCredentials('Testing')
    const tab = await openTest(page, context)
    await signInAtProvider(tab, 'bob@other.com')
    await consent(tab)
    await tab.getByRole('heading', { level: 1, name: 'The sign-in failed.' }).waitFor()
    await tab
      .getByText('The user signed in with "bob@other.com", but this connection is only for addresses at acme.com.')
      .waitFor()
    expect(await lowContrastTexts(tab)).toEqual([])
    await page
      .getByText('The user signed in with "bob@other.com", but this connection is only for addresses at acme.com.')
      .waitFor()
    const reference = await tab.locator('.reference code').innerText()
    // The log is written a moment later.
    const lines = () => service.log().split('\n')
    const find = () => lines().find((line) => line.includes(reference) && line.includes('wrong_domain'))
    await expect.poll(find).toBeDefined()
    // The same URL again: the sign-in is used up.
    await tab.reload()
    await tab.getByText('This sign-in has already ended').waitFor()
    expect(service.log()).not.toContain(CLIENT_SECRET)
    await context.close()
  })

  test('that the identity provider stops shows which redirect URI to register', async () => {
    const { page, context } = await openCredentials('Testing', { registered: false })
    const tab = await openTest(page, context)
    await tab.getByText('redirect_uri').first().waitFor()
    await page
      .getByText(/enter exactly this redirect URI in the application: http:\/\/localhost:\d+\/v1\/auth\/callback\//)
      .waitFor()
    await context.close()
  })

  test('is bound to its browser: another browser is rejected, and the sign-in remains usable', async () => {
    const { page, context } = await openCredentials('Testing')
    const tab = await openTest(page, context)
    await signInAtProvider(tab, 'alice')
    const bound = (await context.cookies(service.url)).filter(({ name }) => name === 'omen_browser')
    await context.clearCookies({ name: 'omen_browser' })
    await consent(tab)
    await tab.getByText('This sign-in was not started in this browser').waitFor()
    const victim = await (await openContext(browser)).newPage()
    await victim.goto(tab.url())
    await victim.getByText('This sign-in was not started in this browser').waitFor()
    await context.addCookies(bound)
    await tab.reload()
    await tab.getByText('alice@acme.com signed in.').waitFor()
    await victim.context().close()
    await context.close()
  })
})

describe('on a phone in dark mode', () => {
  const DOMAIN = 'phone.example'
  const PHONE = { colorScheme: 'dark', viewport: { width: 360, height: 740 } } as const

  const me = async (page: Page) => {
    const response = await page.request.get(`${service.url}/v1/me`)
    return response.ok() ? ((await response.json()) as { email: string }).email : response.status()
  }

  test('a user gets from onboarding to the first sign-in, the app, a tool, and the end of all sessions', async () => {
    const { page, context } = await openCredentials('Phone', { domain: DOMAIN, context: PHONE })
    const violations: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) violations.push(message.text())
    })
    /** Every page must be readable, fit the screen, and obey the content security policy. */
    const checkPage = async () => {
      expect(await lowContrastTexts(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.viewport.width)
      expect(violations).toEqual([])
    }
    await connect(page)

    await page.goto(`${service.url}/v1/auth/login`)
    await checkPage()
    await page.getByLabel('Work e-mail address').fill('alice@nobody.com')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await checkPage()
    await page.getByLabel('Work e-mail address').fill(`alice@${DOMAIN}`)
    await page.getByRole('button', { name: 'Continue' }).click()
    await signInAtProvider(page, `alice@${DOMAIN}`)
    await consent(page)
    await page.waitForURL((url) => url.origin === service.url)
    expect(await me(page)).toBe(`alice@${DOMAIN}`)
    const cookies = await context.cookies(service.url)
    expect(cookies.find(({ name }) => name === 'omen_session')).toMatchObject({ httpOnly: true, sameSite: 'Lax' })

    // The app: the home page, a search, a rule.
    await page.getByRole('heading', { name: `Welcome, alice@${DOMAIN}` }).waitFor()
    await page.getByText(`omen updates trust ${service.url}`).waitFor()
    await checkPage()
    await page.getByRole('link', { name: 'Rules', exact: true }).click()
    await page.getByLabel('Search').fill('terraform state')
    const rule = page.getByRole('link', { name: /could not store its state/ })
    await rule.waitFor()
    await checkPage()
    await rule.click()
    await page.getByText('terraform state push errored.tfstate').first().waitFor()
    await checkPage()
    expect(await page.goBack()).toBeNull()
    expect(await page.getByLabel('Search').inputValue()).toBe('terraform state')
    await page.goto(`${service.url}/setup`)
    await page.getByRole('heading', { name: 'Acme is connected' }).waitFor()

    // The requests of the tool, and their approval.
    const begun = (await (await fetch(`${service.url}/v1/auth/device`, { method: 'POST' })).json()) as {
      device_code: string
      user_code: string
      verification_uri: string
    }
    await page.goto(begun.verification_uri)
    await checkPage()
    await page.getByLabel('Code').fill(begun.user_code.toLowerCase())
    await page.keyboard.press('Enter')
    await page.getByText(begun.user_code).waitFor()
    await checkPage()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('heading', { name: 'The tool is signed in.' }).waitFor()
    await checkPage()
    const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: begun.device_code }
    const response = await fetch(`${service.url}/v1/auth/token`, { method: 'POST', body: new URLSearchParams(grant) })
    const { access_token } = (await response.json()) as { access_token: string }
    const asTool = () => fetch(`${service.url}/v1/me`, { headers: { authorization: `Bearer ${access_token}` } })
    expect((await asTool()).status).toBe(200)

    // The sessions, and their end.
    await page.getByRole('link', { name: 'Your sessions' }).click()
    await page.getByText('The omen tool').waitFor()
    await checkPage()
    await page.getByRole('button', { name: /^End session: The omen tool/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
    await page.getByRole('heading', { name: /The omen tool/ }).waitFor({ state: 'detached' })
    expect((await asTool()).status).toBe(401)
    await page.locator('.records').getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/session/end'))
    expect(await me(page)).toBe(401)
    await page.goto(`${service.url}/v1/auth/signed-out`)
    await checkPage()
    await page.goto(`${service.url}/sessions`)
    await page.getByLabel('Work e-mail address').waitFor()
    for (const secret of [access_token, begun.device_code, CLIENT_SECRET]) expect(service.log()).not.toContain(secret)
    await context.close()
  })
})
