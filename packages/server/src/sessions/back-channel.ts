import { recordAudit } from '../audit/audit.js'
import type { Provider } from '../discovery/provider.js'
import type { Caller } from '../onboarding/onboarding.js'
import { callerDetail } from '../onboarding/parts.js'
import { Problem } from '../problem.js'
import { noteLogoutToken } from '../store/logout-tokens.js'
import { findRealmByCallback } from '../store/realms.js'
import { deleteByProvider } from '../store/session-lists.js'
import { digest, type SessionsParts, UUID } from './parts.js'

/** A logout token has some hundred characters. */
const LONGEST_TOKEN = 16_000

/**
 * An identity provider ends sessions (OpenID Connect Back-Channel Logout 1.0). A token counts once, for the organization on whose
 * address it comes. One that cannot be judged because the provider's keys cannot be read is worth sending again.
 */
export async function logOutByProvider(
  { database, signIn, clock }: SessionsParts,
  callbackId: string,
  token: string | undefined,
  caller: Caller,
): Promise<void> {
  const realm = UUID.test(callbackId) ? await findRealmByCallback<Provider>(database, callbackId) : undefined
  if (!realm) throw new Problem('bad_request', 'No identity provider is connected at this address.')
  if (!token || token.length > LONGEST_TOKEN) throw new Problem('bad_request', 'The request has no logout_token.')
  const logout = await signIn.readLogout(token, { provider: realm.provider, clientId: realm.clientId })
  if ('refused' in logout) {
    throw new Problem(logout.refused === 'keys_unavailable' ? 'unavailable' : 'bad_request', logout.detail)
  }
  const { organizationId, issuer, organization } = realm
  const { subject, providerSession, tokenId, expiresAt } = logout
  await database.transaction(async (queries) => {
    if (!(await noteLogoutToken(queries, { organizationId, hash: digest(tokenId), expiresAt }))) {
      throw new Problem('bad_request', 'This logout token was used before.')
    }
    const ended = await deleteByProvider(queries, { organizationId, issuer, subject, providerSession })
    for (const { id, email } of ended) {
      await recordAudit(queries, {
        at: clock(),
        actor: 'identity provider',
        action: 'session.ended',
        org: organization,
        detail: { session: id, email, reason: 'provider_logout', ...callerDetail(caller) },
      })
    }
  })
}
