import { recordAudit } from '../audit/audit.js'
import type { Provider } from '../discovery/provider.js'
import { encryptSecret } from '../keys/secrets.js'
import { encryptionKey } from '../onboarding/complete.js'
import { secretPlace } from '../onboarding/secret-place.js'
import type { Renewal } from '../signin/renew-tokens.js'
import { findRealm } from '../store/realms.js'
import { claimCheck, deleteSession, finishCheck, isSession, type StoredSession } from '../store/sessions.js'
import { CHECK_MS, CLAIM_MS, RETRY_CHECK_MS } from './limits.js'
import { after, openSecret, type SessionsParts, tokensPlace } from './parts.js'

/** What the identity provider gave for a session. */
export interface ProviderTokens {
  readonly id_token?: string
  readonly refresh_token?: string
}

/** Checks under way in this process, by session: those who come meanwhile wait for the same one. */
const underWay = new WeakMap<object, Map<string, Promise<boolean>>>()

/**
 * Asks the identity provider whether somebody is still welcome; false ends the session. One request at a time for a session, in
 * all processes: a refresh token is often good only once. Who comes while another process asks goes on with its last word.
 *
 * @example
 * if (!(await checkWithProvider(parts, session))) return undefined
 */
export function checkWithProvider(parts: SessionsParts, session: StoredSession): Promise<boolean> {
  const checks = underWay.get(parts.database) ?? new Map<string, Promise<boolean>>()
  underWay.set(parts.database, checks)
  const known = checks.get(session.id)
  if (known !== undefined) return known
  const check = checkOnce(parts, session).finally(() => checks.delete(session.id))
  checks.set(session.id, check)
  return check
}

async function checkOnce(parts: SessionsParts, session: StoredSession): Promise<boolean> {
  const now = parts.clock()
  const claimed = await claimCheck(parts.database, session, now, after(now, CLAIM_MS))
  // Another process asks, or has asked just now: then what it was told counts.
  if (!claimed) return isSession(parts.database, session.id)
  const tokens = await readTokens(parts, session.id, claimed.encryptedTokens)
  const renewal = await ask(parts, session, claimed.subject, tokens)
  if (renewal.answer === 'no') {
    await endRefused(parts, session, renewal.reason)
    return false
  }
  return parts.database.transaction(async (queries) => {
    if (renewal.answer === 'unclear') {
      return finishCheck(queries, session.id, { tokens: undefined, checkAfter: after(parts.clock(), RETRY_CHECK_MS) })
    }
    const key = await encryptionKey(queries, parts.keys)
    const renewed: ProviderTokens = {
      ...tokens,
      ...(renewal.idToken !== undefined && { id_token: renewal.idToken }),
      ...(renewal.refreshToken !== undefined && { refresh_token: renewal.refreshToken }),
    }
    const encryptedTokens = encryptSecret(key, JSON.stringify(renewed), tokensPlace(session.id))
    return finishCheck(queries, session.id, {
      tokens: { encryptedTokens, tokensKeyId: key.id },
      checkAfter: after(parts.clock(), CHECK_MS),
    })
  })
}

export async function readTokens(
  { keys }: Pick<SessionsParts, 'keys'>,
  sessionId: string,
  encrypted: string,
): Promise<ProviderTokens> {
  return JSON.parse(await openSecret(keys, encrypted, tokensPlace(sessionId))) as ProviderTokens
}

async function ask(
  parts: SessionsParts,
  { organizationId }: StoredSession,
  subject: string | undefined,
  { refresh_token: refreshToken }: ProviderTokens,
): Promise<Renewal> {
  const realm = await findRealm<Provider>(parts.database, organizationId)
  if (!realm || subject === undefined || refreshToken === undefined) return { answer: 'no', reason: 'not_connected' }
  const clientSecret = await openSecret(parts.keys, realm.encryptedSecret, secretPlace(organizationId))
  const { provider, clientId, authMethod } = realm
  return parts.signIn.renew({ provider, client: { clientId, clientSecret, authMethod }, refreshToken, subject })
}

async function endRefused({ database, clock }: SessionsParts, session: StoredSession, reason: string): Promise<void> {
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
