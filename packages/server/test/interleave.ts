import type { Database, Queries } from '../src/store/database.js'

/** Counts the sessions of this database that wait for a lock. */
const BLOCKED = `select count(*)::int as blocked from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

/**
 * A database that runs other work once, before the first statement that contains a string.
 *
 * @example
 * const devices = createDevices({ ...deps, database: interrupted(database, 'insert into tool_logins', () => release()) })
 */
export function interrupted(database: Database, sqlPart: string, work: () => Promise<unknown>): Database {
  let isDone = false
  const watched = ({ query }: Queries): Queries => ({
    query: async (sql, parameters) => {
      if (!isDone && sql.includes(sqlPart)) {
        isDone = true
        await work()
      }
      return query(sql, parameters)
    },
  })
  return {
    ...database,
    ...watched(database),
    transaction: (inside, options) => database.transaction((queries) => inside(watched(queries)), options),
  }
}

/** Resolves when other work has finished or waits for a lock. */
export async function untilItWaits(database: Queries, work: Promise<unknown>): Promise<void> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  work.then(over, over)
  for (;;) {
    const [row] = await database.query<{ blocked: number }>(BLOCKED)
    if (isOver || row!.blocked > 0) return
  }
}
