import type { FastifyRequest } from 'fastify'
import { Problem } from '../../problem.js'
import type { Settings } from '../../settings/settings.js'

/** What browsers say of a request that a page of the same origin has sent, or a person without any page. */
const OWN = new Set(['same-origin', 'none'])

/**
 * Refuses what changes something when a page of another site has sent it, in the name of whoever is signed in. Browsers say where
 * a request comes from in `Sec-Fetch-Site`, older ones in `Origin`; what says neither comes from no browser. The cookie of a
 * session, which is `SameSite=Lax`, does not come along with such requests either.
 *
 * @example
 * const refuseCrossSite = createSameSiteCheck(settings)
 * app.post('/v1/auth/logout', { onRequest: async (request) => refuseCrossSite(request) })
 */
export function createSameSiteCheck({
  baseUrl,
  appUrl,
}: Pick<Settings, 'baseUrl' | 'appUrl'>): (request: Pick<FastifyRequest, 'headers'>) => void {
  const ours = new Set([new URL(baseUrl).origin, new URL(appUrl).origin])
  return ({ headers }) => {
    const site = headers['sec-fetch-site']
    const { origin } = headers
    if (origin !== undefined && ours.has(origin)) return
    if (typeof site === 'string' ? OWN.has(site) : origin === undefined) return
    throw new Problem('cross_site', 'A page of another site has sent this request. Nothing has happened.')
  }
}
