import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import { Failure } from '../../failure.js'
import { type Database, DatabaseInUse, type Queries, type Row } from '../database.js'
import { databaseUnavailable, explainQueryError, repeatOnConflict } from '../query-failure.js'
import { lockFolder } from './folder-lock.js'
import { makeDatabase } from './make-database.js'

export interface PgliteOptions {
  /** The data directory, which contains the folder `database`. Without it, the database is in memory, for tests. */
  readonly dataDir?: string
}

/**
 * Opens the embedded PostgreSQL, for one process at a time: a second one fails with `DatabaseInUse`, because two engines would
 * destroy the files.
 *
 * @example
 * const database = await openPglite({ dataDir: '/var/lib/omen' })
 */
export async function openPglite({ dataDir }: PgliteOptions = {}): Promise<Database> {
  const unlock = dataDir === undefined ? async () => {} : await take(dataDir)
  try {
    return databaseOn(await startEngine(dataDir), unlock)
  } catch (error) {
    await unlock()
    const reason = error instanceof Error ? error.message : String(error)
    throw new Failure('Database', `${dataDir}: the embedded database could not start: ${reason}`, { cause: error })
  }
}

/**
 * The defaults of PostgreSQL, 128 MB and 100, take 145 MiB at the start. There is only one connection, the data is small, and the
 * system caches the files as well.
 */
export const SETTINGS = ['shared_buffers=4MB', 'max_connections=10']

/** V8 would compile hot functions again to optimize them, which takes some 80 MiB and hardly makes queries faster. */
const COMPILE_ONCE = ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up']

async function startEngine(dataDir: string | undefined): Promise<PGlite> {
  for (const flag of COMPILE_ONCE) setFlagsFromString(flag)
  const startParams = [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ['-c', setting])]
  if (dataDir === undefined) return PGlite.create({ startParams })
  const folder = join(dataDir, 'database')
  await makeDatabase(folder, SETTINGS)
  return PGlite.create(folder, { startParams })
}

async function take(dataDir: string): Promise<() => Promise<void>> {
  let unlock: (() => Promise<void>) | undefined
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    unlock = await lockFolder(dataDir)
  } catch (error) {
    throw new Failure('Database', `${dataDir}: cannot be used for the database: ${(error as Error).message}`, {
      cause: error,
      hint: 'Choose a folder that this user can write to with --data-dir.',
    })
  }
  if (unlock) return unlock
  throw new DatabaseInUse(dataDir)
}

/** The method that the engine and its transactions share. */
interface Runs {
  query<R>(sql: string, parameters?: unknown[]): Promise<{ rows: R[] }>
}

function databaseOn(engine: PGlite, unlock: () => Promise<void>): Database {
  let closed: Promise<void> | undefined
  const { query } = queriesOn(engine)
  return {
    engine: 'pglite',
    query,
    transaction: (work) => repeatOnConflict(() => runTransaction(engine, work)),
    check: async () => {
      await query('select 1').catch((error: Error) => {
        throw 'status' in error ? error : databaseUnavailable(error.message)
      })
    },
    close: () => {
      closed ??= engine.close().finally(unlock)
      return closed
    },
  }
}

function queriesOn(runs: Runs): Queries {
  return {
    query: async <R extends Row>(sql: string, parameters: readonly unknown[] = []): Promise<R[]> => {
      try {
        return (await runs.query<R>(sql, [...parameters])).rows
      } catch (error) {
        throw explainQueryError(error)
      }
    },
  }
}

/** Errors of `begin` and `commit` are explained; errors of the work are thrown as they are. */
async function runTransaction<T>(engine: PGlite, work: (queries: Queries) => Promise<T>): Promise<T> {
  let thrown: { readonly error: unknown } | undefined
  try {
    return await engine.transaction(async (transaction) => {
      try {
        return await work(queriesOn(transaction))
      } catch (error) {
        thrown = { error }
        throw error
      }
    })
  } catch (error) {
    throw thrown ? thrown.error : explainQueryError(error)
  }
}
