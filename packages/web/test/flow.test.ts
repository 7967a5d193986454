import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBrowser, type TestBrowser } from './browser.js'
import { CODE, SECRET, TOKEN, TRANSACTION } from './service.js'
import {
  connect,
  createApplication,
  enterCode,
  fillCredentials,
  fillProvider,
  isFocused,
  nameProvider,
} from './steps.js'

let browser: TestBrowser
beforeAll(async () => {
  browser = await openTestBrowser()
})
afterAll(() => browser.close())

const title = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()
const storedText = (page: Page) =>
  page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage, cookie: document.cookie }))

describe('the four steps', () => {
  test('lead from a code to a connection, with exactly the documented requests', async () => {
    const { page, service, violations } = await browser.visit()
    await enterCode(page, 'k7qf2m 9xtr4b')
    await nameProvider(page)
    const base = service.url.slice(0, -1)
    const shown = await page.locator('main').innerText()
    expect(shown).toContain(`${base}/v1/auth/callback/5b0e6a52-7f0c-4c1d-9a0e-1f2d3c4b5a69`)
    expect(shown).toContain(`${base}/v1/auth/login`)
    expect(shown).toContain('Either Okta or App')
    await createApplication(page)
    // This service does not support test sign-ins, so the page offers none.
    expect(await page.getByText('Test sign-in (optional)').count()).toBe(0)
    await connect(page)
    expect(service.received).toEqual([
      { method: 'GET', path: `/v1/auth/validate?code=${CODE}`, authorization: undefined, body: undefined },
      {
        method: 'POST',
        path: '/v1/api/oauth',
        authorization: `Bearer ${TOKEN}`,
        body: {
          well_known_url: 'https://acme.okta.com/.well-known/openid-configuration',
          domain: 'acme.com',
          org_name: 'Acme',
        },
      },
      {
        method: 'POST',
        path: `/v1/api/oauth/${TRANSACTION}/onboard`,
        authorization: `Bearer ${TOKEN}`,
        body: { client_id: '0oa1b2c3d4e5f6g7h8', client_secret: SECRET },
      },
    ])
    expect(await page.getByRole('link', { name: 'Sign in now' }).getAttribute('href')).toBe(`${base}/v1/auth/login`)
    expect(violations).toEqual([])
  })

  test('can be completed with the keyboard only', async () => {
    const { page } = await browser.visit()
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const tabTo = async (name: RegExp) => {
      for (let presses = 0; presses < 60; presses++) {
        await press('Tab')
        const focused = await page.evaluate(() => {
          const { activeElement: element } = document
          const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element?.textContent
          return label ?? ''
        })
        if (name.test(focused)) return
      }
      throw new Error(`The keyboard does not reach ${name}`)
    }
    await tabTo(/Onboarding code/)
    await page.keyboard.type(CODE)
    await press('Enter')
    await page.getByRole('heading', { name: 'Choose your identity provider' }).waitFor()
    await tabTo(/Okta/)
    await press('Space')
    await tabTo(/Okta domain/)
    await page.keyboard.type('acme.okta.com')
    await tabTo(/E-mail domain/)
    await page.keyboard.type('acme.com')
    await tabTo(/Organization name/)
    await page.keyboard.type('Acme')
    await press('Enter')
    await page.getByRole('heading', { name: 'Create the application' }).waitFor()
    await tabTo(/Sign-in method/)
    await press('Space')
    await tabTo(/Continue/)
    await press('Enter')
    await page.getByRole('heading', { name: 'Enter client ID and secret' }).waitFor()
    await tabTo(/Client ID/)
    await page.keyboard.type('0oa1')
    await tabTo(/Client secret/)
    await page.keyboard.type(SECRET)
    await press('Enter')
    await page.getByRole('heading', { name: 'Acme is connected' }).waitFor()
  })

  test('work at any path of the service', async () => {
    const { page, service, violations } = await browser.visit({ prefix: '/sso/onboard' })
    await enterCode(page)
    expect(service.received).toMatchObject([{ path: `/v1/auth/validate?code=${CODE}` }])
    expect(violations).toEqual([])
  })

  test('start with the code of the link, which is removed from the address bar', async () => {
    const { page } = await browser.visit({ hash: `#code=${CODE}` })
    expect(await page.getByLabel('Onboarding code').inputValue()).toBe(CODE)
    expect(page.url()).not.toContain(CODE)
    expect(await storedText(page)).toContain(CODE)
  })

  test('start over with another link, and continue with the same', async () => {
    const { page, service } = await browser.visit()
    await enterCode(page)
    await page.goto(`${service.url}#code=${CODE}`)
    expect(await title(page)).toBe('Choose your identity provider')
    await page.goto(`${service.url}#code=AAAAAA-BBBBBB`)
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    expect(await page.getByLabel('Onboarding code').inputValue()).toBe('AAAAAA-BBBBBB')
  })

  test('show the settings of the chosen provider', async () => {
    const { page } = await browser.visit()
    await enterCode(page)
    await page.getByRole('radio', { name: 'Google Workspace' }).check()
    expect(await page.getByLabel('Well-known URL').inputValue()).toBe(
      'https://accounts.google.com/.well-known/openid-configuration',
    )
    await page.getByLabel('E-mail domain').fill('acme.com')
    await page.getByLabel('Organization name').fill('Acme')
    await page.getByRole('button', { name: 'Check and continue' }).click()
    await page.getByText('Authorized redirect URIs').waitFor()
    const console = page.getByRole('link', { name: /Google Cloud console/ })
    expect(await console.getAttribute('rel')).toContain('noopener')
  })
})

describe('every value', () => {
  test('can be copied', async () => {
    const { page, service } = await browser.visit({ permissions: ['clipboard-read', 'clipboard-write'] })
    await enterCode(page)
    await nameProvider(page)
    await page.getByRole('button', { name: 'Copy Sign-in redirect URIs' }).click()
    await page.getByText('Copied Sign-in redirect URIs.').waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(`${service.url}v1/auth/callback/5b0e6a52-7f0c-4c1d-9a0e-1f2d3c4b5a69`)
  })

  test('is in the curl command, and the secret is not', async () => {
    const { page, service } = await browser.visit()
    await page.getByLabel('Onboarding code').fill(CODE)
    await page.getByText('Use curl instead').click()
    expect(await page.locator('pre').textContent()).toBe(`curl '${service.url}v1/auth/validate?code=${CODE}'`)
    await enterCode(page)
    await fillProvider(page)
    await page.getByLabel('Organization name').fill("Jo's")
    const connection = await page.locator('pre').textContent()
    expect(connection).toContain(`'Authorization: Bearer ${TOKEN}'`)
    expect(connection).toContain(`"org_name": "Jo'\\''s"`)
    await page.getByRole('button', { name: 'Check and continue' }).click()
    await createApplication(page)
    await fillCredentials(page)
    const completion = await page.locator('pre').textContent()
    expect(completion).toContain(`/v1/api/oauth/${TRANSACTION}/onboard'`)
    expect(completion).toContain('"client_id": "0oa1b2c3d4e5f6g7h8"')
    expect(completion).not.toContain(SECRET)
  })

  test('of a field is checked as it is typed, and corrected with one click', async () => {
    const { page } = await browser.visit()
    await enterCode(page)
    await page.getByRole('radio', { name: 'Other provider' }).check()
    await page.getByLabel('Well-known URL').fill('http://acme-admin.okta.com')
    await page.getByRole('button', { name: 'Use https://acme.okta.com/' }).click()
    const url = page.getByLabel('Well-known URL')
    expect(await url.inputValue()).toBe('https://acme.okta.com/.well-known/openid-configuration')
    await isFocused(url)
    await page.getByLabel('E-mail domain').fill('gmail.com')
    await page.getByText('Anyone can get an address at gmail.com').waitFor()
  })
})

describe('the expiry', () => {
  test('is shown for the code and for the set-up', async () => {
    const { page } = await browser.visit()
    await enterCode(page)
    await page.getByText('Your code is valid until the end of 31 December 2026 (UTC).').waitFor()
    await nameProvider(page)
    await page.getByText('This set-up expires in 48 h 0 min.').waitFor()
    await page.clock.setFixedTime(new Date('2026-12-03T09:30:00Z'))
    await page.reload()
    await page.getByText('This set-up expires in 30 min.').waitFor()
    await page.clock.setFixedTime(new Date('2027-01-01T00:00:00Z'))
    await page.reload()
    await page.getByText('This set-up has expired. Repeat step 2.').waitFor()
    await page.getByText('Your code has expired.').waitFor()
  })
})
