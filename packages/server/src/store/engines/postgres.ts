import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Database, Queries, Row, TransactionOptions } from '../database.js'
import { databaseUnavailable, explainQueryError, repeatOnConflict } from '../query-failure.js'
import { ROW_TYPES } from '../values.js'

/** A healthy server accepts connections immediately; after this time a request should fail and be retried. */
const CONNECT_MS = 5_000
/** No query takes a second; one that takes ten is stuck. The server cancels it. */
const STATEMENT_MS = 10_000
/** The limit of the client, for a server that has disappeared. It is longer than that of the server. */
const ANSWER_MS = 15_000
/** A process that died in a transaction must not hold its locks for long. */
const IDLE_IN_TRANSACTION_MS = 30_000
const POOL_SIZE = 10

export interface PostgresOptions {
  readonly url: string
  /** The maximum number of connections, 10 by default. */
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
 * A PostgreSQL with a pool of connections. It connects at the first query. While the database is unavailable, queries reject with
 * a `Problem` of code `unavailable`.
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
  // A broken idle connection is replaced when needed; without a listener the error would end the process.
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
 * Every query finds its rows by keys, so one plan fits all values; by default PostgreSQL may plan again for each value, which takes
 * longer than the query. Versions without the setting ignore the error.
 */
async function planOnce(client: pg.ClientBase): Promise<void> {
  await client.query(statement('set plan_cache_mode = force_generic_plan', [], ANSWER_MS)).catch(() => {})
}

/** If `select 1` fails for any reason, the database cannot be used. */
function explainCheck(error: Error): Error {
  return 'status' in error ? error : databaseUnavailable(error.message)
}

/**
 * A query with values is prepared once on each connection, because planning the joins takes longer than running them. The queries
 * are few and constant, so the number of prepared statements is bounded. PgBouncer supports this since version 1.21.
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
  // If the connection breaks between two queries, the next query fails; the event itself is ignored.
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
