import './fastify.js'
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Administration } from '../administration/administration.js'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { Clock } from '../clock.js'
import type { Devices } from '../devices/devices.js'
import type { Onboarding } from '../onboarding/onboarding.js'
import type { Releases } from '../releases/releases.js'
import type { Sessions } from '../sessions/sessions.js'
import type { Settings } from '../settings/settings.js'
import type { Database } from '../store/database.js'
import { BODY_LIMIT, type BodyRead, readBody } from './body.js'
import { type Authenticator, addErrorHandler } from './errors/error-handler.js'
import { createLogger } from './observing/log.js'
import { createMetrics, type Metrics } from './observing/metrics.js'
import { observeRequests, requestIdOf } from './observing/observe-requests.js'
import { describeApi } from './openapi.js'
import { acceptToolTokens } from './requester/release-reader.js'
import { addCatalogueRoutes } from './routes/catalogue-routes.js'
import { addDeviceRoutes } from './routes/device-routes.js'
import { addDocsRoutes } from './routes/docs-routes.js'
import { addHandOverRoutes } from './routes/hand-over-routes.js'
import { addHealthRoutes } from './routes/health-routes.js'
import { addOnboardingRoutes, addSetupRoute } from './routes/onboarding-routes.js'
import { addOrganizationRoutes } from './routes/organization-routes.js'
import { addReleaseRoutes } from './routes/release-routes.js'
import { addBackChannelRoute, addSessionRoutes } from './routes/session-routes.js'
import { addSignInRoutes } from './routes/sign-in-routes.js'
import { addWebRoutes } from './routes/web-routes.js'
import { addRouting, routableUrl } from './routing.js'
import { securityHeaders } from './security-headers.js'
import { createHttp, type Http, type ServerLimits } from './server.js'

/** Longer than any address: the route checks the parameter. */
const MAX_PARAMETER = 32 * 1024

export interface AppOptions {
  readonly onboarding: Onboarding & Authenticator
  readonly releases: Releases
  readonly sessions: Sessions
  readonly devices: Devices
  readonly administration: Administration
  readonly catalogue: Catalogue
  readonly settings: Settings
  readonly database: Pick<Database, 'check'>
  readonly clock: Clock
  /** Writes to standard output at `settings.logLevel` without it. */
  readonly logger?: Logger
  readonly metrics?: Metrics
  /** The folder of the built pages. */
  readonly webFolder?: string
  /** Limits of connections that replace the defaults. */
  readonly limits?: ServerLimits
}

/**
 * Creates the HTTP server of the service, ready to listen.
 *
 * @example
 * const app = await createApp({ onboarding, sessions, devices, administration, releases, catalogue, settings, database, clock })
 * await app.listen({ host: settings.host, port: settings.port })
 */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { onboarding, sessions, devices, administration, catalogue, settings, database, clock, limits, webFolder } =
    options
  const metrics = options.metrics ?? createMetrics()
  const logger = options.logger ?? createLogger({ level: settings.logLevel })
  const docsUrl = `${settings.onboardUrl}/docs`
  const headers = { ...securityHeaders(settings), 'cache-control': 'no-store' }
  const app = createFastify(settings, logger, createHttp({ headers, docsUrl, ...(limits && { limits }) }))

  observeRequests(app, { metrics, headers })
  addRouting(app, settings, docsUrl)
  addErrorHandler(app, onboarding, docsUrl)

  await describeApi(app, settings, docsUrl)
  addOnboardingRoutes(app, { onboarding, settings, clock })
  addSetupRoute(app, settings)
  addSignInRoutes(app, { onboarding, administration, sessions, settings, metrics, clock })
  addHandOverRoutes(app, { sessions, settings })
  addSessionRoutes(app, { sessions, devices, settings })
  addOrganizationRoutes(app, { administration, sessions, devices, releases: options.releases, settings, clock })
  addBackChannelRoute(app, { sessions })
  addDeviceRoutes(app, { devices, sessions, settings, clock })
  const releases = acceptToolTokens(options.releases, devices)
  await addReleaseRoutes(app, { releases, settings, clock, metrics })
  addCatalogueRoutes(app, { catalogue, releases, sessions, settings, clock })
  addHealthRoutes(app, { database, metrics, settings })
  addDocsRoutes(app)
  await addWebRoutes(app, { webFolder, sessions, settings })
  await app.ready()
  return app
}

function createFastify({ trustProxy }: Settings, loggerInstance: FastifyBaseLogger, http: Http): FastifyInstance {
  const app: FastifyInstance = Fastify({
    ...http,
    loggerInstance,
    // observeRequests writes one line per request instead of the framework's two.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    bodyLimit: BODY_LIMIT,
    // During shutdown a request is still answered; then its connection is closed.
    return503OnClosing: false,
    rewriteUrl: routableUrl,
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: MAX_PARAMETER },
    ajv: { customOptions: { allErrors: true, coerceTypes: false, removeAdditional: false, useDefaults: false } },
  })
  app.decorate('life', { draining: false })
  app.decorateRequest('bearerToken', undefined)
  app.decorateReply('problemCode', undefined)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage, done: BodyRead) =>
    readBody(payload, request.headers, done),
  )
  return app
}
