import { Writable } from 'node:stream'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll } from 'vitest'
import { createApp } from '../../src/http/app.js'
import { createLogger } from '../../src/http/observing/log.js'
import type { Settings } from '../../src/settings/settings.js'
import type { Database } from '../../src/store/database.js'
import { NO_RULES, NOTHING_RELEASED, SETTINGS } from '../http/app-under-test.js'
import { openEmbedded } from '../prepared/prepared.js'
import { makeTestService, type TestService } from './test-service.js'

/** A browser that handles cookies per host and does not follow redirects. */
export interface Browser {
  readonly cookies: Map<string, string>
  get(url: string, more?: InjectOptions): Promise<LightMyRequestResponse>
  post(url: string, form: Record<string, string>, more?: InjectOptions): Promise<LightMyRequestResponse>
}

/** The complete service with its hosts. */
export interface Site extends AsyncDisposable {
  readonly service: TestService
  readonly app: FastifyInstance
  readonly settings: Settings
  logged(): string
  browser(): Browser
  /** Signs a user in with a browser; gives the URL of the redirect. */
  signIn(browser: Browser, claims?: Record<string, unknown>, target?: string): Promise<string>
  /** Makes the identity provider respond to a browser; gives the callback URL. */
  respond(location: string, claims?: Record<string, unknown>): Promise<string>
}

const PAGE = { accept: 'text/html,application/xhtml+xml' }

/**
 * Starts the service on a database, with its hosts.
 *
 * @example
 * await using site = await makeSite(database, THREE_HOSTS)
 * const browser = site.browser()
 * await site.signIn(browser)
 */
export async function makeSite(database: Database, more: Partial<Settings> = {}): Promise<Site> {
  const settings: Settings = { ...SETTINGS, ...more }
  const service = await makeTestService(database, settings)
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const { onboarding, sessions, devices, administration } = service
  const app = await createApp({
    onboarding,
    sessions,
    devices,
    administration,
    releases: { ...NOTHING_RELEASED, identify: service.world.releases.identify },
    catalogue: NO_RULES,
    settings,
    database,
    clock: service.world.clock,
    logger: createLogger({ level: 'trace', destination }),
  })
  const browser = (): Browser => {
    const cookies = new Map<string, string>()
    const send = async (url: string, request: InjectOptions) => {
      const { host, pathname, search } = new URL(url, settings.baseUrl)
      const own = [...cookies]
        .filter(([key]) => key.startsWith(`${host} `))
        .map(([key, value]) => `${key.slice(host.length + 1)}=${value}`)
      const headers = { ...PAGE, host, ...(own.length > 0 && { cookie: own.join('; ') }), ...request.headers }
      const response = await app.inject({ ...request, url: `${pathname}${search}`, headers })
      for (const line of [response.headers['set-cookie'] ?? []].flat()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
        if (value === '') cookies.delete(`${host} ${name}`)
        else cookies.set(`${host} ${name}`, value!)
      }
      return response
    }
    return {
      cookies,
      get: (url, request = {}) => send(url, { method: 'GET', ...request }),
      post: (url, form, request = {}) =>
        send(url, {
          method: 'POST',
          payload: new URLSearchParams(form).toString(),
          ...request,
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...request.headers },
        }),
    }
  }
  const site: Site = {
    service,
    app,
    settings,
    logged: () => lines.join(''),
    browser,
    respond: async (location, claims = {}) => service.respond(new URL(location), claims),
    signIn: async (browser, claims = {}, target = undefined) => {
      const email = typeof claims.email === 'string' ? claims.email : 'alice@acme.com'
      const query = new URLSearchParams({ email, ...(target !== undefined && { target_link_uri: target }) })
      const redirect = await browser.get(`/v1/auth/login?${query}`)
      const back = await browser.get(await site.respond(String(redirect.headers.location), claims))
      if (back.statusCode !== 303) throw new Error(`not signed in: ${back.body}`)
      return String(back.headers.location)
    },
    [Symbol.asyncDispose]: async () => {
      await app.close()
      await service[Symbol.asyncDispose]()
    },
  }
  return site
}

/** One site for all tests of a group, with Acme connected. */
export function useSite(settings: Partial<Settings>): () => Site {
  let database: Database | undefined
  let site: Site | undefined
  beforeAll(async () => {
    database = await openEmbedded()
    site = await makeSite(database, { limitSignIns: 100_000, ...settings })
    await site.service.connect()
  })
  afterAll(async () => {
    await site?.[Symbol.asyncDispose]()
    await database?.close()
  })
  return () => site!
}
