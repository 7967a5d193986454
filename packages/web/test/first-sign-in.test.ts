import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, openContext } from './browser.js'
import { lowContrastTexts } from './contrast.js'
import { CLIENT_ID, CLIENT_SECRET, type IdentityProvider, startIdentityProvider } from './identity-provider.js'
import { type RealService, startRealService } from './real-service.js'
import { createApplication, enterCode } from './walk.js'

let browser: Browser
let service: RealService
let idp: IdentityProvider
beforeAll(async () => {
  ;[browser, service, idp] = await Promise.all([launch(), startRealService(), startIdentityProvider()])
})
afterAll(() => Promise.all([browser.close(), service.close(), idp.close()]))

/** What every page of ours must be: readable, on a phone too, with nothing that the policy of the page refuses. */
async function look(page: Page, violations: readonly string[]): Promise<void> {
  expect(await lowContrastTexts(page)).toEqual([])
  const { width } = page.viewportSize()!
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  expect(violations).toEqual([])
}

/** A phone in the dark. */
async function openPhone(): Promise<{ context: BrowserContext; page: Page; violations: string[] }> {
  const context = await openContext(browser, {
    colorScheme: 'dark',
    viewport: { width: 360, height: 740 },
  })
  const page = await context.newPage()
  const violations: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) violations.push(message.text())
  })
  return { context, page, violations }
}

async function onboard(page: Page): Promise<void> {
  await page.goto(service.url)
  await enterCode(page, await service.issueCode('Acme'))
  await page.getByRole('radio', { name: 'Other provider' }).check()
  await page.getByLabel('Well-known URL').fill(idp.wellKnownUrl)
  await page.getByLabel('E-mail domain').fill('acme.com')
  await page.getByLabel('Organization name').fill('Acme')
  const opened = page.waitForResponse((response) => response.url().endsWith('/v1/api/oauth'))
  await page.getByRole('button', { name: 'Check and continue' }).click()
  idp.register(((await (await opened).json()) as { sign_in_uri: string }).sign_in_uri)
  await createApplication(page)
  await page.getByRole('textbox', { name: 'Client ID' }).fill(CLIENT_ID)
  await page.getByLabel('Client secret', { exact: true }).fill(CLIENT_SECRET)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('heading', { name: 'Acme is connected' }).waitFor()
}

/** From our sign-in page through the pages of the identity provider, up to where that leads. */
async function signIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Work e-mail address').fill(`${name}@acme.com`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.locator('input[name="login"]').fill(name)
  await page.locator('input[name="password"]').fill('any')
  await page.getByRole('button', { name: /sign-in/i }).click()
  await page.getByRole('button', { name: /continue/i }).click()
  await page.waitForURL((url) => url.origin === service.url)
}

const me = async (page: Page) => {
  const response = await page.request.get(`${service.url}/v1/me`)
  return response.ok() ? ((await response.json()) as { email: string }).email : response.status()
}

test('from the onboarding page to the first sign-in, the app, a tool, and the end of all sessions', async () => {
  const { context, page, violations } = await openPhone()
  await onboard(page)

  await page.goto(`${service.url}/v1/auth/login`)
  await look(page, violations)
  await page.getByLabel('Work e-mail address').fill('alice@nobody.com')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  await look(page, violations)
  await signIn(page, 'alice')
  expect(await me(page)).toBe('alice@acme.com')
  const cookies = await context.cookies(service.url)
  expect(cookies.find(({ name }) => name === 'omen_session')).toMatchObject({ httpOnly: true, sameSite: 'Lax' })

  // The app: the first page, a search, a rule.
  await page.getByRole('heading', { name: 'Welcome, alice@acme.com' }).waitFor()
  await page.getByText(`omen updates trust ${service.url}`).waitFor()
  await look(page, violations)
  await page.getByRole('link', { name: 'Rules', exact: true }).click()
  await page.getByLabel('Search').fill('terraform state')
  const rule = page.getByRole('link', { name: /could not store its state/ })
  await rule.waitFor()
  await look(page, violations)
  await rule.click()
  await page.getByText('terraform state push errored.tfstate').first().waitFor()
  await look(page, violations)
  expect(await page.goBack()).toBeNull()
  expect(await page.getByLabel('Search').inputValue()).toBe('terraform state')
  await page.goto(`${service.url}/setup`)
  await page.getByRole('heading', { name: 'Acme is connected' }).waitFor()

  // The tool, as it asks.
  const begun = (await (await fetch(`${service.url}/v1/auth/device`, { method: 'POST' })).json()) as {
    device_code: string
    user_code: string
    verification_uri: string
  }
  await page.goto(begun.verification_uri)
  await look(page, violations)
  await page.getByLabel('Code').fill(begun.user_code.toLowerCase())
  await page.keyboard.press('Enter')
  await page.getByText(begun.user_code).waitFor()
  await look(page, violations)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'The tool is signed in.' }).waitFor()
  await look(page, violations)
  const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: begun.device_code }
  const answer = await fetch(`${service.url}/v1/auth/token`, { method: 'POST', body: new URLSearchParams(grant) })
  const { access_token } = (await answer.json()) as { access_token: string }
  const asTool = () => fetch(`${service.url}/v1/me`, { headers: { authorization: `Bearer ${access_token}` } })
  expect((await asTool()).status).toBe(200)

  // Its sessions, and their end.
  await page.getByRole('link', { name: 'Your sessions' }).click()
  await page.getByText('The omen tool').waitFor()
  await look(page, violations)
  await page.getByRole('button', { name: /^End session: The omen tool/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
  await page.getByRole('heading', { name: /The omen tool/ }).waitFor({ state: 'detached' })
  expect((await asTool()).status).toBe(401)
  await page.locator('.records').getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL((url) => url.pathname.startsWith('/session/end'))
  expect(await me(page)).toBe(401)
  await page.goto(`${service.url}/v1/auth/signed-out`)
  await look(page, violations)
  await page.goto(`${service.url}/sessions`)
  await page.getByLabel('Work e-mail address').waitFor()
  for (const secret of [access_token, begun.device_code, CLIENT_SECRET]) expect(service.log()).not.toContain(secret)
  await context.close()
})
