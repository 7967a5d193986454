import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBrowser, type TestBrowser, type VisitOptions } from './browser.js'
import { problem } from './service.js'
import { createApplication, enterCode, fillCredentials, isFocused, nameProvider, runClockUntilShown } from './steps.js'

let browser: TestBrowser
beforeAll(async () => {
  browser = await openTestBrowser()
})
afterAll(() => browser.close())

const setup = { base_url: 'https://omen.example', app_url: 'https://app.example', test_sign_in: true }

async function openCredentials(options: VisitOptions = {}) {
  const visit = await browser.visit({ setup, ...options })
  await enterCode(visit.page)
  await nameProvider(visit.page)
  await createApplication(visit.page)
  // The page reads the result of an earlier test at once. A response that a test plans must not be used for that.
  await expect.poll(() => visit.service.received.some(({ path }) => path.endsWith('/test'))).toBe(true)
  return visit
}

describe('the test sign-in', () => {
  test('is started, done in another tab, and shows its result', async () => {
    const { page, service, violations } = await openCredentials({ stopped: true })
    await fillCredentials(page)
    await page.getByRole('button', { name: 'Start a test sign-in' }).click()
    const link = page.getByRole('link', { name: /Sign in to test/ })
    await link.waitFor()
    expect(await link.getAttribute('target')).toBe('_blank')
    await isFocused(link)
    await page.getByText('Waiting for the sign-in').waitFor()
    service.testResult = { status: 'passed', email: 'jo@acme.com' }
    await runClockUntilShown(page, page.getByText('The test succeeded: jo@acme.com signed in.'))
    expect(await link.count()).toBe(0)
    const sent = service.received.length
    await page.clock.runFor(60_000)
    expect(service.received).toHaveLength(sent)
    expect(violations).toEqual([])
  })

  test('requires both fields, and says so', async () => {
    const { page, service } = await openCredentials()
    await page.getByRole('button', { name: 'Start a test sign-in' }).click()
    await page.getByText('Enter the client ID and the client secret first.').waitFor()
    expect(service.received.filter(({ method, path }) => method === 'POST' && path.endsWith('/test'))).toEqual([])
    await fillCredentials(page)
    expect(await page.getByText('Enter the client ID and the client secret first.').count()).toBe(0)
  })

  test('that failed says what to change, and can be repeated', async () => {
    const { page, service } = await openCredentials({ stopped: true })
    await fillCredentials(page)
    await page.getByRole('button', { name: 'Start a test sign-in' }).click()
    await page.getByRole('link', { name: /Sign in to test/ }).waitFor()
    service.testResult = { status: 'failed', detail: '"bob@other.com" signed in, and acme.com was expected.' }
    await runClockUntilShown(page, page.getByText('"bob@other.com" signed in'))
    await page.getByRole('button', { name: 'Test again' }).click()
    await page.getByRole('link', { name: /Sign in to test/ }).waitFor()
  })

  test('shows its result only while the fields contain the tested client', async () => {
    const { page, service } = await openCredentials({ stopped: true })
    await fillCredentials(page)
    await page.getByRole('button', { name: 'Start a test sign-in' }).click()
    await page.getByRole('link', { name: /Sign in to test/ }).waitFor()
    service.testResult = { status: 'passed', email: 'jo@acme.com' }
    const passed = page.getByText('The test succeeded: jo@acme.com signed in.')
    await runClockUntilShown(page, passed)
    await page.getByLabel('Client secret', { exact: true }).fill('another-secret-0123456789')
    await passed.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Start a test sign-in' }).waitFor()
    await fillCredentials(page)
    await passed.waitFor()
    await page.getByRole('textbox', { name: 'Client ID' }).fill('another-client')
    await passed.waitFor({ state: 'detached' })
  })

  test('survives a reload, with its result', async () => {
    const { page, service } = await openCredentials({ stopped: true })
    await fillCredentials(page)
    await page.getByRole('button', { name: 'Start a test sign-in' }).click()
    await page.getByRole('link', { name: /Sign in to test/ }).waitFor()
    await page.reload()
    await page.getByText('Waiting for the sign-in').waitFor()
    service.testResult = { status: 'passed', email: 'jo@acme.com' }
    await runClockUntilShown(page, page.getByText('The test succeeded: jo@acme.com signed in.'))
    await page.reload()
    await page.getByText('The test succeeded: jo@acme.com signed in.').waitFor()
    // The secret has to be entered again, which does not invalidate the result.
    await fillCredentials(page)
    await page.getByText('The test succeeded: jo@acme.com signed in.').waitFor()
    await page.getByRole('textbox', { name: 'Client ID' }).fill('another-client')
    await page.reload()
    await page.getByRole('button', { name: 'Start a test sign-in' }).waitFor()
    expect(await page.getByText('The test succeeded:').count()).toBe(0)
  })

  test('that cannot be started says why, with a button for what to do', async () => {
    const { page, service } = await openCredentials()
    await fillCredentials(page)
    service.next(problem(422, 'client_rejected', 'acme.okta.com rejects this client.'))
    await page.getByRole('button', { name: 'Start a test sign-in' }).click()
    await page.getByRole('alert').getByText('acme.okta.com rejects this client.').waitFor()
    service.next(problem(502, 'idp_unavailable', 'acme.okta.com does not respond.'))
    await page.getByRole('button', { name: 'Start a test sign-in' }).click()
    await page.getByRole('alert').getByText('acme.okta.com does not respond.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: /Sign in to test/ }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    service.next(problem(410, 'transaction_expired', 'This transaction has expired.'))
    await page.getByRole('button', { name: 'Start another test' }).click()
    await page.getByRole('button', { name: 'Repeat step 2' }).click()
    await page.getByRole('heading', { name: 'Choose your identity provider' }).waitFor()
  })

  test('is polled with pauses while the service limits requests, and no longer after it has expired', async () => {
    const { page, service } = await openCredentials({ stopped: true })
    await fillCredentials(page)
    await page.getByRole('button', { name: 'Start a test sign-in' }).click()
    await page.getByRole('link', { name: /Sign in to test/ }).waitFor()
    const reads = () => service.received.filter(({ method, path }) => method === 'GET' && path.endsWith('/test')).length
    const before = reads()
    service.next(problem(429, 'rate_limited', 'Too many.', { headers: { 'retry-after': '30' } }))
    await expect
      .poll(async () => {
        if (reads() === before) await page.clock.runFor(3000)
        return reads()
      })
      .toBe(before + 1)
    await page.clock.runFor(20_000)
    expect(reads()).toBe(before + 1)
    service.next(problem(410, 'transaction_expired', 'This transaction has expired.'))
    await runClockUntilShown(page, page.getByRole('alert').getByText('This transaction has expired.'))
    const after = reads()
    await page.clock.runFor(60_000)
    expect(reads()).toBe(after)
  })

  test('is offered as soon as the set-up file can be read', async () => {
    const { page } = await browser.visit({ setup, stopped: true })
    await page.route('**/v1/setup.json', (route) => route.abort(), { times: 1 })
    await page.reload()
    await enterCode(page)
    await nameProvider(page)
    await createApplication(page)
    const button = page.getByRole('button', { name: 'Start a test sign-in' })
    expect(await button.count()).toBe(0)
    await runClockUntilShown(page, button)
  })

  test('works with the keyboard only', async () => {
    const { page } = await openCredentials()
    await fillCredentials(page)
    await page.getByRole('button', { name: 'Start a test sign-in' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /Sign in to test/ }).waitFor()
    const [tab] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')])
    expect(tab.url()).toContain('/omen.svg')
    await tab.close()
  })
})
