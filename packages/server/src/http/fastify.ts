import type { ProblemCode } from '../problem.js'
import type { Role } from './routing.js'

/** Whether the server is about to end. */
export interface Life {
  draining: boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    life: Life
  }
  interface FastifyRequest {
    /** The token of a request whose route asks for one. */
    bearer: string | undefined
  }
  interface FastifyReply {
    /** The code of the problem that is the answer. */
    problemCode: ProblemCode | undefined
  }
  interface FastifyContextConfig {
    /** The host that the route belongs to, or several; every host without it. */
    host?: Role | readonly Role[]
    /** The codes that the route can fail with, for its description. */
    problems?: readonly ProblemCode[]
  }
}
