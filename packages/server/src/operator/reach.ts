import { Failure } from '../failure.js'
import type { Settings } from '../settings/settings.js'
import { DatabaseInUse } from '../store/database.js'
import { createAdminClient, NoServer } from './admin-socket/admin-client.js'
import type { About } from './admin-socket/calls.js'
import type { Operations } from './operations.js'

/** Operations on a database that this process has opened itself. */
export interface OpenedOperations {
  readonly operations: Operations
  close(): Promise<void>
}

type Work<T> = (operations: Operations, about: About) => Promise<T>

/** How a command reaches the operations, beside a running server or without one. */
export interface Reach {
  run<T>(work: Work<T>): Promise<T>
  /** Like `run`, for polling: it never keeps a server from starting; undefined while none runs. */
  look<T>(work: Work<T>): Promise<T | undefined>
  close(): Promise<void>
}

export interface ReachOptions {
  readonly settings: Settings
  /** Opens the database in this process. Rejects with `DatabaseInUse` when another one has the embedded database open. */
  readonly open: () => Promise<OpenedOperations>
  readonly pause: (milliseconds: number) => Promise<void>
}

/** How long a starting or ending server or command is waited for: at least two minutes, longer than either takes on a busy machine. */
const TRIES = 1200
const BETWEEN_TRIES_MS = 100

/**
 * Connects a command to the operations: PostgreSQL can be opened by any number of processes; the embedded database belongs to one process,
 * so a running server is reached through its admin socket, and without one the command opens the database itself.
 *
 * @example
 * const codes = await createReach({ settings, open, pause }).run((operations) => operations.listCodes())
 */
export function createReach({ settings, open, pause }: ReachOptions): Reach {
  return settings.databaseUrl === undefined ? embeddedReach(settings, open, pause) : databaseReach(settings, open)
}

function databaseReach({ onboardUrl }: Settings, open: ReachOptions['open']): Reach {
  let opened: OpenedOperations | undefined
  const run = async <T>(work: Work<T>): Promise<T> => {
    opened ??= await open()
    return work(opened.operations, { onboardUrl })
  }
  return {
    run,
    look: run,
    async close() {
      await opened?.close()
      opened = undefined
    },
  }
}

function embeddedReach(
  { dataDir, onboardUrl }: Settings,
  open: ReachOptions['open'],
  pause: ReachOptions['pause'],
): Reach {
  const client = createAdminClient(dataDir)
  const throughSocket = async <T>(work: Work<T>): Promise<T> => work(client.operations, await client.about())
  const alone = async <T>(work: Work<T>): Promise<T> => {
    const { operations, close } = await open()
    try {
      return await work(operations, { onboardUrl })
    } finally {
      await close()
    }
  }
  return {
    async run(work) {
      for (let tries = 1; ; tries++) {
        const outcome = await attempt(() => throughSocket(work), NoServer)
        if (outcome) return outcome.result
        const own = await attempt(() => alone(work), DatabaseInUse)
        if (own) return own.result
        if (tries === TRIES) throw notReached(dataDir)
        await pause(BETWEEN_TRIES_MS)
      }
    },
    async look(work) {
      return (await attempt(() => throughSocket(work), NoServer))?.result
    },
    async close() {},
  }
}

/** The result, or undefined when this way is not available. */
async function attempt<T>(
  work: () => Promise<T>,
  closed: typeof NoServer | typeof DatabaseInUse,
): Promise<{ readonly result: T } | undefined> {
  try {
    return { result: await work() }
  } catch (error) {
    if (error instanceof closed) return undefined
    throw error
  }
}

function notReached(dataDir: string): Failure {
  return new Failure(
    'Operator',
    `${dataDir}: the database is open in another process that does not respond at ${dataDir}/admin.sock: wait until it has started, or end it`,
  )
}
