import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { createAdministration } from '../administration/administration.js'
import { dropExpiredReplacements } from '../administration/replace-connection.js'
import { createTxtResolver } from '../administration/verify-domain.js'
import { readBundledRules } from '../catalogue/bundled-rules.js'
import { createCatalogue } from '../catalogue/create-catalogue.js'
import { createPreparer } from '../catalogue/prepare-in-thread.js'
import type { Clock } from '../clock.js'
import { createDevices } from '../devices/devices.js'
import { createDiscovery } from '../discovery/discover.js'
import { createGuardedFetch } from '../discovery/guarded-fetch.js'
import { Failure } from '../failure.js'
import { createApp } from '../http/app.js'
import { createMetrics, type Metrics } from '../http/observing/metrics.js'
import { shutDown } from '../http/server.js'
import { createOnboarding } from '../onboarding/onboarding.js'
import { endExpiredTests } from '../onboarding/start-test.js'
import { createAdminClient, NoServer } from '../operator/admin-socket/admin-client.js'
import { type AdminServer, openAdminSocket } from '../operator/admin-socket/admin-server.js'
import { createOperations } from '../operator/create-operations.js'
import type { Operations } from '../operator/operations.js'
import { dropSpentSigningKeys } from '../operator/rotate-signing-key.js'
import { createCompiler } from '../releases/compile-in-thread.js'
import { createReleases } from '../releases/create-releases.js'
import { endExpiredSessions } from '../sessions/end-session.js'
import { createSessions } from '../sessions/sessions.js'
import { type Environment, followPort } from '../settings/load-settings.js'
import type { Settings } from '../settings/settings.js'
import { createSignIn } from '../signin/create-sign-in.js'
import { type Database, DatabaseInUse } from '../store/database.js'
import type { PostgresDatabase } from '../store/engines/postgres.js'
import { findFreePort, listenFailure } from './listen.js'
import { type Foundation, openFoundation } from './open-foundation.js'
import { repeatWork } from './repeat-work.js'

export interface StartOptions {
  readonly clock: Clock
  readonly env: Environment
  readonly logger: Logger
  /** Prints a line for the operator. */
  readonly report: (line: string) => void
  readonly pause: (milliseconds: number) => Promise<void>
}

/** A server that accepts requests. */
export interface RunningServer {
  /** With the actual port. */
  readonly settings: Settings
  readonly operations: Operations
  /** Lets requests in flight finish, and stops. `cutOff` says whether some did not finish in time. */
  close(): Promise<{ readonly cutOff: boolean }>
}

/** How long requests in flight may take when the service stops. */
const STOP_MS = 10_000

/** How often idle connections are closed meanwhile. */
const CLOSE_IDLE_MS = 50

/** A command keeps the embedded database open for seconds; the first command creates the database. */
const TRIES = 150
const BETWEEN_TRIES_MS = 200

/** How many free ports are tried if other programs take them first. */
const PORT_TRIES = 5

/**
 * Starts the service: database, keys, onboarding, sign-in, HTTP, and, with the embedded database, the admin socket. Resolves when
 * it accepts requests; rejects with a `Failure` if it cannot start, after closing everything.
 *
 * @example
 * const server = await startServer(settings, { clock, env: process.env, logger, report, pause })
 * await server.close()
 */
export async function startServer(settings: Settings, options: StartOptions): Promise<RunningServer> {
  const foundation = await openWhenFree(settings, options)
  const opened: (() => Promise<unknown>)[] = [() => foundation.database.close()]
  try {
    const { app, settings: settled } = await listenSomewhere(settings, foundation, options)
    opened.unshift(() => shutDown(app, { deadlineMs: STOP_MS }))
    const { database, keys } = foundation
    const operations = createOperations({ database, keys, clock: options.clock, urls: settled })
    await dropSpentSigningKeys({ database, keys, clock: options.clock }).catch((err: unknown) => {
      options.logger.warn({ err }, 'could not remove unused signing keys')
    })
    const admin = await openAdmin(settled, operations, options.logger)
    const stopDeleting = deleteExpired(database, settled, options)
    const close = async () => {
      await stopDeleting()
      return closeAll(app, admin, database)
    }
    return { settings: settled, operations, close }
  } catch (error) {
    for (const close of opened) await close().catch(() => undefined)
    throw error
  }
}

/** The secrets of expired tests and sessions are deleted within this time. */
const DELETE_EXPIRED_MS = 60_000

function deleteExpired(database: Database, urls: Settings, { clock, logger }: StartOptions): () => Promise<void> {
  const onError = (err: unknown) =>
    logger.warn({ err }, 'could not delete expired tests and sessions: trying again soon')
  const work = async () => {
    await endExpiredTests({ database, clock, urls })
    await endExpiredSessions({ database, clock })
    await dropExpiredReplacements({ database, clock })
  }
  return repeatWork(work, { everyMs: DELETE_EXPIRED_MS, onError })
}

async function closeAll(
  app: FastifyInstance,
  admin: AdminServer | undefined,
  database: Database,
): Promise<{ readonly cutOff: boolean }> {
  // Otherwise a client that keeps its connection after the response would delay the stop until the deadline.
  const closeIdle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_MS)
  try {
    const [{ cutOff }] = await Promise.all([shutDown(app, { deadlineMs: STOP_MS }), admin?.close()])
    return { cutOff }
  } finally {
    clearInterval(closeIdle)
    await database.close()
  }
}

/** Waits for a command that has the embedded database open, but not for another server, which keeps it open. */
async function openWhenFree(settings: Settings, options: StartOptions): Promise<Foundation> {
  for (let tries = 1; ; tries++) {
    try {
      return await openFoundation(settings, { ...options, waitsForDatabase: true })
    } catch (error) {
      if (!(error instanceof DatabaseInUse)) throw error
      if (tries === TRIES || (await isServed(settings.dataDir))) throw alreadyServed(settings.dataDir)
      await options.pause(BETWEEN_TRIES_MS)
    }
  }
}

function isServed(dataDir: string): Promise<boolean> {
  return createAdminClient(dataDir)
    .about()
    .then(() => true)
    .catch((error: unknown) => !(error instanceof NoServer))
}

function alreadyServed(dataDir: string): Failure {
  return new Failure('Start', `${dataDir}: another omen-server uses this data directory`, {
    hint: 'Stop it first, choose another with --data-dir, or run several on one PostgreSQL with DATABASE_URL.',
  })
}

interface Listening {
  readonly app: FastifyInstance
  readonly settings: Settings
}

async function listenSomewhere(settings: Settings, foundation: Foundation, options: StartOptions): Promise<Listening> {
  if (settings.port !== 0) return listenOn(settings, foundation, options)
  for (let tries = 1; ; tries++) {
    const free = await findFreePort(settings.host)
    try {
      return await listenOn(followPort(settings, free), foundation, options)
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
      if (code !== 'EADDRINUSE' || tries === PORT_TRIES) throw error
    }
  }
}

async function listenOn(settings: Settings, foundation: Foundation, options: StartOptions): Promise<Listening> {
  const { database, keys } = foundation
  const { clock, logger } = options
  const guarded = createGuardedFetch({ allowInsecure: settings.allowInsecureIdp })
  const discovery = createDiscovery({ allowInsecure: settings.allowInsecureIdp, fetch: guarded })
  const signIn = createSignIn({ guarded, clock })
  const webFolder = findWebFolder()
  const deps = { database, keys, discovery, signIn, clock, urls: settings }
  const app = await createApp({
    onboarding: createOnboarding(deps),
    administration: createAdministration({ ...deps, resolveTxt: createTxtResolver() }),
    releases: createReleases({ database, clock, compile: createCompiler(), urls: settings }),
    sessions: createSessions({ database, keys, signIn, clock, urls: settings }),
    devices: createDevices({ database, clock, urls: settings }),
    catalogue: createCatalogue({ database, prepare: createPreparer(), readBundled: readBundledRules }),
    settings,
    database,
    clock,
    logger,
    metrics: metricsOf(database),
    ...(webFolder === undefined ? {} : { webFolder }),
  })
  const { host, port } = settings
  await app.listen({ host, port }).catch(async (error: unknown) => {
    await app.close()
    throw listenFailure(error, settings)
  })
  return { app, settings }
}

function metricsOf(database: Database): Metrics {
  const metrics = createMetrics({ process: true })
  if ('pool' in database) metrics.watchPool((database as PostgresDatabase).pool)
  return metrics
}

function openAdmin(settings: Settings, operations: Operations, logger: Logger): Promise<AdminServer> | undefined {
  if (settings.databaseUrl !== undefined) return undefined
  const { dataDir, onboardUrl } = settings
  const onError = (err: unknown) => logger.error({ err }, 'a request over the admin socket failed')
  return openAdminSocket({ dataDir, operations, about: { onboardUrl }, onError })
}

/** The built pages, beside the program or in a checkout. */
const WEB_FOLDERS = ['../web', '../../../web/dist']

/** The folder of the built pages, or undefined if they were not built. */
function findWebFolder(): string | undefined {
  const folders = WEB_FOLDERS.map((folder) => fileURLToPath(new URL(folder, import.meta.url)))
  return folders.find((folder) => existsSync(join(folder, 'index.html')))
}
