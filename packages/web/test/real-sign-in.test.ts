import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

/** Goes through steps 1 to 3 and fills in the client; the identity provider knows the redirect URI unless told otherwise. */
async function atCredentials(
  org: string,
  { registered = true } = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await openContext(browser)
  const page = await context.newPage()
  await page.goto(service.url)
  await enterCode(page, await service.issueCode(org))
  await page.getByRole('radio', { name: 'Other provider' }).check()
  await page.getByLabel('Well-known URL').fill(idp.wellKnownUrl)
  await page.getByLabel('E-mail domain').fill('acme.com')
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

/** Prepares a test and signs in with that name in the tab that opens. */
async function signIn(page: Page, context: BrowserContext, name: string): Promise<Page> {
  const tab = await openTest(page, context)
  await tab.locator('input[name="login"]').fill(name)
  await tab.locator('input[name="password"]').fill('any')
  await tab.getByRole('button', { name: /sign-in/i }).click()
  await tab.getByRole('button', { name: /continue/i }).waitFor()
  return tab
}

async function openTest(page: Page, context: BrowserContext): Promise<Page> {
  await page.getByRole('button', { name: 'Start a test sign-in' }).click()
  const link = page.getByRole('link', { name: /Sign in to test/ })
  const [tab] = await Promise.all([context.waitForEvent('page'), link.click()])
  return tab
}

async function agree(tab: Page): Promise<void> {
  await tab.getByRole('button', { name: /continue/i }).click()
}

describe('a real sign-in at a real identity provider', () => {
  test('proves the connection, makes nobody, and is followed by the connection itself', async () => {
    const { page, context } = await atCredentials('Passing')
    const tab = await signIn(page, context, 'alice')
    await agree(tab)
    await tab.getByRole('heading', { level: 1, name: 'It works.' }).waitFor()
    await tab.getByText('alice@acme.com signed in.').waitFor()
    expect(await lowContrastTexts(tab)).toEqual([])
    const cookies = (await context.cookies(service.url)).map(({ name, httpOnly, sameSite }) => ({
      name,
      httpOnly,
      sameSite,
    }))
    expect(cookies).toEqual([{ name: 'omen_browser', httpOnly: true, sameSite: 'Lax' }])
    await page.getByText('The test succeeded: alice@acme.com signed in.').waitFor()
    await page.reload()
    await page.getByText('The test succeeded: alice@acme.com signed in.').waitFor()
    await page.getByLabel('Client secret', { exact: true }).fill(CLIENT_SECRET)
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('heading', { name: 'Acme is connected' }).waitFor()
    await context.close()
  })

  test('of somebody of another domain fails on both pages, in the same words, with a number that is in the log', async () => {
    const { page, context } = await atCredentials('Passing')
    const tab = await signIn(page, context, 'bob@other.com')
    await agree(tab)
    await tab.getByRole('heading', { level: 1, name: 'The sign-in did not work.' }).waitFor()
    await tab.getByText('"bob@other.com" signed in, and this connection is for addresses at acme.com alone.').waitFor()
    expect(await lowContrastTexts(tab)).toEqual([])
    await page.getByText('"bob@other.com" signed in, and this connection is for addresses at acme.com alone.').waitFor()
    const reference = await tab.locator('.reference code').innerText()
    // The log is written a moment later.
    const lines = () => service.log().split('\n')
    const find = () => lines().find((text) => text.includes(reference) && text.includes('wrong_domain'))
    await expect.poll(find).toBeDefined()
    // The same address once more: the sign-in is used up.
    await tab.reload()
    await tab.getByText('No sign-in waits here').waitFor()
    expect(service.log()).not.toContain(CLIENT_SECRET)
    await context.close()
  })

  test('that the identity provider stops tells which redirect URI to register', async () => {
    const { page, context } = await atCredentials('Passing', { registered: false })
    const tab = await openTest(page, context)
    await tab.getByText('redirect_uri').first().waitFor()
    await page
      .getByText(/enter exactly this one at the application: http:\/\/localhost:\d+\/v1\/auth\/callback\//)
      .waitFor()
    await context.close()
  })

  test('is bound to its browser: in another one it leads nowhere, and uses nothing up', async () => {
    const { page, context } = await atCredentials('Passing')
    const tab = await signIn(page, context, 'alice')
    const bound = (await context.cookies(service.url)).filter(({ name }) => name === 'omen_browser')
    await context.clearCookies({ name: 'omen_browser' })
    await agree(tab)
    await tab.getByText('This sign-in was not begun in this browser').waitFor()
    const victim = await (await openContext(browser)).newPage()
    await victim.goto(tab.url())
    await victim.getByText('This sign-in was not begun in this browser').waitFor()
    await context.addCookies(bound)
    await tab.reload()
    await tab.getByText('alice@acme.com signed in.').waitFor()
    await victim.context().close()
    await context.close()
  })
})
