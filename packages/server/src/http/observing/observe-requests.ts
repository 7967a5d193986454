import '../fastify.js'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressOf } from '../requester/address.js'
import { scrub } from './log.js'
import type { Metrics } from './metrics.js'

/** The status that proxies log for a client that disconnects before the response. */
const CLIENT_CLOSED_REQUEST = 499

/** Routes that machines request every few seconds: their lines would hide the others. */
const QUIET_ROUTES = new Set(['/healthz', '/readyz', '/metrics'])

/** A path may have 16 KiB: a log line needs its beginning. */
const PATH_LIMIT = 200

/** The link of a sign-in test is a secret: the log shows the pattern of its route instead, however the link was spelled. */
const SECRET_PARAMETER = /\/:link$/

/** Request IDs that proxies and tracers send. No other string is copied into the log. */
const REQUEST_ID = /^[A-Za-z0-9._:+/=-]{1,100}$/

export interface ObserveOptions {
  readonly metrics: Metrics
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>
}

/** Sets the headers of every response; logs and counts every request. */
export function observeRequests(app: FastifyInstance, { metrics, headers }: ObserveOptions): void {
  app.addHook('onRequest', (request, reply, done) => {
    metrics.begin()
    reply.headers(headers).header('x-request-id', request.id)
    // Emitted exactly once: at the end of the response, or when the connection closes before that.
    reply.raw.once('close', () => {
      logRequest(request, reply)
      metrics.finish({
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.raw.writableEnded ? reply.statusCode : CLIENT_CLOSED_REQUEST,
        problem: reply.problemCode,
        seconds: reply.elapsedTime / 1000,
      })
    })
    done()
  })
  // When the response is sent: a request that was in flight when the shutdown began must not keep its connection.
  app.addHook('onSend', (_, reply, payload, done) => {
    if (app.life.draining) reply.header('connection', 'close')
    done(null, payload)
  })
}

/** The ID of a request: the one that the client or proxy sends, or a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
}

function logRequest(request: FastifyRequest, reply: FastifyReply): void {
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

/** Without the query, which may contain a code. */
function pathOf({ originalUrl, routeOptions: { url } }: FastifyRequest): string {
  if (url !== undefined && SECRET_PARAMETER.test(url)) return url
  return scrub(originalUrl.split('?', 1)[0]!.slice(0, PATH_LIMIT))
}
