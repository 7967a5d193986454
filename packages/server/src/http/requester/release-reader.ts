import type { FastifyRequest } from 'fastify'
import type { Devices } from '../../devices/devices.js'
import { Problem } from '../../problem.js'
import type { Releases, Viewer } from '../../releases/releases.js'
import { TOKEN_PREFIX } from '../../releases/token.js'

const BEARER = /^bearer +(\S+) *$/i

/**
 * Who asks for releases: the organization whose token is shown. Whatever else stands behind `Bearer`, such as the random token of
 * an installation, is nobody in particular; a token that looks like ours and is not good rejects.
 *
 * @example
 * const viewer = await viewerOf(request, releases)
 */
export async function viewerOf(
  request: FastifyRequest,
  releases: Pick<Releases, 'identify'>,
): Promise<Viewer | undefined> {
  const [, token] = BEARER.exec(request.headers.authorization ?? '') ?? []
  return token?.startsWith(TOKEN_PREFIX) ? releases.identify(token) : undefined
}

/** The prefix of the access tokens of tools that people have signed in. */
const TOOL_TOKEN = `${TOKEN_PREFIX}at_`

/**
 * Releases that know the tokens of tools too: whoever has signed in with `omen login` reads what the organization has.
 *
 * @example
 * addReleaseRoutes(app, { releases: knowingTools(releases, devices), settings, clock, metrics })
 */
export function knowingTools(releases: Releases, devices: Pick<Devices, 'read'>): Releases {
  return {
    ...releases,
    async identify(token) {
      if (!token.startsWith(TOOL_TOKEN)) return releases.identify(token)
      const person = await devices.read(token)
      if (person === 'expired') throw new Problem('token_expired', 'This access token has expired. Refresh it.')
      if (person === undefined)
        throw new Problem('invalid_token', 'This access token has ended. Sign in again: omen login.')
      const { organizationId, organization, sessionId } = person
      return { organizationId, organization, tokenId: sessionId, scopes: ['rules:read'] }
    },
  }
}
