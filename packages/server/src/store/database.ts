/** What a query gives back: plain rows. */
export type Row = Readonly<Record<string, unknown>>

/** Runs SQL with numbered parameters (`$1`). The same text runs on PostgreSQL and on PGlite. */
export interface Queries {
  query<R extends Row = Row>(sql: string, parameters?: readonly unknown[]): Promise<R[]>
}

export interface TransactionOptions {
  /** No time-outs: for migrations, which may wait for another process and take their time. */
  readonly patient?: boolean
}

/** A database with transactions. */
export interface Database extends Queries {
  readonly engine: 'postgres' | 'pglite'
  /**
   * Runs work in one transaction (READ COMMITTED): all of it happens, or nothing. What the work throws is thrown on, after a
   * rollback. A serialization failure or deadlock is tried again a few times.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Resolves when the database answers; rejects with a `Problem` of code `unavailable` when it does not. */
  check(): Promise<void>
  close(): Promise<void>
}
