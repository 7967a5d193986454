import type { Database, Queries } from '../src/store/database.js'

/** Counts those who wait for a lock in the database in which it is asked: for a row, one waits for whoever has changed it. */
const BLOCKED = `select count(*)::int as blocked from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

/**
 * A database with which something else happens in the middle of a call: once, before the first statement that has these words.
 *
 * @example
 * const devices = createDevices({ ...parts, database: interrupted(database, 'insert into tool_logins', () => release()) })
 */
export function interrupted(database: Database, words: string, work: () => Promise<unknown>): Database {
  let isDone = false
  const watched = ({ query }: Queries): Queries => ({
    query: async (sql, parameters) => {
      if (!isDone && sql.includes(words)) {
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

/** Resolves when other work has come as far as it can: it is over, or it waits for a lock. */
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
