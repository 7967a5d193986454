import type { Provider } from '../discovery/provider.js'
import { testTimedOut, waitingForBrowser } from '../organizations/sign-in-test.js'
import { signInUri } from '../organizations/urls.js'
import { Problem } from '../problem.js'
import type { Queries } from '../store/database.js'
import { type Connection, findConnection } from '../store/organizations/connections.js'
import { holdOrganization } from '../store/organizations/organizations.js'
import { findReplacement, type Replacement } from '../store/organizations/replacements.js'
import type {
  AdministrationDeps,
  ConnectionView,
  CurrentConnection,
  NextConnection,
  OrganizationRef,
} from './administration.js'
import { replacementStateAt } from './states.js'

type ViewDeps = Pick<AdministrationDeps, 'clock' | 'urls'>

/** The current connection and the next one, without secrets. */
export async function readConnection(
  deps: AdministrationDeps,
  { organizationId }: OrganizationRef,
): Promise<ConnectionView> {
  return deps.database.transaction(async (queries) => {
    // The lock prevents a switch between the two reads.
    await holdOrganization(queries, organizationId)
    const current = await currentConnection(queries, organizationId)
    const next = await findReplacement<Provider>(queries, organizationId)
    return { current: currentView(deps, current), next: nextView(deps, current, next) }
  })
}

export async function currentConnection(queries: Queries, organizationId: string): Promise<Connection<Provider>> {
  const current = await findConnection<Provider>(queries, organizationId)
  if (current) return current
  throw new Problem('not_found', 'Your organization is no longer connected. Contact the operator.')
}

export function currentView(
  { urls }: ViewDeps,
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

/** The redirect URI is the same before and after the switch. */
export function nextView(
  { clock, urls }: ViewDeps,
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
    detail: isLate
      ? testTimedOut(redirectUri)
      : state === 'testing'
        ? waitingForBrowser(redirectUri)
        : (next.detail ?? null),
    tested_as: next.testedAs ?? null,
    created_at: next.createdAt.toISOString(),
    expires_at: next.expiresAt.toISOString(),
  }
}
