import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBrowser, type TestBrowser } from './browser.js'
import { CODE, openedTransaction, SECRET, TOKEN } from './service.js'
import { connect, createApplication, enterCode, fillCredentials, fillProvider, nameProvider } from './steps.js'

let browser: TestBrowser
beforeAll(async () => {
  browser = await openTestBrowser()
})
afterAll(() => browser.close())

const title = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()
const storedText = (page: Page) =>
  page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage, cookie: document.cookie }))

describe('a reload', () => {
  test('keeps everything at every step except the secret, and stays on the last page after completion', async () => {
    const { page } = await browser.visit()
    await page.getByLabel('Onboarding code').fill(CODE)
    await page.reload()
    expect(await page.getByLabel('Onboarding code').inputValue()).toBe(CODE)
    await enterCode(page)
    await fillProvider(page)
    await page.reload()
    expect(await title(page)).toBe('Choose your identity provider')
    expect(await page.getByRole('radio', { name: 'Okta' }).isChecked()).toBe(true)
    expect(await page.getByLabel('Okta domain').inputValue()).toBe('acme.okta.com')
    await nameProvider(page)
    await page.getByRole('checkbox', { name: 'Sign-in method' }).check()
    await page.reload()
    expect(await title(page)).toBe('Create the application')
    expect(await page.getByRole('checkbox', { name: 'Sign-in method' }).isChecked()).toBe(true)
    await createApplication(page)
    await fillCredentials(page)
    expect(await storedText(page)).not.toContain(SECRET)
    await page.reload()
    expect(await title(page)).toBe('Enter client ID and secret')
    expect(await page.getByRole('textbox', { name: 'Client ID' }).inputValue()).toBe('0oa1b2c3d4e5f6g7h8')
    expect(await page.getByLabel('Client secret', { exact: true }).inputValue()).toBe('')
    await connect(page)
    await page.reload()
    expect(await title(page)).toBe('Acme is connected')
    expect(await storedText(page)).not.toContain(TOKEN)
    await page.goBack()
    expect(await title(page)).toBe('Acme is connected')
  })

  test('with tampered storage starts over', async () => {
    const { page } = await browser.visit()
    await page.evaluate(() =>
      sessionStorage.setItem('omen.setup.1', '{"step":"credentials","placeholders":[1],"ticked":{}}'),
    )
    await page.reload()
    expect(await title(page)).toBe('Enter your code')
  })
})

describe('going back', () => {
  test('and forward works with the buttons of the browser', async () => {
    const { page } = await browser.visit()
    await enterCode(page)
    await nameProvider(page)
    await createApplication(page)
    await page.goBack()
    await page.getByRole('heading', { name: 'Create the application' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Choose your identity provider' }).waitFor()
    expect(await page.getByLabel('E-mail domain').inputValue()).toBe('acme.com')
    await page.goForward()
    await page.getByRole('heading', { name: 'Create the application' }).waitFor()
    await page.getByRole('button', { name: /Code/ }).click()
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Create the application' }).waitFor()
  })

  test('to the start discards everything, after a confirmation', async () => {
    const { page } = await browser.visit()
    await enterCode(page)
    await fillProvider(page)
    await page.getByRole('button', { name: 'Start over' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await title(page)).toBe('Choose your identity provider')
    await page.getByRole('button', { name: 'Start over' }).click()
    await page.getByRole('button', { name: 'Start over' }).click()
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    expect(await storedText(page)).not.toContain('acme')
    await page.goBack()
    expect(await title(page)).toBe('Enter your code')
  })
})

describe('two tabs', () => {
  test('inform each other of a newer set-up and of its completion', async () => {
    const { page, context, service } = await browser.visit()
    await enterCode(page)
    await nameProvider(page)
    const other = await context.newPage()
    await other.goto(service.url)
    await enterCode(other)
    await fillProvider(other)
    service.next({
      status: 200,
      body: openedTransaction('another-transaction', `${service.url}v1/auth/callback/other`),
    })
    await other.getByRole('button', { name: 'Check and continue' }).click()
    await page.getByText('Another tab started a newer set-up').waitFor()
    await other.getByRole('button', { name: 'Continue' }).click()
    await fillCredentials(other)
    service.next({
      status: 200,
      body: { status: 'completed', login_url: 'https://x/v1/auth/login', app_url: 'https://x' },
    })
    await other.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('heading', { name: 'Acme is connected' }).waitFor()
  })
})
