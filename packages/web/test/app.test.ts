import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBrowser, type TestBrowser } from './browser.js'
import { NEXT, ruleOf } from './organization.js'
import {
  accessibilityProblems,
  layoutProblems,
  lowContrastTexts,
  NO_ACCESSIBILITY_PROBLEMS,
  NO_LAYOUT_PROBLEMS,
} from './page-quality.js'
import { problem } from './service.js'
import { hasTitle, isFocused } from './steps.js'

let browser: TestBrowser
beforeAll(async () => {
  browser = await openTestBrowser()
})
afterAll(() => browser.close())

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** Every page, with a text that appears once the page is complete. */
const PAGES = [
  ['/', 'Install Omen'],
  ['/rules', '121 rules'],
  ['/rules/CRE-2026-10003', 'Make room'],
  ['/sessions', 'Safari on iOS'],
  ['/organization/members', 'bob-with-a-rather-long-name'],
  ['/organization/domains', '_omen.acme.org'],
  ['/organization/connection', 'The new connection expires'],
  ['/organization/tokens', 'nightly'],
  ['/organization/audit', 'number: 69'],
] as const

const titleOf = (page: Page) => page.getByRole('heading', { level: 1 }).innerText()

test('every page is readable in light and dark, fits a phone, and is accessible', async () => {
  const { page, service, violations } = await browser.visitApp('/', { ...PHONE, reducedMotion: 'reduce' })
  service.organization.next = { ...NEXT, status: 'failed', detail: `The redirect URI is another: ${'x'.repeat(90)}` }
  for (const [path, text] of PAGES) {
    await page.goto(`${service.url}${path}`)
    await page.getByText(text).first().waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect({ path, colorScheme, lowContrast: await lowContrastTexts(page) }).toEqual({
        path,
        colorScheme,
        lowContrast: [],
      })
    }
    expect({ path, ...(await layoutProblems(page)) }).toEqual({ path, ...NO_LAYOUT_PROBLEMS })
    expect({ path, ...(await accessibilityProblems(page)) }).toEqual({ path, ...NO_ACCESSIBILITY_PROBLEMS })
  }
  await page.goto(`${service.url}/sessions`)
  await page.getByRole('button', { name: 'End all other sessions' }).click()
  await page.getByRole('dialog').waitFor()
  expect(await lowContrastTexts(page)).toEqual([])
  expect(await layoutProblems(page)).toEqual(NO_LAYOUT_PROBLEMS)
  expect(violations).toEqual([])
})

describe('navigation', () => {
  test('works with links, back, reload, a new tab, and without a mouse', async () => {
    const { page, context, service } = await browser.visitApp('/')
    await hasTitle(page, 'Home · Omen')
    await page.getByText('omen updates trust http://localhost').waitFor()
    await page.getByText("curl -fLo omen 'https://omen.example/v1/tool/omen-0.3.0-linux-x64'").waitFor()
    const loads = { count: 0 }
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads.count++
    })
    await page.getByRole('link', { name: 'Rules', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('121 rules').waitFor()
    await isFocused(page.getByRole('heading', { level: 1 }))
    await page.keyboard.press('/')
    // Every key press replaces the list, so the last key must be one that changes the result.
    await page.keyboard.type('number  ')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.type('7')
    await page.getByText('21 of 121 rules').waitFor()
    await page.getByRole('link', { name: /Problem number 7 of/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'What to do' }).waitFor()
    await hasTitle(page, 'CRE-2026-10007 Problem number 7 of a thing · Omen')
    expect(await page.getByRole('link', { name: 'Back to the search' }).getAttribute('href')).toBe('/rules?q=number+7+')
    await page.goBack()
    expect(await page.getByRole('searchbox').inputValue()).toBe('number 7 ')
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Welcome, Alice' }).waitFor()
    expect(loads.count).toBe(0)
    await page.goForward()
    await page.reload()
    expect(await page.getByRole('searchbox').inputValue()).toBe('number 7 ')
    const link = page.getByRole('link', { name: /Problem number 7 of/ })
    const [tab] = await Promise.all([context.waitForEvent('page'), link.click({ modifiers: ['Control'] })])
    await tab.getByRole('heading', { name: 'What to do' }).waitFor()
    expect(tab.url()).toBe(`${service.url}/rules/CRE-2026-10007`)
    await tab.close()
  })

  test('leads to the set-up page for an onboarding link', async () => {
    const { page } = await browser.visitApp('/#code=K7QF2M-9XTR4B')
    await page.waitForURL('**/setup**')
    expect(await page.getByLabel('Onboarding code').inputValue()).toBe('K7QF2M-9XTR4B')
  })

  test('offers no administrator page to a member', async () => {
    const { page, service } = await browser.visitApp('/')
    service.organization.role = 'member'
    await page.reload()
    await page.getByText('a member of').waitFor()
    expect(await page.getByRole('link', { name: 'Organization' }).count()).toBe(0)
    await page.goto(`${service.url}/organization/members`)
    await page.getByRole('alert').getByText('Ask an administrator.').waitFor()
  })
})

describe('the catalogue', () => {
  test('is searched as the user types and filtered, and the URL contains both', async () => {
    const { page, service } = await browser.visitApp('/rules')
    await page.getByRole('checkbox', { name: 'critical' }).check()
    await page.getByRole('checkbox', { name: 'high' }).check()
    await page.getByLabel('Tag').selectOption('kafka')
    await page.getByText('24 of 121 rules').waitFor()
    await page.getByLabel('Search').fill('number 5')
    await page.getByText('3 of 121 rules').waitFor()
    await page.waitForURL('**/rules?q=number+5&severity=critical,high&tag=kafka')
    await page.reload()
    await page.getByText('3 of 121 rules').waitFor()
    await page.getByLabel('Search').fill('number 5 nowhere')
    await page.getByText('No rules').waitFor()
    await page.getByRole('button', { name: 'Show all rules' }).click()
    await page.waitForURL(`${service.url}/rules`)
    await page.getByText('121 rules').waitFor()
    expect(await page.locator('.rules > li').count()).toBe(60)
    await page.getByRole('button', { name: 'Show 60 more' }).click()
    await expect.poll(() => page.locator('.rules > li').count()).toBe(120)
  })

  test('is searchable with thousands of rules', async () => {
    const { page, service } = await browser.visitApp('/sessions')
    service.organization.rules = Array.from({ length: 5000 }, (_, at) => ruleOf(at))
    await page.getByRole('link', { name: 'Rules', exact: true }).click()
    await page.getByText('5000 rules').waitFor()
    await page.getByLabel('Search').pressSequentially('14321')
    await page.getByText('1 of 5000 rules').waitFor()
  })

  test('shows hostile rules as text and executes nothing in them', async () => {
    const { page, service, violations } = await browser.visitApp('/rules/ACME-0066')
    await page.getByText('Press <button onclick="alert(1)">here</button>').waitFor()
    expect(await titleOf(page)).toBe('<img src=x onerror=alert(1)> in a title')
    const links = await page
      .getByRole('article')
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))
    expect(links.filter((href) => !href.startsWith(service.url))).toEqual([
      'https://docs.example.com/',
      'https://docs.example.com/a?b=%3Cc%3E',
    ])
    expect(violations).toEqual([])
    await page.goto(`${service.url}/rules/CRE-0`)
    await page.getByRole('alert').getByText('There is no rule with this identifier.').waitFor()
  })
})

describe('without a session', () => {
  test('the app redirects to sign-in and back to the same page', async () => {
    const { page, service } = await browser.visitApp('/rules?q=kafka')
    service.signedIn = false
    await page.getByRole('link', { name: 'Sessions', exact: true }).click()
    await page.getByText('Safari on iOS').waitFor()
    expect([service.signedIn, page.url()]).toEqual([true, `${service.url}/sessions`])
  })

  test('a failed change keeps the input, and the app does not redirect in a loop', async () => {
    const { page, service } = await browser.visitApp('/organization/domains')
    await page.getByLabel('E-mail domain').fill('acme.net')
    const gone = problem(401, 'missing_session', 'Nobody is signed in here.')
    service.next('POST /v1/org/domains', gone)
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.getByRole('alert').getByText('Nobody is signed in here.').waitFor()
    expect(await page.getByLabel('E-mail domain').inputValue()).toBe('acme.net')
    for (let time = 0; time < 2; time++) service.next('GET /v1/me', gone)
    await page.reload()
    await page.getByRole('alert').getByText('Nobody is signed in here.').waitFor()
    await page.getByRole('alert').getByRole('link', { name: 'Sign in' }).click()
    await page.getByText('_omen.acme.org').waitFor()
  })

  test('the rules are public, with a link to sign in', async () => {
    const { page, service } = await browser.visitApp('/rules')
    service.signedIn = false
    await page.reload()
    await page.getByText('121 rules').waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByText('alice@acme.com').waitFor()
    expect(page.url()).toBe(`${service.url}/rules`)
  })
})

describe('sessions', () => {
  test('are ended one by one or all at once, after a confirmation', async () => {
    const { page, service } = await browser.visitApp('/sessions')
    await page.getByRole('button', { name: /^End session: Safari on iOS/ }).click()
    await page.keyboard.press('Escape')
    expect(service.changes).toEqual([])
    await page.getByRole('button', { name: /^End session: Safari on iOS/ }).click()
    service.next('DELETE /v1/sessions/session-2', problem(503, 'unavailable', 'The database is not available.'))
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
    await page.getByRole('dialog').getByText('The database is not available.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Safari on iOS').first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'End all other sessions' }).click()
    await page.getByRole('button', { name: 'End sessions' }).click()
    await page.getByText('The omen tool').first().waitFor({ state: 'detached' })
    expect(service.organization.sessions.map(({ id }) => id)).toEqual(['session-0'])
  })

  test('end in every tab when the user signs out', async () => {
    const { page, context, service } = await browser.visitApp('/')
    const other = await context.newPage()
    await other.goto(`${service.url}/rules`)
    await other.getByText('121 rules').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/omen.svg')
    await other.getByText('You signed out in another tab.').waitFor()
    await other.close()
  })
})

describe('an administrator', () => {
  test('changes roles and removes members', async () => {
    const { page, service } = await browser.visitApp('/organization/members')
    const role = page.getByLabel('Role of bob-with-a-rather-long-name@acme.com')
    await role.selectOption('administrator')
    await expect
      .poll(() => service.organization.members.map((member) => member.role))
      .toEqual(['administrator', 'administrator'])
    service.next('PATCH /v1/org/members/alice', problem(409, 'last_administrator', 'Name another administrator first.'))
    await page.getByLabel('Role of alice@acme.com').selectOption('member')
    await page.getByRole('alert').getByText('Name another administrator first.').waitFor()
    expect(await page.getByLabel('Role of alice@acme.com').inputValue()).toBe('administrator')
    await page.getByRole('button', { name: 'Remove bob' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await role.waitFor({ state: 'detached' })
    expect(service.organization.members.map(({ id }) => id)).toEqual(['alice'])
  })

  test('adds a domain, verifies it, and removes it', async () => {
    const { page, service } = await browser.visitApp('/organization/domains')
    await page.getByLabel('E-mail domain').fill('jo@acme.net')
    await page.getByRole('button', { name: 'Use acme.net' }).click()
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.getByText('_omen.acme.net').waitFor()
    const found = 'The record has "omen-domain=old", and omen-domain=4fVk… was expected.'
    service.next('POST /v1/org/domains/acme.net/check', problem(422, 'domain_unverified', found))
    const check = page.getByRole('button', { name: 'Check now whether acme.net is verified' })
    await check.click()
    await page.getByRole('alert').getByText(found).waitFor()
    await check.click()
    await page.getByText('_omen.acme.net').waitFor({ state: 'detached' })
    service.next('POST /v1/org/domains', problem(409, 'domain_taken', 'Another organization has acme.io.'))
    await page.getByLabel('E-mail domain').fill('acme.io')
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.locator('.notice', { hasText: 'Another organization has acme.io.' }).waitFor()
    await page.getByRole('button', { name: 'Remove acme.net' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('heading', { name: 'acme.net verified' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: 'Remove acme.com' }).count()).toBe(0)
  })

  test('replaces the connection: checks it, verifies it with a sign-in, and switches to it', async () => {
    const { page, service } = await browser.visitApp('/organization/connection')
    service.next('POST /v1/org/connection', problem(422, 'client_rejected', 'acme.okta.com rejects this secret.'))
    await page.getByLabel('Client secret', { exact: true }).fill('wrong-secret')
    await page.getByRole('button', { name: 'Check connection' }).click()
    await page.getByRole('alert').getByText('acme.okta.com rejects this secret.').waitFor()
    await page.getByRole('radio', { name: 'Another application or identity provider' }).check()
    await page.getByLabel('Well-known URL').fill('new.okta.com')
    await page.getByRole('button', { name: /^Use https:\/\/new.okta.com/ }).click()
    await page.getByLabel('Client ID', { exact: true }).fill('new-client')
    await page.getByLabel('Client secret', { exact: true }).fill('right-secret')
    await page.getByRole('button', { name: 'Check connection' }).click()
    await page.getByRole('heading', { name: 'New connection', exact: true }).waitFor()
    expect(service.changes.at(-1)?.body).toEqual({
      well_known_url: 'https://new.okta.com/.well-known/openid-configuration',
      client_id: 'new-client',
      client_secret: 'right-secret',
    })
    expect(await page.getByRole('button', { name: 'Switch' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Test sign-in' }).click()
    await page.getByText('Verified: you signed in as alice@acme.com.').waitFor()
    await page.getByRole('button', { name: 'Switch' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Switch' }).click()
    await page.getByRole('heading', { name: 'New connection', exact: true }).waitFor({ state: 'detached' })
    service.organization.next = { ...NEXT, status: 'passed', tested_as: 'bob@acme.com' }
    await page.reload()
    await page.getByText('bob@acme.com signed in. Sign in with it yourself as alice@acme.com').waitFor()
    expect(await page.getByRole('button', { name: 'Switch' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await expect.poll(() => service.organization.next).toBeNull()
  })

  test('creates a token, which is shown once, and revokes it', async () => {
    const { page, service } = await browser.visitApp('/organization/tokens')
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('Required').waitFor()
    await page.getByLabel('Name').fill('pipeline')
    await page.getByRole('checkbox', { name: /audit:read/ }).check()
    await page.getByLabel('Valid for').selectOption('1 year')
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('omen_the-token-itself').waitFor()
    expect(service.changes.at(-1)?.body).toEqual({
      name: 'pipeline',
      scopes: ['rules:read', 'audit:read'],
      expires_at: '2027-12-01T10:00:00.000Z',
    })
    await page.getByRole('button', { name: 'Done' }).click()
    expect(await page.getByText('omen_the-token-itself').count()).toBe(0)
    await page.getByRole('button', { name: 'Revoke pipeline' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter')
    await page.getByRole('heading', { name: 'pipeline', exact: true }).waitFor({ state: 'detached' })
    // The button that opened the dialog is gone, so the title has the focus.
    await page.locator('h1:focus').waitFor()
  })

  test('reads the audit log to its first record', async () => {
    const { page, service } = await browser.visitApp('/organization/audit')
    await page.getByText('number: 69').waitFor()
    expect(await page.locator('.records > li').count()).toBe(50)
    await page.getByRole('button', { name: 'Show older records' }).click()
    await page.getByText('number: 1', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Show older records' }).count()).toBe(0)
    await page.getByLabel('Action').selectOption('token.issued')
    await page.waitForURL(`${service.url}/organization/audit?action=token.issued`)
    await page.locator('.records code', { hasText: 'token.issued' }).first().waitFor()
  })
})

test('a page that cannot be loaded says why and can be loaded again', async () => {
  const { page, service } = await browser.visitApp('/')
  service.next('GET /v1/sessions', problem(503, 'unavailable', 'The database is not available.'))
  await page.getByRole('link', { name: 'Sessions', exact: true }).click()
  await page.getByRole('alert').getByText('Title of unavailable').waitFor()
  await page.getByRole('alert').getByText('The database is not available.').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Safari on iOS').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})
