import type { Clock } from '../clock.js'
import { type Keys, loadKeys } from '../keys/keys.js'
import { prepareDatabase } from '../onboarding/prepare-database.js'
import { createOperations } from '../operator/create-operations.js'
import type { OpenedOperations } from '../operator/reach.js'
import { describeDatabase } from '../settings/describe-settings.js'
import type { Environment } from '../settings/load-settings.js'
import type { Settings } from '../settings/settings.js'
import type { Database } from '../store/database.js'
import { prepareDataFolder } from './data-folder.js'
import { waitForDatabase } from './wait-for-database.js'

/** A migrated database, and its keys. */
export interface Foundation {
  readonly database: Database
  readonly keys: Keys
}

export interface FoundationOptions {
  readonly clock: Clock
  readonly env: Environment
  /** Prints a line for the operator. */
  readonly report: (line: string) => void
  readonly pause: (milliseconds: number) => Promise<void>
  /** Whether to wait for a database that is not available: the service does, a command does not. */
  readonly waitsForDatabase: boolean
}

/**
 * Opens and migrates the database, and loads the keys. Rejects with `DatabaseInUse` if another process has the embedded database
 * open, and with a `Failure` that the operator can solve.
 *
 * @example
 * const { database, keys } = await openFoundation(settings, { clock, env, report, pause, waitsForDatabase: true })
 */
export async function openFoundation(settings: Settings, options: FoundationOptions): Promise<Foundation> {
  const { clock, env, report } = options
  if (needsDataFolder(settings, env)) {
    const { isNew, warning } = prepareDataFolder(settings.dataDir)
    if (isNew) report(`Created the data directory ${settings.dataDir}`)
    if (warning !== undefined) report(`Warning: ${warning}`)
  }
  const database = await openDatabase(settings)
  try {
    const { databaseUrl } = settings
    const keys = loadKeys({ dataDir: settings.dataDir, environment: env })
    const work = () => prepareDatabase({ database, keys, clock })
    await (options.waitsForDatabase && databaseUrl !== undefined
      ? waitForDatabase(work, { where: describeDatabase(databaseUrl), report, pause: options.pause })
      : work())
    return { database, keys }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** With PostgreSQL and both keys in the environment nothing is written to disk. */
function needsDataFolder({ databaseUrl }: Settings, env: Environment): boolean {
  return databaseUrl === undefined || !env.OMEN_SIGNING_KEY || !env.OMEN_ENCRYPTION_KEY
}

/** Only the driver in use is loaded: the embedded database is large. */
async function openDatabase({ databaseUrl, dataDir }: Settings): Promise<Database> {
  if (databaseUrl !== undefined) {
    const { openPostgres } = await import('../store/engines/postgres.js')
    return openPostgres({ url: databaseUrl })
  }
  const { openPglite } = await import('../store/engines/pglite.js')
  return openPglite({ dataDir })
}

export type OpenOptions = Pick<FoundationOptions, 'clock' | 'env' | 'report'>

/** Opens the database for a command of the operator, without waiting for it. */
export async function openOperations(settings: Settings, options: OpenOptions): Promise<OpenedOperations> {
  const pause = () => Promise.resolve()
  const { database, keys } = await openFoundation(settings, { ...options, pause, waitsForDatabase: false })
  return {
    operations: createOperations({ database, keys, clock: options.clock, urls: settings }),
    close: () => database.close(),
  }
}
