import type { FastifyRequest } from 'fastify'
import type { Devices } from '../../devices/devices.js'
import { Problem } from '../../problem.js'
import type { ReleaseRequester, Releases } from '../../releases/releases.js'
import { TOKEN_PREFIX } from '../../releases/token.js'
import { findBearerToken } from './authorization.js'

/**
 * The organization whose token a request for releases sends. Other tokens, such as the random token of an installation, are
 * ignored; a token of this service that is not valid rejects.
 *
 * @example
 * const reader = await findReleaseReader(request, releases)
 */
export async function findReleaseReader(
  request: FastifyRequest,
  releases: Pick<Releases, 'identify'>,
): Promise<ReleaseRequester | undefined> {
  const token = findBearerToken(request.raw)
  return token?.startsWith(TOKEN_PREFIX) ? releases.identify(token) : undefined
}

/** The prefix of the access tokens of tools in which users are signed in. */
const TOOL_TOKEN = `${TOKEN_PREFIX}at_`

/**
 * Releases that accept the tokens of tools, too: a user who signed in with `omen login` reads the releases of the organization.
 *
 * @example
 * addReleaseRoutes(app, { releases: acceptToolTokens(releases, devices), settings, clock, metrics })
 */
export function acceptToolTokens(releases: Releases, devices: Pick<Devices, 'read'>): Releases {
  return {
    ...releases,
    async identify(token) {
      if (!token.startsWith(TOOL_TOKEN)) return releases.identify(token)
      const user = await devices.read(token)
      if (user === 'expired') throw new Problem('token_expired', 'This access token has expired. Refresh it.')
      if (user === undefined) {
        throw new Problem('invalid_token', 'This access token is no longer valid. Sign in again: omen login.')
      }
      const { organizationId, organization, sessionId } = user
      return { organizationId, organization, tokenId: sessionId, scopes: ['rules:read'] }
    },
  }
}
