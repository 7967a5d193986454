import { createHash } from 'node:crypto'
import type { Clock } from '../clock.js'
import { Failure } from '../failure.js'
import type { Database, Queries } from './database.js'
import type { Migration } from './migrations/migration.js'
import { MIGRATIONS } from './migrations/migrations.js'

/** The letters `omen` in ASCII. */
const LOCK = 0x6f6d656e

export interface MigrateOptions {
  readonly clock: Clock
  readonly migrations?: readonly Migration[]
}

/**
 * Migrates the schema to the version of this build, each migration in its own transaction. Processes that start at the same time
 * wait for each other. Fails with a `Failure` if the database is newer or has a different history. Gives the numbers of the
 * applied migrations.
 *
 * @example
 * await migrate(database, { clock: () => new Date() }) // [1] the first time, then []
 */
export async function migrate(
  database: Database,
  { clock, migrations = MIGRATIONS }: MigrateOptions,
): Promise<number[]> {
  const applied: number[] = []
  await database.transaction(
    async (queries) => {
      await lock(queries)
      await queries.query(`create table if not exists migrations (
        number integer primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null
      )`)
      checkHistory(await recordedIn(queries), migrations)
    },
    { patient: true },
  )
  for (const migration of migrations) {
    const done = await database.transaction((queries) => apply(queries, migration, clock), { patient: true })
    if (done) applied.push(migration.number)
  }
  return applied
}

async function lock(queries: Queries): Promise<void> {
  await queries.query('select pg_advisory_xact_lock($1::bigint)', [LOCK])
}

async function apply(queries: Queries, migration: Migration, clock: Clock): Promise<boolean> {
  await lock(queries)
  const recorded = await recordedIn(queries)
  if (recorded.some(({ number }) => number === migration.number)) return false
  for (const statement of migration.statements) await queries.query(statement)
  await queries.query('insert into migrations (number, name, checksum, applied_at) values ($1, $2, $3, $4)', [
    migration.number,
    migration.name,
    checksumOf(migration),
    clock(),
  ])
  return true
}

interface Recorded {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

function recordedIn(queries: Queries): Promise<Recorded[]> {
  return queries.query<{ number: number; name: string; checksum: string }>(
    'select number, name, checksum from migrations order by number',
  )
}

function checkHistory(recorded: readonly Recorded[], migrations: readonly Migration[]): void {
  for (const { number, name, checksum } of recorded) {
    const known = migrations.find((migration) => migration.number === number)
    if (!known) {
      throw new Failure(
        'Database',
        `the database was used by a newer version of omen-server: it has migration ${number} (${name})`,
        {
          hint: 'Start that version or a newer one. To go back, restore a backup from before the upgrade.',
        },
      )
    }
    if (checksumOf(known) !== checksum) {
      throw new Failure(
        'Database',
        `migration ${number} (${name}) of the database differs from the one of this version`,
        {
          hint: 'Another build of omen-server made this database. Start that build, or use another database.',
        },
      )
    }
  }
}

function checksumOf({ statements }: Migration): string {
  return createHash('sha256').update(statements.join(';\n')).digest('hex')
}
