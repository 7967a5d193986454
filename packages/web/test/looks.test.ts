import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBrowser, type TestBrowser, type VisitOptions } from './browser.js'
import {
  accessibilityProblems,
  layoutProblems,
  lowContrastTexts,
  NO_ACCESSIBILITY_PROBLEMS,
  NO_LAYOUT_PROBLEMS,
} from './page-quality.js'
import { problem, SECRET } from './service.js'
import { createApplication, enterCode, fillCredentials, fillProvider } from './steps.js'

let browser: TestBrowser
beforeAll(async () => {
  browser = await openTestBrowser()
})
afterAll(() => browser.close())

/** Opens every screen of the page, including those with errors, and calls `stop` at each. */
async function tour(options: VisitOptions, stop: (page: Page, where: string) => Promise<void>) {
  const setup = { base_url: 'https://omen.example', app_url: 'https://app.example', test_sign_in: true }
  const { page, service, violations } = await browser.visit({ ...options, setup })
  await page.getByText('Use curl instead').click()
  await stop(page, 'code')
  await page.getByLabel('Onboarding code').fill('K7QFO')
  await stop(page, 'code, wrong')
  await enterCode(page)
  await stop(page, 'choice of provider')
  await page.getByRole('radio', { name: 'Microsoft Entra ID' }).check()
  await page.getByRole('button', { name: 'Check and continue' }).click()
  await page.getByLabel('Well-known URL').fill('https://login.microsoftonline.com/x')
  await page.getByRole('button', { name: 'Start over' }).click()
  await stop(page, 'provider, wrong')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await fillProvider(page)
  service.next(problem(429, 'rate_limited', 'Too many.', { headers: { 'retry-after': '1' } }))
  await page.getByRole('button', { name: 'Check and continue' }).click()
  await page.getByRole('alert').waitFor()
  await stop(page, 'provider, too many')
  await page.clock.setFixedTime(new Date('2026-12-01T10:01:00Z'))
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('checkbox', { name: 'Sign-in method' }).check()
  await page.getByRole('button', { name: 'Copy Sign-in redirect URIs' }).click()
  await stop(page, 'application')
  await createApplication(page)
  await fillCredentials(page, 'wrong')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('alert').waitFor()
  await stop(page, 'credentials, rejected')
  await page.getByLabel('Client secret', { exact: true }).fill(SECRET)
  await page.getByRole('button', { name: 'Start a test sign-in' }).click()
  await page.getByRole('link', { name: /Sign in to test/ }).waitFor()
  await stop(page, 'test, waiting')
  service.testResult = { status: 'failed', detail: `Enter exactly this one at the application: ${'x'.repeat(90)}` }
  await page.reload()
  await page.getByText('Enter exactly this one').waitFor()
  await stop(page, 'test, failed')
  service.testResult = { status: 'passed', email: 'a-rather-long-name-of-somebody@acme.com' }
  await page.reload()
  await page.getByText('The test succeeded:').waitFor()
  await stop(page, 'test, passed')
  await page.getByLabel('Client secret', { exact: true }).fill(SECRET)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('heading', { name: 'Acme is connected' }).waitFor()
  await stop(page, 'done')
  expect(violations).toEqual([])
}

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }

test('every screen is readable in light and dark, fits a phone, and is accessible', async () => {
  await tour({ ...PHONE, reducedMotion: 'reduce' }, async (page, where) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect({ where, colorScheme, lowContrast: await lowContrastTexts(page) }).toEqual({
        where,
        colorScheme,
        lowContrast: [],
      })
    }
    expect({ where, ...(await layoutProblems(page)) }).toEqual({ where, ...NO_LAYOUT_PROBLEMS })
    expect({ where, ...(await accessibilityProblems(page)) }).toEqual({ where, ...NO_ACCESSIBILITY_PROBLEMS })
  })
})

describe('a step', () => {
  test('moves the focus to its title and sets the title of the tab', async () => {
    const { page } = await browser.visit()
    expect(await page.title()).toBe('Step 1 of 4: Enter your code · Omen')
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
    await enterCode(page)
    expect(await page.title()).toBe('Step 2 of 4: Choose your identity provider · Omen')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    expect(await page.locator('[aria-current="step"]').innerText()).toContain('Identity provider')
  })
})

describe('motion', () => {
  test('is off for users who prefer reduced motion', async () => {
    const { page, service } = await browser.visit({ reducedMotion: 'reduce' })
    service.next({ ...problem(401, 'invalid_code', 'No.'), after: new Promise<void>(() => {}) })
    await page.getByLabel('Onboarding code').fill('K7QF2M-9XTR4B')
    await page.getByRole('button', { name: 'Continue' }).click()
    const spinner = page.locator('.spinner')
    expect(await spinner.evaluate((element) => getComputedStyle(element).animationName)).toBe('none')
  })
})
