import '../fastify.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PROBLEMS } from '../../problem.js'
import { type Notice, sendNotice, wantsPage } from '../pages/notice-page.js'
import { toProblem } from './error-handler.js'
import { problemHeaders } from './problem-response.js'

/**
 * Tells what went wrong on an address that people open: as a page to browsers, as a problem document to programs.
 *
 * @example
 * app.get('/v1/auth/login', { errorHandler: pageErrors, handler })
 */
export const pageErrors = pageErrorsWith({})

/** The same, with a title of its own and a link that leads on. */
export function pageErrorsWith(words: Partial<Pick<Notice, 'title' | 'link'>>) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    tell(error, request, reply, words)
}

function tell(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  words: Partial<Pick<Notice, 'title' | 'link'>>,
): FastifyReply {
  // What is thrown here is told by the error handler of the app.
  if (!wantsPage(request)) throw error
  const problem = toProblem(error, request)
  reply.problemCode = problem.code
  if (problem.code === 'internal') request.log.error({ err: error }, 'a request failed')
  else if (problem.status >= 500 && problem.cause !== undefined) request.log.warn({ err: problem }, problem.message)
  return sendNotice(reply.headers(problemHeaders(problem)), problem.status, {
    tone: 'bad',
    title: `${PROBLEMS[problem.code].title}.`,
    sentences: [problem.message],
    reference: request.id,
    ...words,
  })
}
