import './fastify.js'
import type { FastifyInstance } from 'fastify'
import type { Metrics } from './metrics.js'
import { logRequest } from './request-log.js'

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
