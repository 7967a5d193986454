import { randomUUID } from 'node:crypto'
import { quote } from '@omen/engine/messages'
import type { ClientAuthMethod, Provider } from '../discovery/provider.js'
import { encryptSecret } from '../keys/secrets.js'
import { encryptionKey } from '../onboarding/complete.js'
import { invalidRequest, normalizeCredentials, URL_RULE, wellKnownUrlIn } from '../onboarding/normalize-request.js'
import { signInUri } from '../onboarding/parts.js'
import { Problem } from '../problem.js'
import { after } from '../sessions/parts.js'
import type { Connection } from '../store/connections.js'
import { findReplacement, insertReplacement } from '../store/replacements.js'
import type { By, NextConnection, ReplacementRequest } from './administration.js'
import { type AdministrationParts, type Change, changeAs, replacementSecretPlace } from './parts.js'
import { currentConnection, nextView } from './read-connection.js'
import { REPLACEMENT_HOURS } from './states.js'

/**
 * Prepares the connection that is to replace the one in use: with a new secret, or at another application or identity provider.
 * Its configuration and its client are tried first, outside of any database transaction. One that was open before gives way.
 */
export async function proposeConnection(
  parts: AdministrationParts,
  by: By,
  request: ReplacementRequest,
): Promise<NextConnection> {
  const current = await currentConnection(parts.database, by.person.organizationId)
  const { wellKnownUrl, clientId, clientSecret } = readRequest(request, current)
  const provider = await parts.discovery.discover(wellKnownUrl ?? current.provider.wellKnownUrl)
  if (wellKnownUrl === undefined && provider.issuer !== current.issuer) throw otherIssuer(provider, current)
  const redirectUri = signInUri(parts, current.callbackId)
  const authMethod = await parts.discovery.checkClient(provider, { clientId, clientSecret, redirectUri })
  const client = { clientId, clientSecret, authMethod }
  return changeAs(parts, by, (change) => propose(parts, change, { current, provider, client }))
}

interface Wanted {
  /** Undefined for the one in use. */
  readonly wellKnownUrl: string | undefined
  readonly clientId: string
  readonly clientSecret: string
}

/** Address and client come together, or neither of them. */
function readRequest(request: ReplacementRequest, current: Connection<Provider>): Wanted {
  const { client_id, well_known_url } = request
  if ((client_id === undefined) !== (well_known_url === undefined)) {
    const field = client_id === undefined ? 'client_id' : 'well_known_url'
    throw invalidRequest([{ field, message: 'is missing: for another application or identity provider, send both' }])
  }
  const credentials = normalizeCredentials({
    client_id: client_id ?? current.clientId,
    client_secret: request.client_secret,
  })
  const wellKnownUrl = well_known_url === undefined ? undefined : wellKnownUrlIn(well_known_url)
  if (well_known_url !== undefined && wellKnownUrl === undefined) {
    throw invalidRequest([{ field: 'well_known_url', message: URL_RULE }])
  }
  return { wellKnownUrl, clientId: credentials.client_id, clientSecret: credentials.client_secret }
}

interface Proposal {
  /** The one in use when the client was tried. */
  readonly current: Connection<Provider>
  readonly provider: Provider
  readonly client: { readonly clientId: string; readonly clientSecret: string; readonly authMethod: ClientAuthMethod }
}

async function propose(
  parts: AdministrationParts,
  { queries, now, record }: Change,
  { current, provider, client }: Proposal,
): Promise<NextConnection> {
  const { organizationId, callbackId, issuer, clientId } = current
  const still = await currentConnection(queries, organizationId)
  if (still.callbackId !== callbackId || still.issuer !== issuer || still.clientId !== clientId) throw changed()
  const key = await encryptionKey(queries, parts.keys)
  const id = randomUUID()
  await insertReplacement(queries, {
    id,
    organizationId,
    issuer: provider.issuer,
    provider,
    clientId: client.clientId,
    encryptedSecret: encryptSecret(key, client.clientSecret, replacementSecretPlace(id)),
    secretKeyId: key.id,
    authMethod: client.authMethod,
    createdAt: now,
    expiresAt: after(now, REPLACEMENT_HOURS * 3_600_000),
  })
  await record('connection.proposed', { replacement: id, issuer: provider.issuer, client_id: client.clientId })
  return nextView(parts, current, await findReplacement<Provider>(queries, organizationId))!
}

function otherIssuer({ issuer, wellKnownUrl }: Provider, current: Connection<Provider>): Problem {
  return new Problem(
    'discovery_failed',
    `${quote(wellKnownUrl)} names the issuer ${quote(issuer)} by now, and the one in use is ${quote(current.issuer)}. To connect ` +
      'another issuer, send well_known_url and client_id, too.',
  )
}

function changed(): Problem {
  return new Problem(
    'connection_changed',
    'Another administrator has changed the connection meanwhile. Nothing was done: look at it, then try again.',
  )
}
