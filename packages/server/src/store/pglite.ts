import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import { Failure } from '../failure.js'
import type { Database, Queries, Row } from './database.js'
import { DatabaseInUse } from './database-in-use.js'
import { lockFolder } from './folder-lock.js'
import { makeDatabase } from './make-database.js'
import { databaseAway, explainQueryError } from './query-failure.js'
import { repeatOnConflict } from './repeat.js'

export interface PgliteOptions {
  /** The data directory: the database lives in its folder `database`. In memory without it, for tests. */
  readonly dataDir?: string
}

/**
 * The embedded PostgreSQL, for one process at a time: a second one is refused with `DatabaseInUse`, because two engines on the
 * same files would destroy them.
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
    throw new Failure('Database', `${dataDir}: the embedded database does not start: ${reason}`, { cause: error })
  }
}

/**
 * PostgreSQL's own defaults are 128 MB and 100, for which the engine takes 145 MiB at its start. There is one connection, and what
 * an onboarding reads and writes fits in this many times over; the system caches the files as well.
 */
const SETTINGS = ['shared_buffers=4MB', 'max_connections=10']

/**
 * V8 would compile the hot parts of the engine a second time to optimize them, which takes some 80 MiB that it does not give back;
 * a query is hardly faster for it.
 */
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
      hint: 'Name a folder that this user may write to with --data-dir.',
    })
  }
  if (unlock) return unlock
  throw new DatabaseInUse(dataDir)
}

/** What both the engine and its transactions offer. */
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
        throw 'status' in error ? error : databaseAway(error.message)
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

/** The engine's own errors, of `begin` and `commit`, are told apart from what the work throws. */
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
