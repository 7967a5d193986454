import { createHash, randomUUID } from 'node:crypto'
import { type Administration, createAdministration } from '../../src/administration/administration.js'
import { createDevices, type Devices } from '../../src/devices/devices.js'
import type { Provider } from '../../src/discovery/provider.js'
import { createOnboarding, type Onboarding } from '../../src/onboarding/onboarding.js'
import type { Urls } from '../../src/organizations/urls.js'
import {
  createSessions,
  type LoginOutcome,
  type LoginRequest,
  type Sessions,
  type SessionsDeps,
  type User,
} from '../../src/sessions/sessions.js'
import { randomString } from '../../src/signin/begin-authorization.js'
import type { Database } from '../../src/store/database.js'
import { type LyingProvider, type ProviderResponse, startLyingProvider } from '../signin/lying-provider.js'
import { CLIENT, makeWorld, REQUEST, REQUESTER, URLS, type World } from '../world.js'

export const NO_HINT: LoginRequest = { email: undefined, issuer: undefined, targetLinkUri: undefined }

type Claims = Record<string, unknown>

/** A browser at the identity provider, ready to come back. */
export interface Trip {
  readonly query: URLSearchParams
  readonly callbackId: string
}

/** A service with an identity provider that a test controls, and organizations that are connected to it. */
export interface TestService extends AsyncDisposable {
  readonly world: World
  readonly idp: LyingProvider
  readonly deps: SessionsDeps
  readonly onboarding: Onboarding
  readonly sessions: Sessions
  readonly devices: Devices
  readonly administration: Administration
  /** The identity provider that discovery finds for every URL. */
  readonly connectTo: { provider: Provider }
  /** The TXT records of names; a function is called at the lookup. */
  readonly dns: Map<string, readonly (readonly string[])[] | (() => Promise<readonly (readonly string[])[]>)>
  /** The response of the token endpoint to a refresh token. By default, refresh tokens rotate and work once. */
  refresh: ((refreshToken: string) => Promise<ProviderResponse> | ProviderResponse) | undefined
  /** Whether the identity provider issues refresh tokens. */
  givesRefreshTokens: boolean
  /** The refresh tokens that were used, in order. */
  readonly refreshed: string[]
  setClock(time: string): void
  /** Connects an organization; gives its callback id. */
  connect(org?: string, domain?: string, provider?: Partial<Provider>, client?: typeof CLIENT): Promise<string>
  /** Makes the identity provider respond to a browser with these claims; gives the callback URL. */
  respond(sent: URL, claims?: Claims): string
  /** Begins a login and makes the identity provider respond with these claims. */
  goTo(request: Partial<LoginRequest>, browser: string, claims?: Claims): Promise<Trip>
  comeBack(trip: Trip, browser: string | undefined, cookie?: string): Promise<LoginOutcome | undefined>
  /** Signs a user in; gives the cookie. */
  signIn(claims?: Claims, cookie?: string): Promise<string>
  /** Signs a user in; gives the user. */
  enter(claims?: Claims): Promise<User>
  count(table: string): Promise<number>
  actions(): Promise<string[]>
}

/**
 * Prepares the service on a test database, with the clock at noon of 2030-01-01.
 *
 * @example
 * await using service = await makeTestService(database.current())
 * await service.connect()
 * const cookie = await service.signIn({ sub: 'alice' })
 */
export async function makeTestService(database: Database, urls: Urls = URLS): Promise<TestService> {
  const world = await makeWorld(database)
  const idp = await startLyingProvider({ endSessionEndpoint: 'https://idp.acme.com/logout?brand=acme' })
  const deps = { database, keys: world.keys, signIn: idp.signIn, clock: world.clock, urls }
  const granted = new Map<string, { readonly claims: Claims; readonly challenge: string | null }>()
  const live = new Set<string>()
  let tokens = 0
  const newRefreshToken = () => {
    const token = `refresh-${++tokens}`
    live.add(token)
    return token
  }
  const connectTo = { provider: idp.provider }
  const discovery = { ...world.discovery, discover: async () => connectTo.provider }
  const onboarding = createOnboarding({ ...deps, discovery })
  const sessions = createSessions(deps)
  const dns: TestService['dns'] = new Map()
  const resolveTxt = async (name: string) => {
    const found = dns.get(name)
    if (found === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    return typeof found === 'function' ? found() : found
  }
  idp.token = async ({ body }) => {
    const form = new URLSearchParams(body)
    if (form.get('grant_type') === 'refresh_token') {
      const given = form.get('refresh_token') ?? ''
      service.refreshed.push(given)
      if (service.refresh) return service.refresh(given)
      if (!live.delete(given)) return { status: 400, body: { error: 'invalid_grant' } }
      return { body: { access_token: 'a', token_type: 'Bearer', refresh_token: newRefreshToken() } }
    }
    const code = form.get('code') ?? ''
    const grant = granted.get(code)
    granted.delete(code)
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (grant?.challenge !== proof) return { status: 400, body: { error: 'invalid_grant' } }
    const idToken = await idp.sign(grant.claims)
    const refresh = service.givesRefreshTokens ? { refresh_token: newRefreshToken() } : {}
    return { body: { access_token: 'a', token_type: 'Bearer', id_token: idToken, ...refresh } }
  }
  const service: TestService = {
    world,
    idp,
    deps,
    onboarding,
    sessions,
    devices: createDevices(deps),
    administration: createAdministration({ ...deps, discovery, resolveTxt }),
    connectTo,
    dns,
    refresh: undefined,
    givesRefreshTokens: true,
    refreshed: [],
    setClock: (time) => {
      world.setClock(time)
      idp.setClock(new Date(time))
    },
    connect: async (org = 'Acme', domain = 'acme.com', provider = {}, client = CLIENT) => {
      connectTo.provider = { ...idp.provider, ...provider }
      const { code } = await world.operations.issueCode({ org, expires: '2030-06-01' })
      const { token } = await onboarding.exchangeCode(code, REQUESTER)
      const request = { ...REQUEST, domain, org_name: `${org} Inc.` }
      const opened = await onboarding.openTransaction(token, request, REQUESTER)
      await onboarding.complete(token, opened.transaction_id, client, REQUESTER)
      return opened.sign_in_uri.split('/').at(-1)!
    },
    respond: ({ searchParams }, claims = {}) => {
      const seconds = Math.floor(world.clock().getTime() / 1000)
      const own = { aud: CLIENT.client_id, iat: seconds, exp: seconds + 300, ...claims }
      const code = randomUUID()
      granted.set(code, {
        claims: idp.claims({ nonce: searchParams.get('nonce')!, url: '', state: '', verifier: '' }, own),
        challenge: searchParams.get('code_challenge'),
      })
      const query = new URLSearchParams({ code, state: searchParams.get('state')! })
      return `${searchParams.get('redirect_uri')}?${query}`
    },
    goTo: async (request, browser, claims = {}) => {
      const step = await sessions.begin({ ...NO_HINT, ...request }, browser)
      if (step.step !== 'go') throw new Error(`no way to an identity provider: ${step.reason}`)
      const { pathname, searchParams } = new URL(service.respond(new URL(step.url), claims))
      return { query: searchParams, callbackId: pathname.split('/').at(-1)! }
    },
    comeBack: ({ query, callbackId }, browser, cookie) =>
      sessions.finish({ callbackId, query, browser }, cookie, REQUESTER),
    signIn: async (claims = {}, cookie = undefined) => {
      const browser = randomString()
      const email = typeof claims.email === 'string' ? claims.email : 'alice@acme.com'
      const outcome = await service.comeBack(await service.goTo({ email }, browser, claims), browser, cookie)
      if (outcome?.status !== 'signed_in') throw new Error(`not signed in: ${JSON.stringify(outcome)}`)
      return outcome.cookie
    },
    enter: async (claims = {}) => (await sessions.read(await service.signIn(claims)))!,
    count: async (table) => (await database.query(`select 1 from ${table}`)).length,
    actions: async () =>
      (await database.query<{ action: string }>('select action from audit order by id')).map(({ action }) => action),
    [Symbol.asyncDispose]: () => idp[Symbol.asyncDispose](),
  }
  return service
}
