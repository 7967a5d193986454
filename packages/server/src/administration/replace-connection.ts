import { randomUUID } from 'node:crypto'
import { quote } from '@omen/engine/messages'
import { recordAudit } from '../audit/audit.js'
import { after } from '../clock.js'
import type { ClientAuthMethod, Provider } from '../discovery/provider.js'
import { encryptSecret } from '../keys/secrets.js'
import { invalidRequest, normalizeCredentials, URL_RULE, wellKnownUrlIn } from '../organizations/fields.js'
import { clientSecretContext, encryptionKey, readSecret, replacementSecretContext } from '../organizations/secrets.js'
import { signInUri } from '../organizations/urls.js'
import { Problem } from '../problem.js'
import { type Connection, saveConnection } from '../store/organizations/connections.js'
import {
  deleteExpiredReplacements,
  deleteReplacement,
  findReplacement,
  insertReplacement,
  lockReplacement,
} from '../store/organizations/replacements.js'
import type { Actor, AdministrationDeps, ConnectionView, NextConnection, ReplacementRequest } from './administration.js'
import { type Change, changeAs } from './change.js'
import { currentConnection, currentView, nextView } from './connection.js'
import { admitReplacement, REPLACEMENT_HOURS } from './states.js'

/**
 * Prepares the connection that is to replace the current one: with a new secret, another application or another identity
 * provider. Its configuration and client are checked first, outside any database transaction. An earlier proposal is replaced.
 */
export async function proposeConnection(
  deps: AdministrationDeps,
  actor: Actor,
  request: ReplacementRequest,
): Promise<NextConnection> {
  const current = await currentConnection(deps.database, actor.user.organizationId)
  const { wellKnownUrl, clientId, clientSecret } = readRequest(request, current)
  const provider = await deps.discovery.discover(wellKnownUrl ?? current.provider.wellKnownUrl)
  if (wellKnownUrl === undefined && provider.issuer !== current.issuer) throw otherIssuer(provider, current)
  const redirectUri = signInUri(deps, current.callbackId)
  const authMethod = await deps.discovery.checkClient(provider, { clientId, clientSecret, redirectUri })
  const client = { clientId, clientSecret, authMethod }
  return changeAs(deps, actor, (change) => propose(deps, change, { current, provider, client }))
}

interface ParsedRequest {
  /** Undefined for the current one. */
  readonly wellKnownUrl: string | undefined
  readonly clientId: string
  readonly clientSecret: string
}

/** `well_known_url` and `client_id` must be sent together. */
function readRequest(request: ReplacementRequest, current: Connection<Provider>): ParsedRequest {
  const { client_id, well_known_url } = request
  if ((client_id === undefined) !== (well_known_url === undefined)) {
    const field = client_id === undefined ? 'client_id' : 'well_known_url'
    throw invalidRequest([
      {
        field,
        message: 'is missing: to use another application or identity provider, send client_id and well_known_url',
      },
    ])
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
  /** The current connection when the client was checked. */
  readonly current: Connection<Provider>
  readonly provider: Provider
  readonly client: { readonly clientId: string; readonly clientSecret: string; readonly authMethod: ClientAuthMethod }
}

async function propose(
  deps: AdministrationDeps,
  { queries, now, record }: Change,
  { current, provider, client }: Proposal,
): Promise<NextConnection> {
  const { organizationId, callbackId, issuer, clientId } = current
  const latest = await currentConnection(queries, organizationId)
  if (latest.callbackId !== callbackId || latest.issuer !== issuer || latest.clientId !== clientId) throw changed()
  const key = await encryptionKey(queries, deps.keys)
  const id = randomUUID()
  await insertReplacement(queries, {
    id,
    organizationId,
    issuer: provider.issuer,
    provider,
    clientId: client.clientId,
    encryptedSecret: encryptSecret(key, client.clientSecret, replacementSecretContext(id)),
    secretKeyId: key.id,
    authMethod: client.authMethod,
    createdAt: now,
    expiresAt: after(now, REPLACEMENT_HOURS * 3_600_000),
  })
  await record('connection.proposed', { replacement: id, issuer: provider.issuer, client_id: client.clientId })
  return nextView(deps, current, await findReplacement<Provider>(queries, organizationId))!
}

function otherIssuer({ issuer, wellKnownUrl }: Provider, current: Connection<Provider>): Problem {
  return new Problem(
    'discovery_failed',
    `${quote(wellKnownUrl)} now publishes the issuer ${quote(issuer)}, but your connection uses ${quote(current.issuer)}. To connect ` +
      'another issuer, also send well_known_url and client_id.',
  )
}

function changed(): Problem {
  return new Problem(
    'connection_changed',
    'Another administrator has changed the connection in the meantime. Nothing was changed. Check the connection, then try again.',
  )
}

/**
 * Replaces the current connection by the next one. The administrator who switches must have tested it, so that at least one
 * administrator can sign in afterwards. With another issuer all users are signed out, by a trigger of the database.
 */
export function switchConnection(deps: AdministrationDeps, actor: Actor): Promise<ConnectionView> {
  const { organizationId, email } = actor.user
  return changeAs(deps, actor, async ({ queries, now, record }) => {
    // The key before the row, in the order of a key rotation.
    const key = await encryptionKey(queries, deps.keys)
    const next = admitReplacement(await lockReplacement<Provider>(queries, organizationId), 'switch', now)
    if (next.testedAs?.toLowerCase() !== email.toLowerCase()) throw testedAsAnother(next.testedAs, email)
    const before = await currentConnection(queries, organizationId)
    const secret = await readSecret(deps.keys, next.encryptedSecret, replacementSecretContext(next.id))
    const current = {
      ...before,
      issuer: next.issuer,
      provider: next.provider,
      clientId: next.clientId,
      encryptedSecret: encryptSecret(key, secret, clientSecretContext(organizationId)),
      secretKeyId: key.id,
      authMethod: next.authMethod,
      connectedAt: now,
    }
    await saveConnection(queries, current)
    await deleteReplacement(queries, organizationId)
    await record('connection.replaced', {
      replacement: next.id,
      issuer: next.issuer,
      client_id: next.clientId,
      issuer_before: before.issuer,
      client_id_before: before.clientId,
    })
    return { current: currentView(deps, current), next: null }
  })
}

/** Deletes the next connection. The current one is not affected. */
export async function dropNextConnection(deps: AdministrationDeps, actor: Actor): Promise<void> {
  await changeAs(deps, actor, async ({ queries, now, record }) => {
    const next = admitReplacement(await lockReplacement<Provider>(queries, actor.user.organizationId), 'drop', now)
    await deleteReplacement(queries, actor.user.organizationId)
    await record('connection.dropped', { replacement: next.id, issuer: next.issuer, client_id: next.clientId })
  })
}

function testedAsAnother(tested: string | undefined, email: string): Problem {
  return new Problem(
    'connection_untested',
    `The next connection was tested as ${tested}, but you are ${email}. Test it yourself, so that you can sign in after the switch.`,
  )
}

/**
 * Deletes proposed connections that have expired, so that their secrets are not kept. Any number of processes may run it at once.
 *
 * @example
 * await dropExpiredReplacements({ database, clock })
 */
export async function dropExpiredReplacements({
  database,
  clock,
}: Pick<AdministrationDeps, 'database' | 'clock'>): Promise<void> {
  await database.transaction(async (queries) => {
    const now = clock()
    for (const { id, organization, issuer, clientId } of await deleteExpiredReplacements(queries, now)) {
      await recordAudit(queries, {
        at: now,
        actor: 'omen-server',
        action: 'connection.dropped',
        org: organization,
        detail: { replacement: id, issuer, client_id: clientId, reason: 'expired' },
      })
    }
  })
}
