import type { FastifyInstance } from 'fastify'
import { Problem } from '../../problem.js'
import type { Settings } from '../../settings/settings.js'
import type { Database } from '../../store/database.js'
import type { Metrics } from '../observing/metrics.js'
import { createAddressCheck } from '../requester/address.js'
import { HEALTH } from '../schemas/service.js'

/** Shorter than the time after which load balancers give up. */
const CHECK_MS = 3_000

export interface HealthRoutesOptions {
  readonly database: Pick<Database, 'check'>
  readonly metrics: Metrics
  readonly settings: Pick<Settings, 'metricsFrom'>
}

/** The routes for the operator's machines: liveness, readiness, metrics. */
export function addHealthRoutes(app: FastifyInstance, { database, metrics, settings }: HealthRoutesOptions): void {
  const mayReadMetrics = createAddressCheck(settings.metricsFrom)
  const ready = { $ref: `${HEALTH.$id}#` }
  const checkDatabase = shared(() => within(CHECK_MS, database.check()))

  app.get('/healthz', {
    config: { problems: ['method_not_allowed'] },
    schema: {
      operationId: 'health',
      tags: ['operation'],
      summary: 'Whether the process is alive',
      response: { 200: ready },
    },
    handler: () => ({ status: 'ok' }),
  })

  app.get('/readyz', {
    config: { problems: ['method_not_allowed', 'unavailable'] },
    schema: {
      operationId: 'readiness',
      tags: ['operation'],
      summary: 'Whether the process is ready: the database is available, and the process is not shutting down',
      response: { 200: ready },
    },
    handler: async () => {
      if (app.life.draining) throw new Problem('unavailable', 'This process is shutting down. Use another one.')
      await checkDatabase()
      return { status: 'ready' }
    },
  })

  app.get('/metrics', {
    schema: { hide: true },
    handler: async (request, reply) => {
      if (!mayReadMetrics(request)) {
        throw new Problem(
          'not_found',
          'Metrics are for the operator: send the request from an address in --metrics-from, and not through a proxy.',
        )
      }
      return reply.type(metrics.contentType).send(await metrics.text())
    },
  })
}

/** Requests at the same time share one run of the work. */
function shared(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined
  return () => {
    underWay ??= work().finally(() => {
      underWay = undefined
    })
    return underWay
  }
}

/** A check that fails in any way means: not ready. */
async function within(ms: number, check: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Problem('unavailable', 'The database does not answer in time.')), ms)
  })
  try {
    await Promise.race([check, late])
  } catch (error) {
    throw error instanceof Problem
      ? error
      : new Problem('unavailable', 'The database does not answer.', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
