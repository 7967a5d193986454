import '../fastify.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PROBLEMS } from '../../problem.js'
import { toProblem } from '../failures.js'
import { problemHeaders } from '../problem-response.js'
import { sendNotice, wantsPage } from './notice-page.js'

/**
 * Tells what went wrong on an address that people open: as a page to browsers, as a problem document to programs.
 *
 * @example
 * app.get('/v1/auth/login', { errorHandler: pageErrors, handler })
 */
export function pageErrors(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // What is thrown here is told by the error handler of the app.
  if (!wantsPage(request)) throw error
  const problem = toProblem(error, request)
  reply.problemCode = problem.code
  if (problem.code === 'internal') request.log.error({ err: error }, 'a request failed')
  return sendNotice(reply.headers(problemHeaders(problem)), problem.status, {
    tone: 'bad',
    title: `${PROBLEMS[problem.code].title}.`,
    sentences: [problem.message],
    reference: request.id,
  })
}
