import '../fastify.js'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import type { Requester } from '../../audit/audit.js'
import { Problem, type ProblemCode } from '../../problem.js'
import { requesterOf } from '../requester/address.js'
import { sendProblem } from './problem-response.js'
import { invalidBody } from './validation-messages.js'

/** An onboarding that can check a token alone: then an invalid token is reported before an invalid body. */
export interface Authenticator {
  authenticate?(token: string, requester: Requester): Promise<unknown>
}

/** Problems that are found before the token is checked. */
const BEFORE_TOKEN = new Set<ProblemCode>(['invalid_json', 'invalid_request'])

/** Sends whatever is thrown during a request as a problem. */
export function addErrorHandler(app: FastifyInstance, onboarding: Authenticator, docsUrl: string): void {
  app.setErrorHandler(async (error, request, reply) => {
    const problem = await firstProblem(toProblem(error, request), request, onboarding)
    logFailure(problem, error, request)
    return sendProblem(reply, problem, docsUrl)
  })
}

/** Logs the failures of the service; a request that is not valid is not one. */
export function logFailure(problem: Problem, error: unknown, request: FastifyRequest): void {
  if (problem.code === 'internal') request.log.error({ err: error }, 'request failed')
  else if (problem.status >= 500 && problem.cause !== undefined) request.log.warn({ err: problem }, problem.message)
}

/** If both token and body are invalid, the problem of the token is reported. */
async function firstProblem(problem: Problem, request: FastifyRequest, onboarding: Authenticator): Promise<Problem> {
  if (!BEFORE_TOKEN.has(problem.code) || request.bearerToken === undefined) return problem
  try {
    await onboarding.authenticate?.(request.bearerToken, requesterOf(request))
    return problem
  } catch (error) {
    return toProblem(error, request)
  }
}

/**
 * Turns whatever was thrown during a request into the problem of the response. The response says nothing about an unknown error,
 * which may contain anything.
 */
export function toProblem(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  const { validation, validationContext, statusCode = 500 } = (error ?? {}) as Partial<FastifyError>
  if (validation !== undefined) {
    return validationContext === 'querystring' ? missingCode(request) : invalidBody(validation)
  }
  if (statusCode >= 400 && statusCode < 500) {
    const detail = 'The request is malformed. Check the address, the headers and the body.'
    return new Problem('bad_request', detail, { cause: error })
  }
  return new Problem(
    'internal',
    `The service failed. Try again; if it fails again, send the operator this request ID: ${request.id}.`,
    { cause: error },
  )
}

/** The code is the only required query parameter of the API. */
function missingCode({ query }: FastifyRequest): Problem {
  if (Array.isArray((query as Readonly<Record<string, unknown>>).code)) {
    return new Problem('bad_request', 'The address has several codes. Send one: /v1/auth/validate?code=<code>.')
  }
  return new Problem('missing_code', 'Add the code that the operator gave you: /v1/auth/validate?code=<code>.')
}
