import { randomUUID } from 'node:crypto'
import { type Requester, recordAudit, requesterDetail, userActor } from '../audit/audit.js'
import { after } from '../clock.js'
import type { Provider } from '../discovery/provider.js'
import { encryptSecret } from '../keys/secrets.js'
import {
  clientSecretContext,
  encryptionKey,
  loginVerifierContext,
  readSecret,
  sessionTokensContext,
} from '../organizations/secrets.js'
import { type CallbackRequest, noSignInWaiting, wrongBrowser } from '../organizations/sign-in-test.js'
import { signInUri } from '../organizations/urls.js'
import { admitEmail } from '../signin/admit-email.js'
import { hashString, isRandomString, randomString } from '../signin/begin-authorization.js'
import type { Identity } from '../signin/redeem-callback.js'
import { SignInFailure } from '../signin/sign-in-failure.js'
import type { Queries } from '../store/database.js'
import { findRealmByCallback, type Realm } from '../store/organizations/connections.js'
import { findWaiting, type TakenLogin, takeLogin } from '../store/sessions/logins.js'
import { deleteSession, findSession, insertSession } from '../store/sessions/sessions.js'
import { storable, UUID } from '../store/values.js'
import { type AdmittedUser, admitUser, type VerifiedIdentity } from './admit-user.js'
import { ABSOLUTE_MS, CHECK_MS } from './limits.js'
import type { LoginOutcome, SessionsDeps } from './sessions.js'

const AGAIN = 'Start the sign-in again.'

/** OpenID Connect limits `sub` to 255 ASCII characters. */
const LONGEST_SUBJECT = 255

/**
 * Handles a browser that comes back from the identity provider. State, callback address and browser must be those with which
 * it left. The state is deleted before the provider is contacted, so a login makes at most one session even if the callback is
 * repeated. The session that the browser had before ends.
 */
export async function finishLogin(
  deps: SessionsDeps,
  callback: CallbackRequest,
  cookie: string | undefined,
  requester: Requester,
): Promise<LoginOutcome | undefined> {
  const realm = UUID.test(callback.callbackId)
    ? await findRealmByCallback<Provider>(deps.database, callback.callbackId)
    : undefined
  if (realm === undefined) return undefined
  const taken = await take(deps, realm, callback)
  if (taken === undefined) return undefined
  const { state, login } = taken
  const verifier = await readSecret(deps.keys, login.encryptedVerifier, loginVerifierContext(hashString(state)))
  const clientSecret = await readSecret(deps.keys, realm.encryptedSecret, clientSecretContext(realm.organizationId))
  const { clientId, authMethod, provider } = realm
  try {
    const identity = await deps.signIn.redeem({
      provider,
      client: { clientId, clientSecret, authMethod, redirectUri: signInUri(deps, realm.callbackId) },
      expected: { state, nonce: login.nonce, verifier },
      query: callback.query,
    })
    if (identity instanceof SignInFailure) throw identity
    const verified = verifyIdentity(identity, realm)
    const entering = { realm, verified, identity, cookie, target: login.target, requester }
    return await deps.database.transaction((queries) => enter(queries, deps, entering))
  } catch (error) {
    if (error instanceof SignInFailure) return recordFailure(deps, realm, error, requester)
    throw error
  }
}

/** Undefined if the state belongs to the test of a connection. */
async function take(
  { database, clock }: SessionsDeps,
  realm: Realm<Provider>,
  { query, browser }: CallbackRequest,
): Promise<{ readonly state: string; readonly login: TakenLogin } | undefined> {
  const states = query.getAll('state')
  const [state] = states
  if (states.length !== 1 || !isRandomString(state)) throw noSignInWaiting(AGAIN)
  const { callbackId } = realm
  const stateHash = hashString(state)
  const now = clock()
  const login = isRandomString(browser)
    ? await takeLogin(database, { stateHash, callbackId, browserHash: hashString(browser) }, realm, now)
    : undefined
  if (login) return { state, login }
  const waiting = await findWaiting(database, { stateHash, callbackId }, realm, now)
  if (waiting === 'test') return undefined
  throw waiting === 'login' ? wrongBrowser(AGAIN) : noSignInWaiting(AGAIN)
}

/** Checks that the address belongs to one of the organization's domains, and that the identity can be stored. */
function verifyIdentity(identity: Identity, { domains, clientId }: Realm<Provider>): VerifiedIdentity {
  const { issuer, subject, name } = identity
  const email = admitEmail(identity, domains)
  if (subject.length > LONGEST_SUBJECT || /[\p{Cc}\p{Cs}]/u.test(subject)) {
    throw new SignInFailure(
      'subject_unreadable',
      'The identity provider sent a "sub" that is too long or contains control characters.',
    )
  }
  return { issuer, subject, clientId, email, name: name === undefined ? undefined : storable(name, 200) }
}

interface Entering {
  readonly realm: Realm<Provider>
  readonly verified: VerifiedIdentity
  readonly identity: Identity
  readonly cookie: string | undefined
  readonly target: string
  readonly requester: Requester
}

/** Locks the organization before the key, as the completion of an onboarding does, so that the two cannot deadlock. */
async function enter(queries: Queries, deps: SessionsDeps, entering: Entering): Promise<LoginOutcome> {
  const { realm, verified, identity, requester } = entering
  const now = deps.clock()
  const admitted = await admitUser(queries, realm, verified, now)
  if (!admitted) throw noSignInWaiting(AGAIN)
  const { user } = admitted
  const key = await encryptionKey(queries, deps.keys)
  await endPreviousSession(queries, entering, now)
  const id = randomUUID()
  const cookie = randomString()
  const tokens = JSON.stringify({ id_token: identity.idToken, refresh_token: identity.refreshToken })
  await insertSession(queries, {
    id,
    userId: user.id,
    cookieHash: hashString(cookie),
    providerSession: readProviderSession(identity.providerSession),
    encryptedTokens: encryptSecret(key, tokens, sessionTokensContext(id)),
    tokensKeyId: key.id,
    renewable: identity.refreshToken !== undefined,
    address: storable(requester.address, 100),
    agent: storable(requester.agent, 200),
    createdAt: now,
    checkAfter: after(now, CHECK_MS),
    expiresAt: after(now, ABSOLUTE_MS),
  })
  await recordSignIn(queries, { admitted, session: id, realm, requester, now })
  return { status: 'signed_in', cookie, target: entering.target, email: user.email }
}

/** Ends the session that the browser had, which an attacker may have planted (session fixation). */
async function endPreviousSession(queries: Queries, { cookie, requester }: Entering, now: Date): Promise<void> {
  const previous = isRandomString(cookie) ? await findSession(queries, hashString(cookie)) : undefined
  if (previous === undefined || !(await deleteSession(queries, previous.id))) return
  await recordAudit(queries, {
    at: now,
    actor: userActor(previous.userId),
    action: 'session.ended',
    org: previous.organization,
    detail: {
      session: previous.id,
      email: previous.email,
      reason: 'signed_in_again',
      ...requesterDetail(requester),
    },
  })
}

interface SignInRecord {
  readonly admitted: AdmittedUser
  readonly session: string
  readonly realm: Realm<Provider>
  readonly requester: Requester
  readonly now: Date
}

async function recordSignIn(
  queries: Queries,
  { admitted: { user, how }, session, realm, requester, now }: SignInRecord,
): Promise<void> {
  const record = { at: now, actor: userActor(user.id), org: realm.organization }
  const detail = { email: user.email, ...requesterDetail(requester) }
  if (how !== 'known') {
    const action = how === 'created' ? 'user.created' : 'user.linked'
    await recordAudit(queries, { ...record, action, detail: { ...detail, role: user.role } })
  }
  await recordAudit(queries, { ...record, action: 'user.signed_in', detail: { ...detail, session } })
}

async function recordFailure(
  { database, clock }: SessionsDeps,
  realm: Realm<Provider>,
  { code, message }: SignInFailure,
  requester: Requester,
): Promise<LoginOutcome> {
  await recordAudit(database, {
    at: clock(),
    actor: 'visitor',
    action: 'sign_in.refused',
    org: realm.organization,
    detail: { reason: code, ...requesterDetail(requester) },
  })
  return { status: 'failed', reason: code, detail: message }
}

function readProviderSession(sid: string | undefined): string | undefined {
  return sid === undefined || sid.length > 255 || /[\p{Cc}\p{Cs}]/u.test(sid) ? undefined : sid
}
