import { type Requester, recordAudit, requesterDetail, userActor } from '../audit/audit.js'
import { after } from '../clock.js'
import type { Provider } from '../discovery/provider.js'
import { Problem } from '../problem.js'
import { hashString, isRandomString } from '../signin/begin-authorization.js'
import { SignInFailure } from '../signin/sign-in-failure.js'
import { findRealm, findRealmByCallback } from '../store/organizations/connections.js'
import { deleteExpiredDevices } from '../store/sessions/device-requests.js'
import { deleteExpiredLogins } from '../store/sessions/logins.js'
import {
  deleteByProvider,
  deleteExpiredLogoutTokens,
  deleteOverdue,
  deleteOwn,
  listSessions,
  noteLogoutToken,
} from '../store/sessions/session-lists.js'
import { deleteExpiredHandOvers, deleteSession, findSession } from '../store/sessions/sessions.js'
import { deleteExpiredTools } from '../store/sessions/tool-logins.js'
import { UUID } from '../store/values.js'
import { IDLE_MS } from './limits.js'
import { readTokens } from './read-session.js'
import type { SessionRecord, SessionsDeps, User } from './sessions.js'

/** The sessions and tools of a user, the latest first. */
export async function listOwn({ database, clock }: SessionsDeps, user: User): Promise<readonly SessionRecord[]> {
  const now = clock()
  const sessions = await listSessions(database, user.userId, { now, seenAfter: after(now, -IDLE_MS) })
  return sessions.map((session) => ({ ...session, current: session.id === user.sessionId }))
}

/** Ends one of the user's own sessions or tools. */
export async function endOwn(
  { database, clock }: SessionsDeps,
  user: User,
  id: string,
  requester: Requester,
): Promise<boolean> {
  if (!UUID.test(id)) return false
  return database.transaction(async (queries) => {
    const kind = await deleteOwn(queries, user.userId, id)
    if (kind === undefined) return false
    await recordAudit(queries, {
      at: clock(),
      actor: userActor(user.userId),
      action: kind === 'browser' ? 'session.ended' : 'device.ended',
      org: user.organization,
      detail: { session: id, email: user.email, reason: 'ended_by_user', ...requesterDetail(requester) },
    })
    return true
  })
}

/** Ends the session of a cookie, and gives the URL that ends it at the identity provider. */
export async function logOut(
  deps: SessionsDeps,
  cookie: string | undefined,
  requester: Requester,
): Promise<{ readonly providerUrl: string | undefined }> {
  const session = isRandomString(cookie) ? await findSession(deps.database, hashString(cookie)) : undefined
  if (session === undefined) return { providerUrl: undefined }
  const ended = await deps.database.transaction(async (queries) => {
    const deleted = await deleteSession(queries, session.id)
    if (deleted) {
      await recordAudit(queries, {
        at: deps.clock(),
        actor: userActor(session.userId),
        action: 'session.ended',
        org: session.organization,
        detail: { session: session.id, email: session.email, reason: 'signed_out', ...requesterDetail(requester) },
      })
    }
    return deleted
  })
  if (!ended) return { providerUrl: undefined }
  const realm = await findRealm<Provider>(deps.database, session.organizationId)
  const endpoint = realm?.provider.endSessionEndpoint
  if (!realm || endpoint === undefined) return { providerUrl: undefined }
  const { id_token: idToken } = await readTokens(deps, ended.id, ended.encryptedTokens)
  return { providerUrl: providerLogoutUrl(endpoint, realm.clientId, idToken) }
}

/** Servers reject much longer URLs; without the hint, the identity provider asks the user. */
const LONGEST_HINT = 6_000

/**
 * RP-initiated logout without `post_logout_redirect_uri`: an address that is not registered would be an error at the identity
 * provider, and the user would stay signed in there.
 */
function providerLogoutUrl(endpoint: string, clientId: string, idToken: string | undefined): string {
  const url = new URL(endpoint)
  if (idToken !== undefined && idToken !== '' && idToken.length <= LONGEST_HINT) {
    url.searchParams.set('id_token_hint', idToken)
  }
  url.searchParams.set('client_id', clientId)
  return url.href
}

/** A logout token has some hundred characters. */
const LONGEST_TOKEN = 16_000

/**
 * Ends sessions at the request of an identity provider (OpenID Connect Back-Channel Logout 1.0). A token works once, for the
 * organization whose address it is sent to. If the provider's keys cannot be fetched, the provider should send it again.
 */
export async function logOutByProvider(
  { database, signIn, clock }: SessionsDeps,
  callbackId: string,
  token: string | undefined,
  requester: Requester,
): Promise<void> {
  const realm = UUID.test(callbackId) ? await findRealmByCallback<Provider>(database, callbackId) : undefined
  if (!realm) throw new Problem('bad_request', 'No identity provider is connected at this address.')
  if (!token || token.length > LONGEST_TOKEN) throw new Problem('bad_request', 'The request has no logout_token.')
  const logout = await signIn.readLogout(token, { provider: realm.provider, clientId: realm.clientId })
  if (logout instanceof SignInFailure) {
    throw new Problem(logout.code === 'keys_unavailable' ? 'unavailable' : 'bad_request', logout.message)
  }
  const { organizationId, issuer, organization } = realm
  const { subject, providerSession, tokenId, expiresAt } = logout
  await database.transaction(async (queries) => {
    if (!(await noteLogoutToken(queries, { organizationId, hash: hashString(tokenId), expiresAt }))) {
      throw new Problem('bad_request', 'This logout token was used before.')
    }
    const ended = await deleteByProvider(queries, { organizationId, issuer, subject, providerSession })
    for (const { id, email } of ended) {
      await recordAudit(queries, {
        at: clock(),
        actor: 'identity provider',
        action: 'session.ended',
        org: organization,
        detail: { session: id, email, reason: 'provider_logout', ...requesterDetail(requester) },
      })
    }
  })
}

const BATCH = 100

/** How long a tool can still learn that its request has expired. */
const REPORT_EXPIRED_MS = 3600_000

/**
 * Deletes expired sessions, logins, tickets, tools and requests of tools. Any number of processes may run it at once.
 *
 * @example
 * await endExpiredSessions({ database, clock })
 */
export async function endExpiredSessions({ database, clock }: Pick<SessionsDeps, 'database' | 'clock'>): Promise<void> {
  const now = clock()
  await deleteExpiredLogins(database, now)
  await deleteExpiredHandOvers(database, now)
  await deleteExpiredLogoutTokens(database, now)
  await deleteExpiredTools(database, now)
  await deleteExpiredDevices(database, after(now, -REPORT_EXPIRED_MS))
  for (;;) {
    const ended = await database.transaction(async (queries) => {
      const overdue = await deleteOverdue(queries, { now, seenBefore: after(now, -IDLE_MS), limit: BATCH })
      for (const { id, email, organization } of overdue) {
        await recordAudit(queries, {
          at: now,
          actor: 'omen-server',
          action: 'session.ended',
          org: organization,
          detail: { session: id, email, reason: 'expired' },
        })
      }
      return overdue.length
    })
    if (ended < BATCH) return
  }
}
