import type { FastifyInstance } from 'fastify'
import { Problem } from '../../problem.js'
import type { Sessions } from '../../sessions/sessions.js'
import { callerOf } from '../caller.js'
import { fieldOf, ignoreType, readForm } from '../form.js'
import { sendOAuthError } from '../oauth-error.js'

/** Where identity providers end sessions (OpenID Connect Back-Channel Logout 1.0). */
export function addBackChannelRoute(
  app: FastifyInstance,
  { sessions }: { readonly sessions: Pick<Sessions, 'logOutByProvider'> },
): void {
  app.post<{ Params: { uuid: string } }>('/v1/auth/backchannel/:uuid', {
    config: { host: 'base' },
    schema: { hide: true },
    onRequest: ignoreType,
    handler: async (request, reply) => {
      const token = fieldOf(readForm(request), 'logout_token')
      try {
        await sessions.logOutByProvider(request.params.uuid, token, callerOf(request))
        return reply.code(200).send()
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'bad_request') throw error
        request.log.info({ reason: error.message }, 'a logout token was refused')
        return sendOAuthError(reply, 'invalid_request', error.message)
      }
    },
  })
}
