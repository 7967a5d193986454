import '../fastify.js'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressOf } from '../requester/address.js'
import { scrub } from './log.js'
import type { Metrics } from './metrics.js'

/** What proxies write for a client that went away before it was answered. */
const GIVEN_UP = 499

export interface ObservationOptions {
  readonly metrics: Metrics
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>
}

/** Gives every response its headers, and every request its line in the log and its place in the metrics. */
export function addObservation(app: FastifyInstance, { metrics, headers }: ObservationOptions): void {
  app.addHook('onRequest', (request, reply, done) => {
    metrics.begin()
    reply.headers(headers).header('x-request-id', request.id)
    // The end of the response or of the connection, whichever comes first: always once.
    reply.raw.once('close', () => {
      logRequest(request, reply)
      metrics.finish({
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.raw.writableEnded ? reply.statusCode : GIVEN_UP,
        problem: reply.problemCode,
        seconds: reply.elapsedTime / 1000,
      })
    })
    done()
  })
  // At the end of a request, not at its beginning: one that was in flight when the end began must not keep its connection.
  app.addHook('onSend', (_, reply, payload, done) => {
    if (app.life.draining) reply.header('connection', 'close')
    done(null, payload)
  })
}

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

/** What proxies and tracers send, and nothing that could be mistaken for anything else in a log. */
const SANE = /^[A-Za-z0-9._:+/=-]{1,100}$/

/** The id of a request: what the client or proxy calls it when that is sane, otherwise a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID()
}
