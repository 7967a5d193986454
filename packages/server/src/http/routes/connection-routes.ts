import type { FastifyInstance } from 'fastify'
import { Problem } from '../../problem.js'
import type { ReplacementBody } from '../schemas/organization-connection.js'
import {
  DROP_CONNECTION,
  PROPOSE_CONNECTION,
  READ_CONNECTION,
  SWITCH_CONNECTION,
  TEST_CONNECTION,
} from '../schemas/organization-operations.js'
import type { RouteParts } from './organization-route.js'

/** How an administrator replaces the secret or the whole connection: prepare, test, switch. */
export function addConnectionRoutes(app: FastifyInstance, { administration, gate, describe }: RouteParts): void {
  app.get('/v1/org/connection', {
    ...describe(READ_CONNECTION),
    handler: async (request) => administration.readConnection(await gate.administrator(request)),
  })
  app.post<{ Body: ReplacementBody }>('/v1/org/connection', {
    ...describe(PROPOSE_CONNECTION),
    ...gate.changingWithBody,
    handler: async (request, reply) => {
      const { client_secret, client_id, well_known_url } = request.body
      const wanted = {
        client_secret,
        ...(client_id !== undefined && { client_id }),
        ...(well_known_url !== undefined && { well_known_url }),
      }
      const next = await administration.proposeConnection(gate.by(request), wanted)
      return reply.code(201).send({ next })
    },
  })
  app.post('/v1/org/connection/test', {
    ...describe(TEST_CONNECTION),
    ...gate.changing,
    handler: (request) => {
      const by = gate.by(request)
      if (by.person.kind === 'browser') return administration.startConnectionTest(by)
      throw new Problem('missing_session', 'The test is a sign-in: start it in the browser in which you are signed in.')
    },
  })
  app.post('/v1/org/connection/switch', {
    ...describe(SWITCH_CONNECTION),
    ...gate.changing,
    handler: (request) => administration.switchConnection(gate.by(request)),
  })
  app.delete('/v1/org/connection/next', {
    ...describe(DROP_CONNECTION),
    ...gate.changing,
    handler: async (request, reply) => {
      await administration.dropNextConnection(gate.by(request))
      return reply.code(204).send()
    },
  })
}
