import { createHash, randomUUID } from 'node:crypto'
import type { Administration } from '../../src/administration/administration.js'
import { createAdministration } from '../../src/administration/create-administration.js'
import { createDevices } from '../../src/devices/create-devices.js'
import type { Devices } from '../../src/devices/devices.js'
import type { Provider } from '../../src/discovery/provider.js'
import { createOnboarding } from '../../src/onboarding/create-onboarding.js'
import type { Onboarding } from '../../src/onboarding/onboarding.js'
import type { Urls } from '../../src/onboarding/parts.js'
import { createSessions } from '../../src/sessions/create-sessions.js'
import type { SessionsParts } from '../../src/sessions/parts.js'
import type { LoginOutcome, LoginRequest, Person, Sessions, Visitor } from '../../src/sessions/sessions.js'
import { randomText } from '../../src/signin/begin-authorization.js'
import type { Database } from '../../src/store/database.js'
import { type LyingProvider, type Said, startLyingProvider } from '../signin/lying-provider.js'
import { CALLER, CLIENT, makeWorld, REQUEST, URLS, type World } from '../world.js'

export const VISITOR: Visitor = { ...CALLER, agent: 'Firefox on Linux' }

export const NOBODY_ASKED: LoginRequest = { email: undefined, issuer: undefined, targetLinkUri: undefined }

type Claims = Record<string, unknown>

/** A browser that stands at the identity provider, ready to come back. */
export interface Trip {
  readonly query: URLSearchParams
  readonly callbackId: string
}

/** A service with an identity provider that says what a test wants, and organizations that are connected to it. */
export interface People extends AsyncDisposable {
  readonly world: World
  readonly idp: LyingProvider
  readonly parts: SessionsParts
  readonly onboarding: Onboarding
  readonly sessions: Sessions
  readonly devices: Devices
  readonly administration: Administration
  /** The identity provider that stands behind whatever address is given. */
  readonly connectTo: { provider: Provider }
  /** The TXT records of names; what a function does is done at the lookup. */
  readonly dns: Map<string, readonly (readonly string[])[] | (() => Promise<readonly (readonly string[])[]>)>
  /** What the token endpoint says to a refresh token; without it, tokens rotate and are good once. */
  refresh: ((refreshToken: string) => Promise<Said> | Said) | undefined
  /** Whether the identity provider gives refresh tokens at all. */
  givesRefreshTokens: boolean
  /** The refresh tokens that were used, in their order. */
  readonly refreshed: string[]
  setClock(time: string): void
  /** Connects an organization; gives the last part of its callback address. */
  connect(org?: string, domain?: string, provider?: Partial<Provider>, client?: typeof CLIENT): Promise<string>
  /** Lets the identity provider answer with these claims to where a browser was sent; gives where it comes back. */
  answer(sent: URL, claims?: Claims): string
  /** Begins a login and lets the identity provider answer with these claims. */
  goTo(request: Partial<LoginRequest>, browser: string, claims?: Claims): Promise<Trip>
  comeBack(trip: Trip, browser: string | undefined, cookie?: string): Promise<LoginOutcome | undefined>
  /** Signs somebody in; gives the cookie. */
  signIn(claims?: Claims, cookie?: string): Promise<string>
  /** Signs somebody in; gives the person. */
  enter(claims?: Claims): Promise<Person>
  count(table: string): Promise<number>
  actions(): Promise<string[]>
}

/**
 * Sets the scene on a database of a test, at noon of 2030-01-01.
 *
 * @example
 * await using people = await makePeople(database.current())
 * await people.connect()
 * const cookie = await people.signIn({ sub: 'alice' })
 */
export async function makePeople(database: Database, urls: Urls = URLS): Promise<People> {
  const world = await makeWorld(database)
  const idp = await startLyingProvider({ endSessionEndpoint: 'https://idp.acme.com/logout?brand=acme' })
  const parts = { database, keys: world.keys, signIn: idp.signIn, clock: world.clock, urls }
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
  const onboarding = createOnboarding({ ...parts, discovery })
  const sessions = createSessions(parts)
  const dns: People['dns'] = new Map()
  const resolveTxt = async (name: string) => {
    const found = dns.get(name)
    if (found === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    return typeof found === 'function' ? found() : found
  }
  idp.token = async ({ body }) => {
    const form = new URLSearchParams(body)
    if (form.get('grant_type') === 'refresh_token') {
      const given = form.get('refresh_token') ?? ''
      people.refreshed.push(given)
      if (people.refresh) return people.refresh(given)
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
    const refresh = people.givesRefreshTokens ? { refresh_token: newRefreshToken() } : {}
    return { body: { access_token: 'a', token_type: 'Bearer', id_token: idToken, ...refresh } }
  }
  const people: People = {
    world,
    idp,
    parts,
    onboarding,
    sessions,
    devices: createDevices(parts),
    administration: createAdministration({ ...parts, discovery, resolveTxt }),
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
      const { token } = await onboarding.exchangeCode(code, CALLER)
      const request = { ...REQUEST, domain, org_name: `${org} Inc.` }
      const opened = await onboarding.openTransaction(token, request, CALLER)
      await onboarding.complete(token, opened.transaction_id, client, CALLER)
      return opened.sign_in_uri.split('/').at(-1)!
    },
    answer: ({ searchParams }, claims = {}) => {
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
      const step = await sessions.begin({ ...NOBODY_ASKED, ...request }, browser)
      if (step.step !== 'go') throw new Error(`no way to an identity provider: ${step.reason}`)
      const { pathname, searchParams } = new URL(people.answer(new URL(step.url), claims))
      return { query: searchParams, callbackId: pathname.split('/').at(-1)! }
    },
    comeBack: ({ query, callbackId }, browser, cookie) =>
      sessions.finish({ callbackId, query, browser }, cookie, VISITOR),
    signIn: async (claims = {}, cookie = undefined) => {
      const browser = randomText()
      const email = typeof claims.email === 'string' ? claims.email : 'alice@acme.com'
      const outcome = await people.comeBack(await people.goTo({ email }, browser, claims), browser, cookie)
      if (outcome?.status !== 'signed_in') throw new Error(`not signed in: ${JSON.stringify(outcome)}`)
      return outcome.cookie
    },
    enter: async (claims = {}) => (await sessions.read(await people.signIn(claims)))!,
    count: async (table) => (await database.query(`select 1 from ${table}`)).length,
    actions: async () =>
      (await database.query<{ action: string }>('select action from audit order by id')).map(({ action }) => action),
    [Symbol.asyncDispose]: () => idp[Symbol.asyncDispose](),
  }
  return people
}
