import { Failure } from '../failure.js'

/** A row of a result. */
export type Row = Readonly<Record<string, unknown>>

/** Runs SQL with numbered parameters (`$1`). The same SQL runs on PostgreSQL and on PGlite. */
export interface Queries {
  query<R extends Row = Row>(sql: string, parameters?: readonly unknown[]): Promise<R[]>
}

export interface TransactionOptions {
  /** Without timeouts: for migrations, which may wait for another process and take long. */
  readonly patient?: boolean
}

/** A database with transactions. */
export interface Database extends Queries {
  readonly engine: 'postgres' | 'pglite'
  /**
   * Runs work in one transaction (READ COMMITTED). An error of the work is thrown after a rollback. Serialization failures and
   * deadlocks are repeated a few times.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Resolves if the database responds; rejects with a `Problem` of code `unavailable` otherwise. */
  check(): Promise<void>
  close(): Promise<void>
}

/**
 * The embedded database of a data directory is open in another process. The caller may send its request to that process or wait
 * for it, or report this failure.
 *
 * @example
 * if (error instanceof DatabaseInUse) await pause(200)
 */
export class DatabaseInUse extends Failure {
  constructor(dataDir: string) {
    super('Database', `${dataDir}: another process is using this database`, {
      hint: 'Stop that process first, or set DATABASE_URL to run several processes on one PostgreSQL.',
    })
  }
}
