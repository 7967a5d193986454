import './fastify.js'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '../onboarding/onboarding.js'
import type { Problem, ProblemCode } from '../problem.js'
import { callerOf } from './caller.js'
import { toProblem } from './failures.js'
import { sendProblem } from './problem-response.js'

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
