import type { FastifyReply, FastifyRequest } from 'fastify'
import { type DestinationStream, type Logger, pino } from 'pino'
import { addressOf } from './caller.js'
import { scrub } from './logging.js'

/** Addresses that are asked every few seconds: their lines would hide the others. */
const QUIET_ROUTES = new Set(['/healthz', '/readyz', '/metrics'])

/** An address may be 16 KiB of anything: a log line needs the beginning. */
const PATH_LIMIT = 200

/** The link of a test is for the one who has it: however it was spelled, the pattern of its route stands in its place. */
const SECRET_PARAMETER = /\/:link$/

/** No secret can be told by its looks without a blank, a sign, or the beginning of the address of a test. */
const HARMLESS = /^(?!\/v1\/auth\/test\/)[A-Za-z0-9/]*$/

/** Writes the one line of a request, when it is over. */
export type RequestLog = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * Makes what writes the one line of each request to the destination of a logger, in its form. By hand, because a request has few
 * and known fields: through the logger its line takes a twentieth of the time of the whole request. A request whose client went
 * away before the answer says so.
 *
 * @example
 * const logRequest = createRequestLog(logger)
 * reply.raw.once('close', () => logRequest(request, reply))
 */
export function createRequestLog(logger: Logger): RequestLog {
  const destination = (logger as unknown as Record<symbol, DestinationStream>)[pino.symbols.streamSym]!
  return (request, reply) => {
    const complete = reply.raw.writableEnded
    const quiet = complete && reply.statusCode < 500 && QUIET_ROUTES.has(request.routeOptions.url ?? '')
    const level = quiet ? 'debug' : 'info'
    if (logger.isLevelEnabled(level)) destination.write(lineOf(request, reply, level))
  }
}

/** Ids, methods, codes and addresses have no character that JSON would write in another way. */
function lineOf(request: FastifyRequest, reply: FastifyReply, level: string): string {
  const complete = reply.raw.writableEnded
  const problem = reply.problemCode === undefined ? '' : `,"problem":"${reply.problemCode}"`
  const ms = Math.round(reply.elapsedTime * 10) / 10
  return (
    `{"level":"${level}","time":"${timeNow()}","requestId":"${request.id}","method":"${request.method}",` +
    `"path":${JSON.stringify(pathOf(request))}${complete ? `,"status":${reply.statusCode}` : ''}${problem},"ms":${ms},` +
    `"address":"${addressOf(request)}","msg":"${complete ? 'request' : 'request given up by the client'}"}\n`
  )
}

let lastMs = 0
let lastTime = ''

/** Under load many lines have the same time, and writing one takes longer than the rest of the line. */
function timeNow(): string {
  const ms = Date.now()
  if (ms !== lastMs) {
    lastMs = ms
    lastTime = new Date(ms).toISOString()
  }
  return lastTime
}

/** Without the query, which holds the code. A known address without parameters needs no look at what was sent. */
function pathOf({ originalUrl, routeOptions: { url } }: FastifyRequest): string {
  if (url !== undefined && (!url.includes(':') || SECRET_PARAMETER.test(url))) return url
  const path = originalUrl.split('?', 1)[0]!.slice(0, PATH_LIMIT)
  return HARMLESS.test(path) ? path : scrub(path)
}
