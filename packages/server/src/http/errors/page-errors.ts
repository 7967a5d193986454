import '../fastify.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PROBLEMS } from '../../problem.js'
import { type Notice, sendNotice, wantsPage } from '../pages/notice-page.js'
import { logFailure, toProblem } from './error-handler.js'
import { problemHeaders } from './problem-response.js'

/**
 * The error handler of an address that users open: browsers get a page, programs a problem document.
 *
 * @example
 * app.get('/v1/auth/login', { errorHandler: pageErrors, handler })
 */
export const pageErrors = pageErrorsWith({})

/** The same, with its own title and link. */
export function pageErrorsWith(content: Partial<Pick<Notice, 'title' | 'link'>>) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    // The error handler of the app sends the problem document.
    if (!wantsPage(request)) throw error
    const problem = toProblem(error, request)
    reply.problemCode = problem.code
    logFailure(problem, error, request)
    return sendNotice(reply.headers(problemHeaders(problem)), problem.status, {
      tone: 'bad',
      title: `${PROBLEMS[problem.code].title}.`,
      sentences: [problem.message],
      reference: request.id,
      ...content,
    })
  }
}
