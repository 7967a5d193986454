import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBrowser, type TestBrowser } from './browser.js'
import { problem, SECRET } from './service.js'
import {
  createApplication,
  enterCode,
  fillCredentials,
  fillProvider,
  isFocused,
  nameProvider,
  runClockUntilShown,
} from './steps.js'

let browser: TestBrowser
beforeAll(async () => {
  browser = await openTestBrowser()
})
afterAll(() => browser.close())

async function openProvider() {
  const visit = await browser.visit()
  await enterCode(visit.page)
  await fillProvider(visit.page)
  return visit
}

async function openCredentials() {
  const visit = await browser.visit()
  await enterCode(visit.page)
  await nameProvider(visit.page)
  await createApplication(visit.page)
  await fillCredentials(visit.page)
  return visit
}

describe('an error of the service', () => {
  test('about the code is shown at the code field, until the code changes', async () => {
    const { page, service } = await browser.visit()
    const code = page.getByLabel('Onboarding code')
    for (const [status, name] of [
      [400, 'missing_code'],
      [401, 'invalid_code'],
      [410, 'code_expired'],
      [410, 'code_used'],
    ] as const) {
      service.next(problem(status, name, `Detail of ${name}.`))
      await code.fill('AAAAAA-BBBBBB')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.locator('.notice', { hasText: `Detail of ${name}.` }).waitFor()
      expect(await code.getAttribute('aria-invalid')).toBe('true')
      await isFocused(code)
      await code.fill('AAAAAA-BBBBBC')
      expect(await page.getByText(`Detail of ${name}.`).count()).toBe(0)
    }
  })

  test('about a completed connection leads to the next steps', async () => {
    const { page, service } = await openCredentials()
    service.next(problem(410, 'code_used', 'This code has been used.'))
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('button', { name: 'Show the next steps' }).click()
    await page.getByRole('heading', { name: 'Acme is connected' }).waitFor()
    const login = page.getByRole('link', { name: 'Sign in now' })
    expect(await login.getAttribute('href')).toBe(`${service.url}v1/auth/login`)
  })

  test('about a field of step 2 is shown at that field', async () => {
    const { page, service } = await openProvider()
    for (const [status, code, label] of [
      [422, 'discovery_failed', 'Well-known URL'],
      [409, 'domain_taken', 'E-mail domain'],
      [422, 'public_domain', 'E-mail domain'],
    ] as const) {
      service.next(problem(status, code, `Detail of ${code}.`))
      await page.getByRole('button', { name: 'Check and continue' }).click()
      await page.locator('.notice', { hasText: `Detail of ${code}.` }).waitFor()
      const field = page.getByLabel(label)
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      await isFocused(field)
      expect(await page.getByRole('alert').count()).toBe(0)
    }
  })

  test('about several fields is shown at each of them, and above the form for unknown fields', async () => {
    const { page, service } = await openProvider()
    const errors = [
      { field: 'domain', message: 'Bad domain.' },
      { field: 'org_name', message: 'Bad name.' },
      { field: 'colour', message: 'Bad colour.' },
    ]
    service.next(problem(422, 'invalid_request', 'Two fields are wrong.', { errors }))
    await page.getByRole('button', { name: 'Check and continue' }).click()
    await page.getByText('Bad domain.').waitFor()
    await page.getByText('Bad name.').waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('colour: Bad colour.')
  })

  test('about the token leads back to the code and keeps the input', async () => {
    const { page, service } = await openProvider()
    for (const code of ['missing_token', 'invalid_token', 'token_expired']) {
      service.next(problem(401, code, `Detail of ${code}.`))
      await page.getByRole('button', { name: 'Check and continue' }).click()
      await page.getByRole('alert').getByText(`Detail of ${code}.`).waitFor()
      await page.getByRole('button', { name: 'Enter the code again' }).click()
      await enterCode(page)
      expect(await page.getByLabel('E-mail domain').inputValue()).toBe('acme.com')
    }
  })

  test('about the transaction leads back to step 2 and keeps the input', async () => {
    const { page, service } = await openCredentials()
    for (const [status, code] of [
      [404, 'unknown_transaction'],
      [410, 'transaction_expired'],
    ] as const) {
      service.next(problem(status, code, `Detail of ${code}.`))
      await page.getByRole('button', { name: 'Connect' }).click()
      await page.getByRole('button', { name: 'Repeat step 2' }).click()
      await page.getByRole('button', { name: 'Check and continue' }).click()
      await createApplication(page)
      expect(await page.getByRole('textbox', { name: 'Client ID' }).inputValue()).toBe('0oa1b2c3d4e5f6g7h8')
      await page.getByLabel('Client secret', { exact: true }).fill(SECRET)
    }
  })

  test('of any other kind is shown with its own detail', async () => {
    const { page, service } = await openCredentials()
    for (const [status, code] of [
      [409, 'already_completed'],
      [422, 'client_rejected'],
      [400, 'invalid_json'],
      [413, 'body_too_large'],
      [405, 'method_not_allowed'],
      [404, 'not_found'],
      [418, 'something_new'],
    ] as const) {
      service.next(problem(status, code, `Detail of ${code}.`))
      await page.getByRole('button', { name: 'Connect' }).click()
      await page.getByRole('alert').getByText(`Detail of ${code}.`).waitFor()
      await isFocused(page.locator('.failure'))
    }
  })

  test('that is temporary can be retried with the same input', async () => {
    const { page, service } = await openCredentials()
    for (const [status, code] of [
      [502, 'idp_unavailable'],
      [503, 'unavailable'],
      [500, 'internal'],
    ] as const) {
      service.next(problem(status, code, `Detail of ${code}.`, { headers: { 'x-request-id': `req-${status}` } }))
    }
    service.next({ status: 504, body: '<html>Gateway</html>', headers: { 'content-type': 'text/html' } })
    await page.getByRole('button', { name: 'Connect' }).click()
    for (const text of ['req-502', 'req-503', 'req-500', 'The service responded with status 504']) {
      await page.getByRole('alert').getByText(text).waitFor()
      await page.getByRole('button', { name: 'Try again' }).click()
    }
    await page.getByRole('heading', { name: 'Acme is connected' }).waitFor()
    const attempts = service.received.filter(({ path }) => path.endsWith('/onboard'))
    expect(attempts.map(({ body }) => body?.client_secret)).toEqual(Array(5).fill(SECRET))
  })
})

describe('too many requests', () => {
  test('count down, and can then be retried', async () => {
    const { page, service } = await browser.visit({ stopped: true })
    service.next(problem(429, 'rate_limited', 'Too many attempts with a code.', { headers: { 'retry-after': '30' } }))
    await page.getByLabel('Onboarding code').fill('K7QF2M-9XTR4B')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('You can try again in 30 s.').waitFor()
    await page.getByRole('button', { name: 'Wait 30 s' }).click({ force: true })
    await runClockUntilShown(page, page.getByText(/You can try again in (1\d|20) s\./), 10_000)
    expect(service.received).toHaveLength(1)
    await runClockUntilShown(page, page.getByRole('button', { name: 'Try again' }), 10_000)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Choose your identity provider' }).waitFor()
  })
})

describe('no network', () => {
  test('is reported, and keeps the input', async () => {
    const { page, context } = await openCredentials()
    await context.setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('alert').getByText('Cannot reach the service').waitFor()
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Acme is connected' }).waitFor()
  })
})

describe('while a request is pending', () => {
  test('the page says so and sends no second request', async () => {
    const { page, service } = await openProvider()
    let release = () => {}
    const after = new Promise<void>((resolve) => {
      release = resolve
    })
    service.next({ ...problem(422, 'discovery_failed', 'Late.'), after })
    const button = page.locator('button.primary')
    await button.click()
    await page.getByRole('status').getByText('Reading your identity provider’s configuration…').waitFor()
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    await button.click({ force: true })
    await page.getByLabel('E-mail domain').press('Enter')
    release()
    await page.locator('.notice', { hasText: 'Late.' }).waitFor()
    expect(service.received.filter(({ path }) => path === '/v1/api/oauth')).toHaveLength(1)
  })
})

describe('an empty form', () => {
  test('sends no request and moves the focus to the first missing field', async () => {
    const { page, service } = await browser.visit()
    await page.getByRole('button', { name: 'Continue' }).click()
    const code = page.getByLabel('Onboarding code')
    expect(await code.getAttribute('aria-invalid')).toBe('true')
    await isFocused(code)
    await page.getByText('Required').waitFor()
    expect(service.received).toEqual([])
  })
})
