import type { Provider } from '../discovery/provider.js'
import { signInUri } from '../onboarding/parts.js'
import { nobodyCame, waitingFor } from '../onboarding/read-test.js'
import { Problem } from '../problem.js'
import { type Connection, findConnection } from '../store/connections.js'
import type { Queries } from '../store/database.js'
import { holdOrganization } from '../store/organizations.js'
import { findReplacement, type Replacement } from '../store/replacements.js'
import type { ConnectionView, CurrentConnection, NextConnection, OfOrganization } from './administration.js'
import type { AdministrationParts } from './parts.js'
import { replacementStateAt } from './states.js'

type ViewParts = Pick<AdministrationParts, 'clock' | 'urls'>

/** The connection in use and the one that is to replace it. Never a secret. */
export async function readConnection(
  parts: AdministrationParts,
  { organizationId }: OfOrganization,
): Promise<ConnectionView> {
  return parts.database.transaction(async (queries) => {
    // Nobody puts the next one into the place of the current one between the two reads.
    await holdOrganization(queries, organizationId)
    const current = await currentConnection(queries, organizationId)
    const next = await findReplacement<Provider>(queries, organizationId)
    return { current: currentView(parts, current), next: nextView(parts, current, next) }
  })
}

export async function currentConnection(queries: Queries, organizationId: string): Promise<Connection<Provider>> {
  const current = await findConnection<Provider>(queries, organizationId)
  if (current) return current
  throw new Problem('not_found', 'Your organization is not connected any more: ask the operator.')
}

export function currentView(
  { urls }: ViewParts,
  { issuer, provider, clientId, authMethod, callbackId, connectedAt }: Connection<Provider>,
): CurrentConnection {
  return {
    issuer,
    well_known_url: provider.wellKnownUrl,
    client_id: clientId,
    auth_method: authMethod,
    redirect_uri: signInUri({ urls }, callbackId),
    initiate_login_uri: `${urls.baseUrl}/v1/auth/login`,
    backchannel_logout_uri: `${urls.baseUrl}/v1/auth/backchannel/${callbackId}`,
    connected_at: connectedAt.toISOString(),
  }
}

/** The address is that of the organization, before and after the switch. */
export function nextView(
  { clock, urls }: ViewParts,
  { callbackId }: Pick<Connection<Provider>, 'callbackId'>,
  next: Replacement<Provider> | undefined,
): NextConnection | null {
  const state = replacementStateAt(next, clock())
  if (next === undefined || state === 'none') return null
  const redirectUri = signInUri({ urls }, callbackId)
  const isLate = state === 'failed' && next.status === 'testing'
  return {
    id: next.id,
    issuer: next.issuer,
    well_known_url: next.provider.wellKnownUrl,
    client_id: next.clientId,
    redirect_uri: redirectUri,
    status: state,
    detail: isLate ? nobodyCame(redirectUri) : state === 'testing' ? waitingFor(redirectUri) : (next.detail ?? null),
    tested_as: next.testedAs ?? null,
    created_at: next.createdAt.toISOString(),
    expires_at: next.expiresAt.toISOString(),
  }
}
