import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Database, Queries, Row, TransactionOptions } from './database.js'
import { databaseAway, explainQueryError } from './query-failure.js'
import { repeatOnConflict } from './repeat.js'
import { ROW_TYPES } from './timestamp.js'

/** A healthy server answers at once; a request that waits longer than this is better told to come back. */
const CONNECT_MS = 5_000
/** No query of ours takes a second: one that takes ten is stuck. The server ends it, and says so. */
const STATEMENT_MS = 10_000
/** The client's own limit, for a server that vanished without a word. Above the server's, which knows better. */
const ANSWER_MS = 15_000
/** A process that died in the middle must not hold its locks for long. */
const IDLE_IN_TRANSACTION_MS = 30_000
const POOL_SIZE = 10

export interface PostgresOptions {
  readonly url: string
  /** Connections at most, 10 by default. */
  readonly poolSize?: number
}

export interface PoolCounts {
  readonly total: number
  readonly idle: number
  readonly waiting: number
}

export interface PostgresDatabase extends Database {
  /** The connections of the pool, for metrics. */
  pool(): PoolCounts
}

/**
 * A PostgreSQL behind a pool of connections. Nothing is connected before the first query; a database that is away makes
 * queries reject with a `Problem` of code `unavailable`, and once it is back they succeed again.
 *
 * @example
 * const database = openPostgres({ url: 'postgres://omen@db.internal/omen' })
 * await database.check()
 */
export function openPostgres({ url, poolSize = POOL_SIZE }: PostgresOptions): PostgresDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    lock_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    application_name: 'omen-server',
    onConnect: planOnce,
    types: ROW_TYPES,
  })
  // An idle connection that breaks is replaced when it is needed; without a listener it would end the process.
  pool.on('error', () => {})
  let closed: Promise<void> | undefined

  const query = async <R extends Row>(sql: string, parameters: readonly unknown[] = []): Promise<R[]> => {
    try {
      return (await pool.query(statement(sql, parameters, ANSWER_MS))).rows
    } catch (error) {
      throw explainQueryError(error)
    }
  }
  return {
    engine: 'postgres',
    query,
    transaction: (work, options = {}) => repeatOnConflict(() => runTransaction(pool, work, options)),
    check: async () => {
      await query('select 1').catch((error: Error) => {
        throw explainCheck(error)
      })
    },
    close: () => {
      closed ??= pool.end()
      return closed
    },
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  }
}

/**
 * Every query finds its rows by keys, so a plan is as good for one value as for another; PostgreSQL would make a new one for each
 * that looks cheaper than the plan it has, which takes longer than running it. Versions that do not know the setting do without.
 */
async function planOnce(client: pg.ClientBase): Promise<void> {
  await client.query(statement('set plan_cache_mode = force_generic_plan', [], ANSWER_MS)).catch(() => {})
}

/** Whatever makes `select 1` fail, the database cannot be used. */
function explainCheck(error: Error): Error {
  return 'status' in error ? error : databaseAway(error.message)
}

/**
 * A query with values is prepared once on each connection: planning the joins costs more than running them. The texts are
 * few and constant, so what is prepared is bounded. (PgBouncer understands this from version 1.21 on.)
 */
function statement(text: string, values: readonly unknown[], timeout: number | undefined): pg.QueryConfig {
  const name = values.length > 0 ? { name: nameOf(text) } : {}
  return { text, values: [...values], ...name, ...(timeout !== undefined && { query_timeout: timeout }) }
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `omen_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
  names.set(text, name)
  return name
}

async function runTransaction<T>(
  pool: pg.Pool,
  work: (queries: Queries) => Promise<T>,
  { patient = false }: TransactionOptions,
): Promise<T> {
  const client = await pool.connect().catch((error) => {
    throw explainQueryError(error)
  })
  // A connection that breaks between two queries tells its listeners; the next query fails, which is all that is needed.
  const ignore = () => {}
  client.on('error', ignore)
  let broken = false
  const query = async <R extends Row>(sql: string, parameters: readonly unknown[] = []): Promise<R[]> => {
    try {
      return (await client.query(statement(sql, parameters, patient ? undefined : ANSWER_MS))).rows
    } catch (error) {
      const explained = explainQueryError(error)
      broken ||= 'status' in explained
      throw explained
    }
  }
  try {
    await query('begin isolation level read committed')
    if (patient) {
      await query('set local statement_timeout = 0')
      await query('set local lock_timeout = 0')
    }
    const result = await work({ query })
    await query('commit')
    return result
  } catch (error) {
    if (!broken) await query('rollback').catch(() => {})
    throw error
  } finally {
    client.off('error', ignore)
    client.release(broken)
  }
}
