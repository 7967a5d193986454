import { randomUUID } from 'node:crypto'
import type { Provider } from '../discovery/provider.js'
import { encryptSecret } from '../keys/secrets.js'
import { encryptionKey } from '../onboarding/complete.js'
import { signInUri } from '../onboarding/parts.js'
import { Problem } from '../problem.js'
import { domainOfEmail } from '../signin/admit-email.js'
import { hashText } from '../signin/begin-authorization.js'
import type { Queries } from '../store/database.js'
import { insertLogin } from '../store/logins.js'
import { findRealmByDomain, findRealmsByIssuer, type Realm } from '../store/realms.js'
import { chooseTarget } from './choose-target.js'
import { LOGIN_MS } from './limits.js'
import { after, loginVerifierPlace, type SessionsParts, storable } from './parts.js'
import type { LoginRequest, LoginStep } from './sessions.js'

/** An issuer is a URL; nobody's has so many characters. */
const LONGEST_ISSUER = 2_000

/** In the place of the domain of what is no address: nobody can have it, and looking for it takes as long. */
const NO_DOMAIN = '-'

/** What a decoy is made with. */
const NOWHERE = { authorizationEndpoint: 'https://nowhere.invalid/authorize' }

/**
 * Begins a login, for whoever is asked for by address or by issuer. Nothing is fetched here. An address of a domain that nobody
 * has connected costs the same work as another, so that the time of the answer does not tell who is connected.
 */
export async function beginLogin(parts: SessionsParts, request: LoginRequest, browser: string): Promise<LoginStep> {
  const target = chooseTarget(request.targetLinkUri, parts.urls)
  const begin = (realm: Realm<Provider> | undefined, queries: Queries) =>
    beginAt(queries, parts, { realm, email: request.email, target, browserHash: hashText(browser) })
  if (request.issuer !== undefined) {
    const step = await beginByIssuer(parts, request.issuer, begin)
    if (step !== undefined) return step
  }
  if (request.email === undefined) {
    return { step: 'ask', reason: request.issuer === undefined ? 'nothing' : 'several' }
  }
  const domain = domainOfEmail(request.email.trim()) ?? NO_DOMAIN
  return parts.database.transaction(async (queries) => {
    const realm = await findRealmByDomain<Provider>(queries, domain)
    const url = await begin(realm, queries)
    return realm === undefined ? { step: 'ask', reason: 'unknown_address' } : { step: 'go', url }
  })
}

type Begin = (realm: Realm<Provider>, queries: Queries) => Promise<string>

/** Undefined when the issuer alone does not say which organization is meant. */
async function beginByIssuer(
  { database }: SessionsParts,
  issuer: string,
  begin: Begin,
): Promise<LoginStep | undefined> {
  const found = await findRealmsByIssuer<Provider>(database, storable(issuer, LONGEST_ISSUER))
  const [realm] = found
  if (realm === undefined) {
    throw new Problem(
      'sign_in_refused',
      'No organization here is connected to the issuer that sent you. Sign in with your e-mail address, or tell your administrator.',
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
  { keys, signIn, clock, urls }: SessionsParts,
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
  const stateHash = hashText(state)
  await insertLogin(queries, {
    stateHash,
    organizationId: realm?.organizationId,
    callbackId,
    issuer: realm?.issuer,
    clientId: realm?.clientId,
    browserHash,
    nonce,
    encryptedVerifier: encryptSecret(key, verifier, loginVerifierPlace(stateHash)),
    target,
    begunAt: now,
    expiresAt: after(now, LOGIN_MS),
  })
  return url
}
