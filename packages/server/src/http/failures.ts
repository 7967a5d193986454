import type { FastifyError, FastifyRequest } from 'fastify'
import { Problem } from '../problem.js'
import { invalidBody } from './validation-words.js'

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
