import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { startAppService, type TestAppService } from './app-service.js'
import { startService, type TestService } from './service.js'

const TODAY = new Date('2026-12-01T10:00:00Z')
const EXECUTABLES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const root = join(import.meta.dirname, '..')
/** The pages as `npm run build` made them: all tests share one build. */
const BUILT = join(root, 'dist')

export interface Visit<Service = TestService> {
  readonly page: Page
  readonly context: BrowserContext
  readonly service: Service
  /** What no page may cause: console errors, violations of the content security policy, requests to other hosts. */
  readonly violations: string[]
}

export interface VisitOptions extends BrowserContextOptions {
  readonly hash?: string
  /** The path at which the service runs. */
  readonly prefix?: string
  /** The content of `/v1/setup.json`. */
  readonly setup?: unknown
  /** Time passes only when the test advances the clock. */
  readonly stopped?: boolean
}

export interface TestBrowser {
  /** Opens the set-up page of a new service in a new browser context, on 1 December 2026 at 10:00. */
  visit(options?: VisitOptions): Promise<Visit>
  /** Opens a page of the app of a new service, where Alice of Acme is signed in. */
  visitApp(path: string, options?: BrowserContextOptions): Promise<Visit<TestAppService>>
  close(): Promise<void>
}

/**
 * Starts a browser for tests of the built pages.
 *
 * @example
 * const browser = await openTestBrowser()
 * const { page, service } = await browser.visit({ colorScheme: 'dark' })
 */
export async function openTestBrowser(): Promise<TestBrowser> {
  requireBuild()
  const browser = await launch()
  const services: { close(): Promise<void> }[] = []
  let reusable: Tab | undefined
  /** Every service has its own port, and so an origin with empty storage: a tab without options can be used again. */
  const tabFor = async (options: BrowserContextOptions, stopped: boolean) => {
    if (stopped || Object.keys(options).length > 0) return openTab(browser, options)
    reusable ??= await openTab(browser, {})
    return reusable
  }
  const open = async <S extends TestService | TestAppService>(service: S, url: string, tab: Tab, stopped: boolean) => {
    services.push(service)
    await watch(tab, service.url)
    if (stopped) await stopClock(tab.page)
    else await tab.page.clock.setFixedTime(TODAY)
    await tab.page.goto(url)
    await tab.page.getByRole('heading', { level: 1 }).waitFor()
    return { page: tab.page, context: tab.context, service, violations: tab.watched.violations }
  }
  return {
    visit: async ({ hash = '', prefix = '', setup, stopped = false, ...options } = {}) => {
      const service = await startService(BUILT, prefix)
      service.setup = setup
      return open(service, `${service.url}${hash}`, await tabFor(options, stopped), stopped)
    },
    visitApp: async (path, options = {}) => {
      const service = await startAppService(BUILT)
      return open(service, `${service.url}${path}`, await tabFor(options, false), false)
    },
    close: async () => {
      await browser.close()
      await Promise.all(services.map((service) => service.close()))
    },
  }
}

/** Fails when the build is missing or older than a source file, so that no test runs against old pages. */
function requireBuild(): void {
  const timeOf = (file: string) => statSync(file).mtimeMs
  const built = join(BUILT, 'index.html')
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
  const isCurrent = existsSync(built) && sources.every((file) => timeOf(file) <= timeOf(built))
  if (!isCurrent) throw new Error('packages/web/dist is missing or older than its sources: run npm run build:web')
}

/** The clock is stopped before the page loads: a jump by an hour while it loads would abort its requests. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: TODAY })
  await page.clock.pauseAt(new Date(TODAY.getTime() + 3_600_000))
}

/** Starts the browser that is installed on this machine. */
export async function launch(): Promise<Browser> {
  const executablePath = EXECUTABLES.find((path) => existsSync(path))
  if (executablePath === undefined) throw new Error('These tests need Chromium: apt-get install -y chromium')
  return chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 })
}

interface Tab {
  readonly context: BrowserContext
  readonly page: Page
  watched: { readonly origin: string; readonly violations: string[] }
}

async function openTab(browser: Browser, options: BrowserContextOptions): Promise<Tab> {
  const context = await openContext(browser, options)
  const tab: Tab = { context, page: await context.newPage(), watched: { origin: '', violations: [] } }
  const report = (violation: string) => tab.watched.violations.push(violation)
  tab.page.on('pageerror', (error) => report(`error: ${error.message}`))
  tab.page.on('console', (message) => {
    // The browser logs every response with an error status, which many tests cause on purpose.
    const expected = message.text().startsWith('Failed to load resource')
    if (!expected && ['error', 'warning'].includes(message.type())) report(`console: ${message.text()}`)
  })
  tab.page.on('request', (request) => {
    if (!request.url().startsWith(tab.watched.origin)) report(`request: ${request.url()}`)
  })
  return tab
}

/** Collects the violations of a service from now on. The previous page is left first: it may still request its icon. */
async function watch(tab: Tab, origin: string): Promise<void> {
  await tab.page.goto('about:blank')
  tab.watched = { origin, violations: [] }
}

/** A browser context whose waits are limited only by the timeout of the test, so that a slow machine fails no test. */
export async function openContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options })
  context.setDefaultTimeout(170_000)
  return context
}
