import type { FastifyRequest } from 'fastify'
import { Problem } from '../../problem.js'
import type { Settings } from '../../settings/settings.js'

/** `Sec-Fetch-Site` of a request that a page of the same origin sends, or the user without a page. */
const OWN = new Set(['same-origin', 'none'])

/**
 * Makes a check for requests that change something: it throws if a page of another site sent the request on behalf of a signed-in
 * user. Browsers name the origin in `Sec-Fetch-Site`, older browsers in `Origin`; a request with neither does not come from a
 * browser. The session cookie is `SameSite=Lax`, so browsers do not send it with such requests either.
 *
 * @example
 * const checkSameSite = createSameSiteCheck(settings)
 * app.post('/v1/auth/logout', { onRequest: async (request) => checkSameSite(request) })
 */
export function createSameSiteCheck({
  baseUrl,
  appUrl,
}: Pick<Settings, 'baseUrl' | 'appUrl'>): (request: Pick<FastifyRequest, 'headers'>) => void {
  const ownOrigins = new Set([new URL(baseUrl).origin, new URL(appUrl).origin])
  return ({ headers }) => {
    const site = headers['sec-fetch-site']
    const { origin } = headers
    if (origin !== undefined && ownOrigins.has(origin)) return
    if (typeof site === 'string' ? OWN.has(site) : origin === undefined) return
    throw new Problem('cross_site', 'A page of another site sent this request. Nothing has changed.')
  }
}
