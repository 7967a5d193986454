import { createHash } from 'node:crypto'
import type { Clock } from '../clock.js'
import { Failure } from '../failure.js'
import type { Database, Queries } from './database.js'
import type { Migration } from './migrations/migration.js'
import { MIGRATIONS } from './migrations/migrations.js'

/** Any number does, as long as nobody else locks it: these are the letters `omen`. */
const LOCK = 0x6f6d656e

export interface MigrateOptions {
  readonly clock: Clock
  readonly migrations?: readonly Migration[]
}

/**
 * Brings the database's schema to what this version needs, each migration in a transaction of its own. Processes that start
 * at once wait for each other. A database of a newer version, or one whose history differs, is refused with a `Failure`.
 * Gives the numbers that were applied.
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
        `the database is from a newer version of omen-server: it has migration ${number} (${name})`,
        {
          hint: 'Start that version or a newer one. To go back, restore the backup that was made before the upgrade.',
        },
      )
    }
    if (checksumOf(known) !== checksum) {
      throw new Failure('Database', `migration ${number} (${name}) of the database is not the one of this version`, {
        hint: 'The database belongs to another build of omen-server: start that one, or use another database.',
      })
    }
  }
}

function checksumOf({ statements }: Migration): string {
  return createHash('sha256').update(statements.join(';\n')).digest('hex')
}
