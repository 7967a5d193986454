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

/** One that the tests of a file have for themselves. */
export interface OwnPostgres extends TestPostgres, Pick<Cluster, 'stop' | 'start'> {}

/** Counts those who wait for a lock in the database in which it is asked. */
export const WAITING = `select count(*)::int as waiting from pg_locks
  where not granted and database = (select oid from pg_database where datname = current_database())`

const newName = () => `omen_${randomUUID().replaceAll('-', '')}`

/**
 * The PostgreSQL that all test files share. The databases that are made in it are a file's own, and are removed after its tests.
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
 * Starts a real PostgreSQL for the tests of a file, which may stop it, on a small disk if need be, and removes it after them.
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
