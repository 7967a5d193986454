import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { CODE, SECRET } from './service.js'

// The steps of the set-up page, as an administrator of Acme with Okta completes them.

export async function enterCode(page: Page, code = CODE) {
  await page.getByLabel('Onboarding code').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Choose your identity provider' }).waitFor()
}

export async function fillProvider(page: Page) {
  await page.getByRole('radio', { name: 'Okta' }).check()
  await page.getByLabel('Okta domain').fill('acme.okta.com')
  await page.getByLabel('E-mail domain').fill('acme.com')
  await page.getByLabel('Organization name').fill('Acme')
}

export async function nameProvider(page: Page) {
  await fillProvider(page)
  await page.getByRole('button', { name: 'Check and continue' }).click()
  await page.getByRole('heading', { name: 'Create the application' }).waitFor()
}

export async function createApplication(page: Page) {
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Enter client ID and secret' }).waitFor()
}

export async function fillCredentials(page: Page, secret = SECRET) {
  await page.getByRole('textbox', { name: 'Client ID' }).fill('0oa1b2c3d4e5f6g7h8')
  await page.getByLabel('Client secret', { exact: true }).fill(secret)
}

export async function connect(page: Page) {
  await fillCredentials(page)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('heading', { name: 'Acme is connected' }).waitFor()
}

/** Resolves when the element has the focus, which it may get a moment after it appears. */
export async function isFocused(locator: Locator) {
  await locator.and(locator.page().locator(':focus')).waitFor({ state: 'attached' })
}

/** Resolves when the tab has this title, which may change a moment after the page. */
export async function hasTitle(page: Page, title: string) {
  await expect.poll(() => page.title()).toBe(title)
}

/**
 * Advances the stopped clock of a page until an element is visible. One step is not enough: the page may not have set its timer
 * yet.
 */
export async function runClockUntilShown(page: Page, shown: Locator, step = 3000) {
  while (!(await shown.isVisible())) await page.clock.runFor(step)
}
