import type { ProblemCode } from '../problem.js'
import type { Role } from './routing.js'

/** Whether the server is shutting down. */
export interface Life {
  draining: boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    life: Life
  }
  interface FastifyRequest {
    /** The token of a request whose route requires one. */
    bearerToken: string | undefined
  }
  interface FastifyReply {
    /** The code of the problem in the response. */
    problemCode: ProblemCode | undefined
  }
  interface FastifyContextConfig {
    /** The hosts on which the route exists; every host without it. */
    host?: Role | readonly Role[]
    /** The codes of the problems of the route, for its description. */
    problems?: readonly ProblemCode[]
  }
}
