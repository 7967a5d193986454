import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import type { Database } from '../src/store/database.js'
import { openPostgres } from '../src/store/engines/postgres.js'
import { migrate } from '../src/store/migrate.js'
import { usePostgres } from './postgres.js'
import { openEmbedded } from './prepared/prepared.js'

/** The database under test. It is empty, with its schema, before each test. */
export interface TestDatabase {
  current(): Database
}

/** Triggers are disabled, because they reject deleting audit records. */
const EMPTY = `do $$
  declare name text;
  begin
    set local session_replication_role = replica;
    for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'migrations' loop
      execute format('delete from %I', name);
    end loop;
  end $$`

/**
 * Runs the same tests on PGlite and on a real PostgreSQL.
 *
 * @example
 * onBothEngines((database) => { test('…', async () => { await database.current().query('select 1') }) })
 */
export function onBothEngines(tests: (database: TestDatabase) => void): void {
  onPglite(tests)
  onPostgres(tests)
}

/** For concurrent transactions: the embedded engine runs them one after the other. */
export function onPostgres(tests: (database: TestDatabase) => void): void {
  describe('on PostgreSQL', () => {
    const postgres = usePostgres()
    tests(useDatabase(async () => openPostgres({ url: await postgres.createDatabase(), poolSize: 20 })))
  })
}

/** For tests that do not depend on the engine. */
export function onPglite(tests: (database: TestDatabase) => void): void {
  describe('on PGlite', () => tests(useDatabase(openShared)))
}

let shared: Promise<Database> | undefined

/** Starting the engine takes a second: all test files of a process use one, which ends with the process. */
async function openShared(): Promise<Database> {
  shared ??= openEmbedded()
  return { ...(await shared), close: async () => {} }
}

function useDatabase(open: () => Promise<Database>): TestDatabase {
  let database: Database | undefined
  beforeAll(async () => {
    database = await open()
    await migrate(database, { clock: () => new Date() })
  })
  beforeEach(async () => {
    await database?.query(EMPTY)
  })
  afterAll(() => database?.close())
  return { current: () => database! }
}
