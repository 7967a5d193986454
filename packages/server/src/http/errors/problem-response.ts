import '../fastify.js'
import type { FastifyReply } from 'fastify'
import { PROBLEMS, type Problem } from '../../problem.js'
import { PROBLEM_TYPE, type ProblemBody } from '../schemas/problem.js'

/** When nothing better is known, a service that was away is worth another try after this many seconds. */
const DEFAULT_RETRY_SECONDS = 5

const REALM = 'Bearer realm="omen-onboarding"'

/** Where people sign in rather than administrators. */
const SIGN_IN_REALM = 'Bearer realm="omen"'

/**
 * A problem as the document that is sent.
 *
 * @example
 * problemBody(new Problem('missing_code', 'Add the code.'), 'https://omen.example.com/docs').type
 * // https://omen.example.com/docs#missing_code
 */
export function problemBody(problem: Problem, docsUrl: string): ProblemBody {
  const { code, status, message, errors } = problem
  return {
    type: `${docsUrl}#${code}`,
    title: PROBLEMS[code].title,
    status,
    detail: message,
    code,
    ...(errors && { errors: errors.map(({ field, message: words }) => ({ field, message: words })) }),
  }
}

/** The headers that belong to a problem: how to authenticate, and when to come back. */
export function problemHeaders({ code, status, retryAfter }: Problem): Record<string, string> {
  const headers: Record<string, string> = {}
  if (status === 401) headers['www-authenticate'] = challenge(code)
  if (status === 503 || retryAfter !== undefined) {
    headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfter ?? DEFAULT_RETRY_SECONDS)))
  }
  return headers
}

/** RFC 6750: who sent no token is told how to authenticate, and nothing about an error. */
function challenge(code: Problem['code']): string {
  if (code === 'missing_session') return SIGN_IN_REALM
  if (code !== 'invalid_token' && code !== 'token_expired') return REALM
  return `${REALM}, error="invalid_token", error_description="${PROBLEMS[code].title}"`
}

const asItIs = (text: string) => text

/** Sends a problem as the response. With a serializer: without one, Fastify would add a charset, which this type does not have. */
export function sendProblem(reply: FastifyReply, problem: Problem, docsUrl: string): FastifyReply {
  reply.problemCode = problem.code
  return reply
    .code(problem.status)
    .headers(problemHeaders(problem))
    .type(PROBLEM_TYPE)
    .serializer(asItIs)
    .send(JSON.stringify(problemBody(problem, docsUrl)))
}

/** Sends an error in the form that OAuth has for it (RFC 6749, section 5.2). */
export function sendOAuthError(reply: FastifyReply, error: string, description: string): FastifyReply {
  return reply.code(400).send({ error, error_description: description })
}
