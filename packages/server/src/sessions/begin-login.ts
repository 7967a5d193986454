import { randomUUID } from 'node:crypto'
import { after } from '../clock.js'
import type { Provider } from '../discovery/provider.js'
import { encryptSecret } from '../keys/secrets.js'
import { encryptionKey, loginVerifierContext } from '../organizations/secrets.js'
import { signInUri, type Urls } from '../organizations/urls.js'
import { Problem } from '../problem.js'
import { domainOfEmail } from '../signin/admit-email.js'
import { hashString } from '../signin/begin-authorization.js'
import type { Queries } from '../store/database.js'
import { findRealmByDomain, findRealmsByIssuer, type Realm } from '../store/organizations/connections.js'
import { insertLogin } from '../store/sessions/logins.js'
import { storable } from '../store/values.js'
import { LOGIN_MS } from './limits.js'
import type { LoginRequest, LoginStep, SessionsDeps } from './sessions.js'

/** No issuer in use is longer. */
const LONGEST_ISSUER = 2_000

/** Looked up for a string that is not an e-mail address: it can be nobody's domain, and the lookup takes the same time. */
const NO_DOMAIN = '-'

/** The provider of a decoy login. */
const NOWHERE = { authorizationEndpoint: 'https://nowhere.invalid/authorize' }

/**
 * Begins a login, by e-mail address or by issuer. No request is sent to the identity provider. An address with an unknown
 * domain takes the same work as a known one, so that the response time does not reveal which domains are connected.
 */
export async function beginLogin(deps: SessionsDeps, request: LoginRequest, browser: string): Promise<LoginStep> {
  const target = chooseTarget(request.targetLinkUri, deps.urls)
  const begin = (realm: Realm<Provider> | undefined, queries: Queries) =>
    beginAt(queries, deps, { realm, email: request.email, target, browserHash: hashString(browser) })
  if (request.issuer !== undefined) {
    const step = await beginByIssuer(deps, request.issuer, begin)
    if (step !== undefined) return step
  }
  if (request.email === undefined) {
    return { step: 'ask', reason: request.issuer === undefined ? 'nothing' : 'several' }
  }
  const domain = domainOfEmail(request.email.trim()) ?? NO_DOMAIN
  return deps.database.transaction(async (queries) => {
    const realm = await findRealmByDomain<Provider>(queries, domain)
    const url = await begin(realm, queries)
    return realm === undefined ? { step: 'ask', reason: 'unknown_address' } : { step: 'go', url }
  })
}

type Begin = (realm: Realm<Provider>, queries: Queries) => Promise<string>

/** Undefined if several organizations use the issuer. */
async function beginByIssuer({ database }: SessionsDeps, issuer: string, begin: Begin): Promise<LoginStep | undefined> {
  const found = await findRealmsByIssuer<Provider>(database, storable(issuer, LONGEST_ISSUER))
  const [realm] = found
  if (realm === undefined) {
    throw new Problem(
      'sign_in_refused',
      'No organization is connected to the issuer that sent you here. Sign in with your e-mail address, or contact your administrator.',
    )
  }
  if (found.length > 1) return undefined
  return { step: 'go', url: await database.transaction((queries) => begin(realm, queries)) }
}

interface Beginning {
  readonly realm: Realm<Provider> | undefined
  readonly email: string | undefined
  readonly target: string
  readonly browserHash: string
}

async function beginAt(
  queries: Queries,
  { keys, signIn, clock, urls }: SessionsDeps,
  { realm, email, target, browserHash }: Beginning,
): Promise<string> {
  const key = await encryptionKey(queries, keys)
  const now = clock()
  const callbackId = realm?.callbackId ?? randomUUID()
  const { url, state, nonce, verifier } = signIn.begin((realm?.provider ?? NOWHERE) as Provider, {
    clientId: realm?.clientId ?? callbackId,
    redirectUri: signInUri({ urls }, callbackId),
    ...(email !== undefined && { loginHint: storable(email.trim(), 320) }),
  })
  const stateHash = hashString(state)
  await insertLogin(queries, {
    stateHash,
    organizationId: realm?.organizationId,
    callbackId,
    issuer: realm?.issuer,
    clientId: realm?.clientId,
    browserHash,
    nonce,
    encryptedVerifier: encryptSecret(key, verifier, loginVerifierContext(stateHash)),
    target,
    begunAt: now,
    expiresAt: after(now, LOGIN_MS),
  })
  return url
}

/** Longer than any address of the app. */
const LONGEST_TARGET = 2_000

/** Browsers read a backslash as a slash, and ignore invisible characters. */
const SUSPICIOUS = /[\\\s\p{C}]/u

/** The page on the sign-in host on which a user approves a tool. */
const DEVICE_PATH = '/device'

/**
 * Where a browser goes after its sign-in: an address of the app, or the page that approves a tool. Every other address is
 * replaced by the first page of the app, so that a link cannot redirect to another site.
 *
 * @example
 * chooseTarget('https://app.example.com/rules?q=kafka', { baseUrl, appUrl: 'https://app.example.com' }) // the same
 * chooseTarget('//evil.example', { baseUrl, appUrl: 'https://app.example.com' }) // 'https://app.example.com/'
 */
export function chooseTarget(requested: string | undefined, { baseUrl, appUrl }: Urls): string {
  const firstPage = new URL('/', appUrl).href
  if (requested === undefined || requested.length > LONGEST_TARGET) return firstPage
  if (SUSPICIOUS.test(requested) || !URL.canParse(requested)) return firstPage
  const url = new URL(requested)
  if (url.username !== '' || url.password !== '') return firstPage
  if (url.origin === new URL(appUrl).origin) return url.href
  return url.origin === new URL(baseUrl).origin && url.pathname === DEVICE_PATH ? url.href : firstPage
}
