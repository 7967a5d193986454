import './fastify.js'
import type { FastifyReply } from 'fastify'

/** Sends an error in the form that OAuth has for it (RFC 6749, section 5.2). */
export function sendOAuthError(reply: FastifyReply, error: string, description: string): FastifyReply {
  return reply.code(400).send({ error, error_description: description })
}
