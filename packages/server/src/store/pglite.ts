import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Failure } from '../failure.js'
import type { Database, Queries, Row } from './database.js'
import { lockFolder } from './folder-lock.js'
import { databaseAway, explainQueryError } from './query-failure.js'
import { repeatOnConflict } from './repeat.js'

export interface PgliteOptions {
  /** The data directory: the database lives in its folder `database`. In memory without it, for tests. */
  readonly dataDir?: string
}

/**
 * The embedded PostgreSQL, for one process at a time: a second one is refused with a `Failure`, because two engines on the
 * same files would destroy them.
 *
 * @example
 * const database = await openPglite({ dataDir: '/var/lib/omen' })
 */
export async function openPglite({ dataDir }: PgliteOptions = {}): Promise<Database> {
  const unlock = dataDir === undefined ? async () => {} : await take(dataDir)
  try {
    const engine = await (dataDir === undefined ? PGlite.create() : PGlite.create(join(dataDir, 'database')))
    return databaseOn(engine, unlock)
  } catch (error) {
    await unlock()
    const reason = error instanceof Error ? error.message : String(error)
    throw new Failure('Database', `${dataDir}: the embedded database does not start: ${reason}`, { cause: error })
  }
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
  throw new Failure('Database', `${dataDir}: another process uses this database`, {
    hint: 'Stop it first, or run several processes on one PostgreSQL with DATABASE_URL.',
  })
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
