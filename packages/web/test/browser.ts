import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { startAppService, type TestAppService } from './app-service.js'
import { startService, type TestService } from './service.js'

const TODAY = new Date('2026-12-01T10:00:00Z')
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  readonly service: TestService
  /** What the page should never have: errors in its console, breaches of the policy, requests to elsewhere. */
  readonly complaints: string[]
}

export interface VisitOptions extends BrowserContextOptions {
  readonly hash?: string
  /** The path at which the service stands. */
  readonly prefix?: string
  /** What `/v1/setup.json` holds. */
  readonly setup?: unknown
  /** Time passes only when the test says so. */
  readonly stopped?: boolean
}

export interface AppVisit extends Omit<Visit, 'service'> {
  readonly service: TestAppService
}

export interface House {
  /** The page of a fresh service in a browser that knows nothing of it, on 1 December 2026 at ten. */
  visit(options?: VisitOptions): Promise<Visit>
  /** A page of the app of a fresh service, where Alice of Acme is signed in. */
  visitApp(path: string, options?: BrowserContextOptions): Promise<AppVisit>
  close(): Promise<void>
}

/**
 * Builds the page as it is shipped, and opens a browser for it.
 *
 * @example
 * const house = await openHouse()
 * const { page, service } = await house.visit({ colorScheme: 'dark' })
 */
export async function openHouse(): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'omen-web-'))
  const root = join(import.meta.dirname, '..')
  await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'error', build: { outDir: folder } })
  const browser = await launch()
  const services: { close(): Promise<void> }[] = []
  let usual: Tab | undefined
  return {
    visit: async ({ hash = '', prefix = '', setup, stopped = false, ...options } = {}) => {
      const service = await startService(folder, prefix)
      service.setup = setup
      services.push(service)
      // Every service has a port of its own, and with it an origin whose storage is empty: a tab can be used again.
      const plain = !stopped && Object.keys(options).length === 0
      if (plain) usual ??= await openTab(browser, {})
      const tab = plain && usual !== undefined ? usual : await openTab(browser, options)
      await watch(tab, service.url)
      if (stopped) await stopClock(tab.page)
      else await tab.page.clock.setFixedTime(TODAY)
      await tab.page.goto(`${service.url}${hash}`)
      await tab.page.getByRole('heading', { level: 1 }).waitFor()
      return { page: tab.page, context: tab.context, service, complaints: tab.watched.complaints }
    },
    visitApp: async (path, options = {}) => {
      const service = await startAppService(folder)
      services.push(service)
      const plain = Object.keys(options).length === 0
      if (plain) usual ??= await openTab(browser, {})
      const tab = plain && usual !== undefined ? usual : await openTab(browser, options)
      await watch(tab, service.url)
      await tab.page.clock.setFixedTime(TODAY)
      await tab.page.goto(`${service.url}${path}`)
      await tab.page.getByRole('heading', { level: 1 }).waitFor()
      return { page: tab.page, context: tab.context, service, complaints: tab.watched.complaints }
    },
    close: async () => {
      await browser.close()
      await Promise.all(services.map((service) => service.close()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Stops the time of the next page before it is there: a leap of an hour in its life would break off what it has asked for. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: TODAY })
  await page.clock.pauseAt(new Date(TODAY.getTime() + 3_600_000))
}

/** The browser of this machine. */
export async function launch(): Promise<Browser> {
  const executablePath = PLACES.find((place) => existsSync(place))
  if (executablePath === undefined) throw new Error('These tests need Chromium: apt-get install -y chromium')
  return chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 })
}

interface Tab {
  readonly context: BrowserContext
  readonly page: Page
  watched: { readonly own: string; readonly complaints: string[] }
}

async function openTab(browser: Browser, options: BrowserContextOptions): Promise<Tab> {
  const context = await openContext(browser, options)
  const tab: Tab = { context, page: await context.newPage(), watched: { own: '', complaints: [] } }
  const complain = (words: string) => tab.watched.complaints.push(words)
  tab.page.on('pageerror', (error) => complain(`error: ${error.message}`))
  tab.page.on('console', (message) => {
    // The browser reports every answer of 400 and above; those are what many tests are about.
    const expected = message.text().startsWith('Failed to load resource')
    if (!expected && ['error', 'warning'].includes(message.type())) complain(`console: ${message.text()}`)
  })
  tab.page.on('request', (request) => {
    if (!request.url().startsWith(tab.watched.own)) complain(`request: ${request.url()}`)
  })
  return tab
}

/** Watches a tab from now on for what a page of this service does. The page before is left first: it may still ask for its icon. */
async function watch(tab: Tab, own: string): Promise<void> {
  await tab.page.goto('about:blank')
  tab.watched = { own, complaints: [] }
}

/** A browser of its own, as it were, that waits as long for a page as a test may take: no machine is too slow for it. */
export async function openContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options })
  context.setDefaultTimeout(170_000)
  return context
}
