import '../fastify.js'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '../../onboarding/onboarding.js'
import { Problem, type ProblemCode } from '../../problem.js'
import { callerOf } from '../requester/address.js'
import { sendProblem } from './problem-response.js'
import { invalidBody } from './validation-messages.js'

/** An onboarding that can tell whether a token is good: then a bad token is told before a bad body. */
export interface Authenticator {
  authenticate?(token: string, caller: Caller): Promise<unknown>
}

/** What is found wrong before a token has been looked at. */
const BEFORE_TOKEN = new Set<ProblemCode>(['invalid_json', 'invalid_request'])

/** Whatever is thrown during a request is told as a problem. Faults are logged; what a caller did wrong is not one. */
export function addErrorHandler(app: FastifyInstance, onboarding: Authenticator, docsUrl: string): void {
  app.setErrorHandler(async (error, request, reply) => {
    const problem = await firstProblem(toProblem(error, request), request, onboarding)
    if (problem.code === 'internal') request.log.error({ err: error }, 'a request failed')
    else if (problem.status >= 500 && problem.cause !== undefined) request.log.warn({ err: problem }, problem.message)
    return sendProblem(reply, problem, docsUrl)
  })
}

/** Of a bad token and a bad body, the token is told. */
async function firstProblem(problem: Problem, request: FastifyRequest, onboarding: Authenticator): Promise<Problem> {
  if (!BEFORE_TOKEN.has(problem.code) || request.bearer === undefined) return problem
  try {
    await onboarding.authenticate?.(request.bearer, callerOf(request))
    return problem
  } catch (error) {
    return toProblem(error, request)
  }
}

/**
 * Turns whatever was thrown during a request into the problem that is told. Nothing of an unknown error is told: it may hold
 * anything.
 */
export function toProblem(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  const { validation, validationContext, statusCode = 500 } = (error ?? {}) as Partial<FastifyError>
  if (validation !== undefined)
    return validationContext === 'querystring' ? missingCode(request) : invalidBody(validation)
  if (statusCode >= 400 && statusCode < 500) {
    return new Problem(
      'bad_request',
      'The request cannot be understood. Check the address, the headers and the body.',
      {
        cause: error,
      },
    )
  }
  return new Problem(
    'internal',
    `Something went wrong here. Try again; if it stays, tell the operator this request id: ${request.id}.`,
    { cause: error },
  )
}

/** The code is the only parameter that a query must have. */
function missingCode({ query }: FastifyRequest): Problem {
  if (Array.isArray((query as Readonly<Record<string, unknown>>).code)) {
    return new Problem('bad_request', 'The address has several codes. Send one: /v1/auth/validate?code=<code>.')
  }
  return new Problem('missing_code', 'Add the code that the operator gave you: /v1/auth/validate?code=<code>.')
}
