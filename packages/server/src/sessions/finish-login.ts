import { randomUUID } from 'node:crypto'
import { recordAudit } from '../audit/audit.js'
import type { Provider } from '../discovery/provider.js'
import { encryptSecret } from '../keys/secrets.js'
import { encryptionKey } from '../onboarding/complete.js'
import type { Return } from '../onboarding/onboarding.js'
import { callerDetail, signInUri } from '../onboarding/parts.js'
import { secretPlace } from '../onboarding/secret-place.js'
import { Problem } from '../problem.js'
import { admitEmail } from '../signin/admit-email.js'
import { hashText, isRandomText, randomText } from '../signin/begin-authorization.js'
import type { Identity } from '../signin/redeem-callback.js'
import { type Refusal, Refused } from '../signin/refusal.js'
import type { Queries } from '../store/database.js'
import { findWaiting, type TakenLogin, takeLogin } from '../store/logins.js'
import { findRealmByCallback, type Realm } from '../store/realms.js'
import { deleteSession, findSession, insertSession } from '../store/sessions.js'
import { type Admitted, admitUser, type Newcomer } from './admit-user.js'
import { ABSOLUTE_MS, CHECK_MS } from './limits.js'
import {
  after,
  loginVerifierPlace,
  openSecret,
  type SessionsParts,
  storable,
  tokensPlace,
  UUID,
  userActor,
} from './parts.js'
import type { LoginOutcome, Visitor } from './sessions.js'

const AGAIN = 'Sign in again from the beginning.'

/** RFC: at most 255 characters of ASCII; what a database cannot keep is refused, the rest is taken. */
const LONGEST_SUBJECT = 255

/**
 * A browser comes back from the identity provider. State, address and browser are those that it left with, or nothing happens;
 * the state is used up before the provider is asked, so one login makes one session at most, however often its callback is
 * called. The session that the browser had before ends with it.
 */
export async function finishLogin(
  parts: SessionsParts,
  back: Return,
  cookie: string | undefined,
  visitor: Visitor,
): Promise<LoginOutcome | undefined> {
  const realm = UUID.test(back.callbackId)
    ? await findRealmByCallback<Provider>(parts.database, back.callbackId)
    : undefined
  if (realm === undefined) return undefined
  const taken = await take(parts, realm, back)
  if (taken === undefined) return undefined
  const { state, login } = taken
  const verifier = await openSecret(parts.keys, login.encryptedVerifier, loginVerifierPlace(hashText(state)))
  const clientSecret = await openSecret(parts.keys, realm.encryptedSecret, secretPlace(realm.organizationId))
  const { clientId, authMethod, provider } = realm
  const found = await parts.signIn.redeem({
    provider,
    client: { clientId, clientSecret, authMethod, redirectUri: signInUri(parts, realm.callbackId) },
    expected: { state, nonce: login.nonce, verifier },
    query: back.query,
  })
  if ('refused' in found) return refuse(parts, realm, found, visitor)
  try {
    const newcomer = readNewcomer(found, realm)
    const arrival = { realm, newcomer, identity: found, cookie, target: login.target, visitor }
    return await parts.database.transaction((queries) => enter(queries, parts, arrival))
  } catch (error) {
    if (error instanceof Refused) return refuse(parts, realm, error.refusal, visitor)
    throw error
  }
}

/** Undefined when the state is not of a login, but of the test of a connection. */
async function take(
  { database, clock }: SessionsParts,
  realm: Realm<Provider>,
  { query, browser }: Return,
): Promise<{ readonly state: string; readonly login: TakenLogin } | undefined> {
  const states = query.getAll('state')
  const [state] = states
  if (states.length !== 1 || !isRandomText(state)) throw nothingWaits()
  const { callbackId } = realm
  const stateHash = hashText(state)
  const now = clock()
  const login = isRandomText(browser)
    ? await takeLogin(database, { stateHash, callbackId, browserHash: hashText(browser) }, realm, now)
    : undefined
  if (login) return { state, login }
  const waiting = await findWaiting(database, { stateHash, callbackId }, realm, now)
  if (waiting === 'test') return undefined
  throw waiting === 'login' ? otherBrowser() : nothingWaits()
}

/** Admits the address for one of the organization's domains, and what else is kept of somebody. */
function readNewcomer(identity: Identity, { domains, clientId }: Realm<Provider>): Newcomer {
  const { issuer, subject, name } = identity
  const email = admitEmail(identity, domains)
  if (subject.length > LONGEST_SUBJECT || /[\p{Cc}\p{Cs}]/u.test(subject)) {
    throw new Refused('subject_unreadable', 'The identity provider names you by a "sub" that cannot be kept.')
  }
  return { issuer, subject, clientId, email, name: name === undefined ? undefined : storable(name, 200) }
}

interface Entering {
  readonly realm: Realm<Provider>
  readonly newcomer: Newcomer
  readonly identity: Identity
  readonly cookie: string | undefined
  readonly target: string
  readonly visitor: Visitor
}

/** The organization is locked before the key, as in step 4: two who lock in different orders could wait for each other. */
async function enter(queries: Queries, parts: SessionsParts, entering: Entering): Promise<LoginOutcome> {
  const { realm, newcomer, identity, visitor } = entering
  const now = parts.clock()
  const admitted = await admitUser(queries, realm, newcomer, now)
  if (!admitted) throw nothingWaits()
  const { user } = admitted
  const key = await encryptionKey(queries, parts.keys)
  await endBefore(queries, entering, now)
  const id = randomUUID()
  const cookie = randomText()
  const tokens = JSON.stringify({ id_token: identity.idToken, refresh_token: identity.refreshToken })
  await insertSession(queries, {
    id,
    userId: user.id,
    cookieHash: hashText(cookie),
    providerSession: readProviderSession(identity.providerSession),
    encryptedTokens: encryptSecret(key, tokens, tokensPlace(id)),
    tokensKeyId: key.id,
    renewable: identity.refreshToken !== undefined,
    address: storable(visitor.address, 100),
    agent: storable(visitor.agent, 200),
    createdAt: now,
    checkAfter: after(now, CHECK_MS),
    expiresAt: after(now, ABSOLUTE_MS),
  })
  await recordEntry(queries, { admitted, session: id, realm, visitor, now })
  return { status: 'signed_in', cookie, target: entering.target, email: user.email }
}

/** A session that the browser had, its own or one that somebody planted there, does not outlive a sign-in. */
async function endBefore(queries: Queries, { cookie, visitor }: Entering, now: Date): Promise<void> {
  const before = isRandomText(cookie) ? await findSession(queries, hashText(cookie)) : undefined
  if (before === undefined || !(await deleteSession(queries, before.id))) return
  await recordAudit(queries, {
    at: now,
    actor: userActor(before.userId),
    action: 'session.ended',
    org: before.organization,
    detail: { session: before.id, email: before.email, reason: 'signed_in_again', ...callerDetail(visitor) },
  })
}

interface Entry {
  readonly admitted: Admitted
  readonly session: string
  readonly realm: Realm<Provider>
  readonly visitor: Visitor
  readonly now: Date
}

async function recordEntry(queries: Queries, { admitted, session, realm, visitor, now }: Entry): Promise<void> {
  const { user, how } = admitted
  const who = { at: now, actor: userActor(user.id), org: realm.organization }
  const detail = { email: user.email, ...callerDetail(visitor) }
  if (how === 'created')
    await recordAudit(queries, { ...who, action: 'user.created', detail: { ...detail, role: user.role } })
  if (how === 'linked')
    await recordAudit(queries, { ...who, action: 'user.linked', detail: { ...detail, role: user.role } })
  await recordAudit(queries, { ...who, action: 'user.signed_in', detail: { ...detail, session } })
}

async function refuse(
  { database, clock }: SessionsParts,
  realm: Realm<Provider>,
  { refused, detail }: Refusal,
  visitor: Visitor,
): Promise<LoginOutcome> {
  await recordAudit(database, {
    at: clock(),
    actor: 'visitor',
    action: 'sign_in.refused',
    org: realm.organization,
    detail: { reason: refused, ...callerDetail(visitor) },
  })
  return { status: 'refused', reason: refused, detail }
}

function readProviderSession(sid: string | undefined): string | undefined {
  return sid === undefined || sid.length > 255 || /[\p{Cc}\p{Cs}]/u.test(sid) ? undefined : sid
}

function nothingWaits(): Problem {
  return new Problem('bad_request', `No sign-in waits here: it is over already, or it took too long. ${AGAIN}`)
}

/** Also what somebody is told who was sent here by somebody else: nothing happens in their name. */
function otherBrowser(): Problem {
  return new Problem(
    'bad_request',
    `This sign-in was not begun in this browser, or its cookie was not kept. Allow cookies for this site. ${AGAIN}`,
  )
}
