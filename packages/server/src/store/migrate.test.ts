import { readFileSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { onBothEngines } from '../../test/engines.js'
import { migrate } from './migrate.js'
import { MIGRATIONS } from './migrations/migrations.js'

const clock = () => new Date('2030-01-01')
const next = {
  number: MIGRATIONS.length + 1,
  name: 'more',
  statements: ['create table more (n int)', 'create index more_n on more (n)'],
}

test('migrations are numbered without gaps', () => {
  expect(MIGRATIONS.map(({ number }) => number)).toEqual(MIGRATIONS.map((_, index) => index + 1))
})

onBothEngines((database) => {
  beforeEach(async () => {
    await database.current().query('drop table if exists more')
    await database.current().query('delete from migrations where number > $1::int', [MIGRATIONS.length])
  })

  test('docs/data-model.md lists every table of the migrated database, and no other', async () => {
    const page = readFileSync(new URL('../../../../docs/data-model.md', import.meta.url), 'utf8')
    const documented = page.split('## Locks')[0]!.matchAll(/^\| `(\w+)` \|/gm)
    const rows = await database
      .current()
      .query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public'`)
    expect([...documented].map(([, name]) => name).sort()).toEqual(rows.map(({ name }) => name).sort())
  })

  test('only new migrations are applied', async () => {
    expect(await migrate(database.current(), { clock })).toEqual([])
    expect(await migrate(database.current(), { clock, migrations: [...MIGRATIONS, next] })).toEqual([next.number])
    expect(await migrate(database.current(), { clock, migrations: [...MIGRATIONS, next] })).toEqual([])
  })

  test('a migration that fails is rolled back', async () => {
    const failing = { ...next, statements: [...next.statements, 'select 1 / 0'] }
    await expect(migrate(database.current(), { clock, migrations: [...MIGRATIONS, failing] })).rejects.toThrow(
      'division by zero',
    )
    expect(await migrate(database.current(), { clock, migrations: [...MIGRATIONS, next] })).toEqual([next.number])
  })

  test('a database of a newer version is rejected', async () => {
    await migrate(database.current(), { clock, migrations: [...MIGRATIONS, next] })
    await expect(migrate(database.current(), { clock })).rejects.toMatchObject({
      name: 'Failure',
      message: `the database was used by a newer version of omen-server: it has migration ${next.number} (more)`,
    })
  })

  test('a database with another history is rejected', async () => {
    await migrate(database.current(), { clock, migrations: [...MIGRATIONS, next] })
    const changed = { ...next, statements: ['create table other (n int)'] }
    await expect(migrate(database.current(), { clock, migrations: [...MIGRATIONS, changed] })).rejects.toThrow(
      `migration ${next.number} (more) of the database differs from the one of this version`,
    )
  })

  test.each([
    `insert into domains values ('Acme.com', gen_random_uuid(), now())`,
    `insert into organizations values (gen_random_uuid(), '', now())`,
    `insert into keys values ('signing', 'a', true, now()), ('signing', 'b', true, now())`,
    `insert into audit (at, actor, action, detail) values (now(), 'x', 'y', '[]')`,
    `insert into codes (id, organization_id, hash, expires_on, issued_at) values (gen_random_uuid(), gen_random_uuid(), 'K7QF2M-9XTR4B', now(), now())`,
  ])('the schema rejects invalid data: %s', async (sql) => {
    await expect(database.current().query(sql)).rejects.toMatchObject({ code: expect.stringMatching(/^23/) })
  })
})
