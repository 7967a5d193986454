import type { FastifyInstance } from 'fastify'
import { Problem } from '../../problem.js'

const HOUR_SECONDS = 3600

/** The addresses that are entered at the identity provider. They exist from the start, so that nobody enters a dead one. */
export function addSignInRoutes(app: FastifyInstance): void {
  const options = { config: { host: 'base' as const }, schema: { hide: true } }
  const notYet = async (): Promise<never> => {
    throw new Problem('unavailable', 'Sign-in is not available yet. The connection itself is kept.', {
      retryAfter: HOUR_SECONDS,
    })
  }
  app.route({ method: ['GET', 'POST'], url: '/v1/auth/login', ...options, handler: notYet })
  app.route({ method: 'GET', url: '/v1/auth/callback/:uuid', ...options, handler: notYet })
}
