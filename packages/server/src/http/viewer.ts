import type { FastifyRequest } from 'fastify'
import type { Releases, Viewer } from '../releases/releases.js'
import { TOKEN_PREFIX } from '../releases/token.js'

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
