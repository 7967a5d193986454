import '../fastify.js'
import type { FastifyReply } from 'fastify'
import { PROBLEMS, type Problem } from '../../problem.js'
import { PROBLEM_TYPE, type ProblemBody } from '../schemas/problem.js'

/** `Retry-After` of an unavailable service, unless the problem says something else. */
const DEFAULT_RETRY_SECONDS = 5

const ONBOARDING_REALM = 'Bearer realm="omen-onboarding"'

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
    ...(errors && { errors: errors.map((error) => ({ field: error.field, message: error.message })) }),
  }
}

/** The headers of a problem: how to authenticate, and when to try again. */
export function problemHeaders({ code, status, retryAfter }: Problem): Record<string, string> {
  const headers: Record<string, string> = {}
  if (status === 401) headers['www-authenticate'] = challenge(code)
  if (status === 503 || retryAfter !== undefined) {
    headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfter ?? DEFAULT_RETRY_SECONDS)))
  }
  return headers
}

/** RFC 6750: the challenge for a request without a token names no error. */
function challenge(code: Problem['code']): string {
  if (code === 'missing_session') return SIGN_IN_REALM
  if (code !== 'invalid_token' && code !== 'token_expired') return ONBOARDING_REALM
  return `${ONBOARDING_REALM}, error="invalid_token", error_description="${PROBLEMS[code].title}"`
}

/** Sends a problem as the response. It has its own serializer because Fastify adds a charset otherwise, which this type lacks. */
export function sendProblem(reply: FastifyReply, problem: Problem, docsUrl: string): FastifyReply {
  reply.problemCode = problem.code
  return reply
    .code(problem.status)
    .headers(problemHeaders(problem))
    .type(PROBLEM_TYPE)
    .serializer(JSON.stringify)
    .send(problemBody(problem, docsUrl))
}

/** Sends an error in the form of OAuth (RFC 6749, section 5.2). */
export function sendOAuthError(reply: FastifyReply, error: string, description: string): FastifyReply {
  return reply.code(400).send({ error, error_description: description })
}
