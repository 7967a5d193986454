import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { type Cluster, createDatabase, dropDatabase, makeCluster } from './prepared/cluster.js'
import { prepared } from './prepared/prepared.js'
import type { SmallDisk } from './small-disk.js'

/** A real PostgreSQL. */
export interface TestPostgres {
  /** The URL of a new, empty database. */
  createDatabase(): Promise<string>
}

/** A PostgreSQL for the tests of one file. */
export interface OwnPostgres extends TestPostgres, Pick<Cluster, 'stop' | 'start'> {}

/** Counts the sessions of this database that wait for a lock. */
export const WAITING = `select count(*)::int as waiting from pg_locks
  where not granted and database = (select oid from pg_database where datname = current_database())`

const newName = () => `omen_${randomUUID().replaceAll('-', '')}`

/**
 * The PostgreSQL that all test files share. Each file has its own databases, which are removed after its tests.
 *
 * @example
 * const postgres = usePostgres()
 * test('…', async () => { const database = openPostgres({ url: await postgres.createDatabase() }) })
 */
export function usePostgres(): TestPostgres {
  const names: string[] = []
  afterAll(async () => {
    const folder = names.length > 0 ? await prepared('postgres') : ''
    for (const name of names.splice(0)) await dropDatabase(folder, name)
  })
  return {
    createDatabase: async () => {
      const name = newName()
      const url = await createDatabase(await prepared('postgres'), name)
      names.push(name)
      return url
    },
  }
}

/**
 * Starts a PostgreSQL for the tests of one file, which may stop it, optionally on a small disk, and removes it after them.
 *
 * @example
 * const postgres = useOwnPostgres()
 * test('…', async () => { await postgres.stop('immediate') })
 */
export function useOwnPostgres(options: { readonly disk?: SmallDisk } = {}): OwnPostgres {
  let cluster: Cluster | undefined
  beforeAll(async () => {
    cluster = await makeCluster(options)
  })
  afterAll(() => cluster?.remove())
  return {
    createDatabase: () => createDatabase(cluster!.folder, newName()),
    start: () => cluster!.start(),
    stop: (how) => cluster!.stop(how),
  }
}
