import './fastify.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressOf } from './caller.js'
import { scrub } from './logging.js'

/** Routes that machines request every few seconds: their lines would hide the others. */
const QUIET_ROUTES = new Set(['/healthz', '/readyz', '/metrics'])

/** A path may have 16 KiB: a log line needs its beginning. */
const PATH_LIMIT = 200

/** The link of a test is a secret: the log shows the pattern of its route instead, however the link was spelled. */
const SECRET_PARAMETER = /\/:link$/

/** Writes the log line of a request, when it is over. A request whose client went away before the response says so. */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const isComplete = reply.raw.writableEnded
  const isQuiet = isComplete && reply.statusCode < 500 && QUIET_ROUTES.has(request.routeOptions.url ?? '')
  request.log[isQuiet ? 'debug' : 'info'](
    {
      method: request.method,
      path: pathOf(request),
      ...(isComplete && { status: reply.statusCode }),
      ...(reply.problemCode !== undefined && { problem: reply.problemCode }),
      ms: Math.round(reply.elapsedTime * 10) / 10,
      address: addressOf(request),
    },
    isComplete ? 'request' : 'request aborted by the client',
  )
}

/** Without the query, which may hold a code. */
function pathOf({ originalUrl, routeOptions: { url } }: FastifyRequest): string {
  if (url !== undefined && SECRET_PARAMETER.test(url)) return url
  return scrub(originalUrl.split('?', 1)[0]!.slice(0, PATH_LIMIT))
}
