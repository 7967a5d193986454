import type { Clock } from '../clock.js'
import { type Keys, loadKeys } from '../keys/keys.js'
import { prepareDatabase } from '../onboarding/prepare-database.js'
import type { Environment } from '../settings/load-settings.js'
import type { Settings } from '../settings/settings.js'
import { shownDatabase } from '../settings/shown.js'
import type { Database } from '../store/database.js'
import { prepareDataFolder } from './data-folder.js'
import { waitForDatabase } from './wait-for-database.js'

/** What everything else stands on: a database of the right version, and the keys that belong to it. */
export interface Foundation {
  readonly database: Database
  readonly keys: Keys
}

export interface FoundationOptions {
  readonly clock: Clock
  readonly env: Environment
  /** Told in whole lines what a person should know. */
  readonly tell: (line: string) => void
  readonly pause: (milliseconds: number) => Promise<void>
  /** Whether a database that is away is waited for: a service is patient, a command is not. */
  readonly isPatient: boolean
}

/**
 * Opens the database, brings it to this version and loads the keys. Rejects with `DatabaseInUse` when another process has the
 * embedded database open, and with a `Failure` for what the operator must solve.
 *
 * @example
 * const { database, keys } = await openFoundation(settings, { clock, env, tell, pause, isPatient: true })
 */
export async function openFoundation(settings: Settings, options: FoundationOptions): Promise<Foundation> {
  const { clock, env, tell } = options
  if (needsDataFolder(settings, env)) {
    const { isNew, warning } = prepareDataFolder(settings.dataDir)
    if (isNew) tell(`Made the data directory ${settings.dataDir}`)
    if (warning !== undefined) tell(`Warning: ${warning}`)
  }
  const database = await openDatabase(settings)
  try {
    const { databaseUrl } = settings
    const keys = loadKeys({ dataDir: settings.dataDir, environment: env })
    const work = () => prepareDatabase({ database, keys, clock })
    await (options.isPatient && databaseUrl !== undefined
      ? waitForDatabase(work, { where: shownDatabase(databaseUrl), tell, pause: options.pause })
      : work())
    return { database, keys }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** With PostgreSQL and both keys in the environment nothing is ever written to disk. */
function needsDataFolder({ databaseUrl }: Settings, env: Environment): boolean {
  return databaseUrl === undefined || !env.OMEN_SIGNING_KEY || !env.OMEN_ENCRYPTION_KEY
}

/** Each driver is loaded only where it is used: the embedded database is large. */
async function openDatabase({ databaseUrl, dataDir }: Settings): Promise<Database> {
  if (databaseUrl !== undefined) {
    const { openPostgres } = await import('../store/postgres.js')
    return openPostgres({ url: databaseUrl })
  }
  const { openPglite } = await import('../store/pglite.js')
  return openPglite({ dataDir })
}
