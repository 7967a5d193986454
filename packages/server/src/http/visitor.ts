import type { FastifyRequest } from 'fastify'
import type { Visitor } from '../sessions/sessions.js'
import { callerOf } from './caller.js'

/** Who makes a request, and with what. */
export function visitorOf(request: FastifyRequest): Visitor {
  return { ...callerOf(request), agent: request.headers['user-agent'] ?? '' }
}
