import { recordAudit } from '../audit/audit.js'
import { after } from '../clock.js'
import type { Provider } from '../discovery/provider.js'
import { encryptSecret } from '../keys/secrets.js'
import { clientSecretContext, encryptionKey, readSecret, sessionTokensContext } from '../organizations/secrets.js'
import { hashString, isRandomString } from '../signin/begin-authorization.js'
import type { Renewal } from '../signin/renew-tokens.js'
import { findRealm } from '../store/organizations/connections.js'
import {
  claimCheck,
  deleteSession,
  findSession,
  finishCheck,
  isSession,
  noteActivity,
  type StoredSession,
} from '../store/sessions/sessions.js'
import { CHECK_MS, CLAIM_MS, isAlive, NOTE_MS, RETRY_CHECK_MS } from './limits.js'
import type { SessionsDeps, User } from './sessions.js'

/**
 * The user of a session cookie. Activity is recorded. If the last check with the identity provider is too old, the provider
 * is asked first, and the session ends if the provider rejects it.
 */
export async function readSession(deps: SessionsDeps, cookie: string | undefined): Promise<User | undefined> {
  if (!isRandomString(cookie)) return undefined
  const session = await findSession(deps.database, hashString(cookie))
  const now = deps.clock()
  if (session === undefined || !isAlive(session, now)) return undefined
  if (session.renewable && isDue(session, now) && !(await checkWithProvider(deps, session))) return undefined
  const idle = now.getTime() - session.seenAt.getTime()
  // `idle` is negative after the clock was set back: the later time would keep the session alive for too long.
  if (idle >= NOTE_MS || idle < 0) await noteActivity(deps.database, session.id, now)
  return userOf(session)
}

/** After the clock was set back, `checkAfter` can be later than the end of the session. */
function isDue({ checkAfter, expiresAt }: StoredSession, now: Date): boolean {
  return now >= checkAfter || checkAfter > expiresAt
}

function userOf(session: StoredSession): User {
  const { id, userId, organizationId, organization, displayName, email, name, role } = session
  return {
    kind: 'browser',
    sessionId: id,
    userId,
    organizationId,
    organization,
    email,
    name,
    role,
    org: { name: displayName, domain: email.slice(email.lastIndexOf('@') + 1) },
  }
}

/** The tokens that the identity provider issued for a session. */
export interface ProviderTokens {
  readonly id_token?: string
  readonly refresh_token?: string
}

/** Running checks of this process, by session: concurrent requests share one check. */
const running = new WeakMap<object, Map<string, Promise<boolean>>>()

/**
 * Asks the identity provider whether the user may stay signed in; false ends the session. Only one process at a time checks a
 * session, because many refresh tokens work only once. Meanwhile, other processes rely on the last check.
 */
function checkWithProvider(deps: SessionsDeps, session: StoredSession): Promise<boolean> {
  const checks = running.get(deps.database) ?? new Map<string, Promise<boolean>>()
  running.set(deps.database, checks)
  const known = checks.get(session.id)
  if (known !== undefined) return known
  const check = checkOnce(deps, session).finally(() => checks.delete(session.id))
  checks.set(session.id, check)
  return check
}

async function checkOnce(deps: SessionsDeps, session: StoredSession): Promise<boolean> {
  const now = deps.clock()
  const claimed = await claimCheck(deps.database, session, now, after(now, CLAIM_MS))
  // Another process is checking this session, or has just done it.
  if (!claimed) return isSession(deps.database, session.id)
  const tokens = await readTokens(deps, session.id, claimed.encryptedTokens)
  const renewal = await renew(deps, session, claimed.subject, tokens)
  if (renewal.result === 'rejected') {
    await endRejected(deps, session, renewal.reason)
    return false
  }
  return deps.database.transaction(async (queries) => {
    if (renewal.result === 'unclear') {
      return finishCheck(queries, session.id, { tokens: undefined, checkAfter: after(deps.clock(), RETRY_CHECK_MS) })
    }
    const key = await encryptionKey(queries, deps.keys)
    const renewed: ProviderTokens = {
      ...tokens,
      ...(renewal.idToken !== undefined && { id_token: renewal.idToken }),
      ...(renewal.refreshToken !== undefined && { refresh_token: renewal.refreshToken }),
    }
    const encryptedTokens = encryptSecret(key, JSON.stringify(renewed), sessionTokensContext(session.id))
    return finishCheck(queries, session.id, {
      tokens: { encryptedTokens, tokensKeyId: key.id },
      checkAfter: after(deps.clock(), CHECK_MS),
    })
  })
}

export async function readTokens(
  { keys }: Pick<SessionsDeps, 'keys'>,
  sessionId: string,
  encrypted: string,
): Promise<ProviderTokens> {
  return JSON.parse(await readSecret(keys, encrypted, sessionTokensContext(sessionId))) as ProviderTokens
}

async function renew(
  deps: SessionsDeps,
  { organizationId }: StoredSession,
  subject: string | undefined,
  { refresh_token: refreshToken }: ProviderTokens,
): Promise<Renewal> {
  const realm = await findRealm<Provider>(deps.database, organizationId)
  if (!realm || subject === undefined || refreshToken === undefined) {
    return { result: 'rejected', reason: 'not_connected' }
  }
  const clientSecret = await readSecret(deps.keys, realm.encryptedSecret, clientSecretContext(organizationId))
  const { provider, clientId, authMethod } = realm
  return deps.signIn.renew({ provider, client: { clientId, clientSecret, authMethod }, refreshToken, subject })
}

async function endRejected({ database, clock }: SessionsDeps, session: StoredSession, reason: string): Promise<void> {
  await database.transaction(async (queries) => {
    if (!(await deleteSession(queries, session.id))) return
    await recordAudit(queries, {
      at: clock(),
      actor: 'identity provider',
      action: 'session.ended',
      org: session.organization,
      detail: { session: session.id, email: session.email, reason: 'provider_says_no', answer: reason },
    })
  })
}
