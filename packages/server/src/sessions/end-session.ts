import { recordAudit } from '../audit/audit.js'
import type { Provider } from '../discovery/provider.js'
import type { Caller } from '../onboarding/onboarding.js'
import { callerDetail } from '../onboarding/parts.js'
import { hashText, isRandomText } from '../signin/begin-authorization.js'
import { findRealm } from '../store/realms.js'
import { deleteOwn, listSessions } from '../store/session-lists.js'
import { deleteSession, findSession } from '../store/sessions.js'
import { readTokens } from './check-with-provider.js'
import { IDLE_MS } from './limits.js'
import { after, type SessionsParts, UUID, userActor } from './parts.js'
import type { Person, SessionRecord } from './sessions.js'

/** Where somebody is signed in, the latest first. */
export async function listOwn({ database, clock }: SessionsParts, person: Person): Promise<readonly SessionRecord[]> {
  const now = clock()
  const sessions = await listSessions(database, person.userId, { now, seenAfter: after(now, -IDLE_MS) })
  return sessions.map((session) => ({ ...session, current: session.id === person.sessionId }))
}

/** Ends one of somebody's own sessions or tools. */
export async function endOwn(
  { database, clock }: SessionsParts,
  person: Person,
  id: string,
  caller: Caller,
): Promise<boolean> {
  if (!UUID.test(id)) return false
  return database.transaction(async (queries) => {
    const kind = await deleteOwn(queries, person.userId, id)
    if (kind === undefined) return false
    await recordAudit(queries, {
      at: clock(),
      actor: userActor(person.userId),
      action: kind === 'browser' ? 'session.ended' : 'device.ended',
      org: person.organization,
      detail: { session: id, email: person.email, reason: 'ended_by_user', ...callerDetail(caller) },
    })
    return true
  })
}

/**
 * Ends the session of a cookie here, and says where it can be ended at the identity provider. A session that ends meanwhile by
 * other hands is ended, too.
 */
export async function logOut(
  parts: SessionsParts,
  cookie: string | undefined,
  caller: Caller,
): Promise<{ readonly providerUrl: string | undefined }> {
  const session = isRandomText(cookie) ? await findSession(parts.database, hashText(cookie)) : undefined
  if (session === undefined) return { providerUrl: undefined }
  const ended = await parts.database.transaction(async (queries) => {
    const deleted = await deleteSession(queries, session.id)
    if (deleted) {
      await recordAudit(queries, {
        at: parts.clock(),
        actor: userActor(session.userId),
        action: 'session.ended',
        org: session.organization,
        detail: { session: session.id, email: session.email, reason: 'signed_out', ...callerDetail(caller) },
      })
    }
    return deleted
  })
  if (!ended) return { providerUrl: undefined }
  const realm = await findRealm<Provider>(parts.database, session.organizationId)
  const endpoint = realm?.provider.endSessionEndpoint
  if (!realm || endpoint === undefined) return { providerUrl: undefined }
  const { id_token: idToken } = await readTokens(parts, ended.id, ended.encryptedTokens)
  return { providerUrl: providerLogoutUrl(endpoint, realm.clientId, idToken) }
}

/** Servers refuse addresses that are much longer; without the hint, the identity provider asks. */
const LONGEST_HINT = 6_000

/**
 * RP-initiated logout without an address to come back to: it would have to be registered at the identity provider, and one that
 * is not is an error there in place of a logout.
 */
function providerLogoutUrl(endpoint: string, clientId: string, idToken: string | undefined): string {
  const url = new URL(endpoint)
  if (idToken !== undefined && idToken !== '' && idToken.length <= LONGEST_HINT)
    url.searchParams.set('id_token_hint', idToken)
  url.searchParams.set('client_id', clientId)
  return url.href
}
