import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { useOwnPostgres } from '../../../test/postgres.js'
import { outcomeOf, outcomesOf, times } from '../../../test/world.js'
import type { Database } from '../database.js'
import { migrate } from '../migrate.js'
import { MIGRATIONS } from '../migrations/migrations.js'
import { openPostgres, type PostgresDatabase } from './postgres.js'

const postgres = useOwnPostgres()
const opened: Database[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()))
})
const open = async (url?: string): Promise<PostgresDatabase> => {
  const database = openPostgres({ url: url ?? (await postgres.createDatabase()), poolSize: 5 })
  opened.push(database)
  return database
}

test('a transaction is committed as a whole or rolled back', async () => {
  const database = await open()
  await database.query('create table things (n int unique)')
  const failing = database.transaction(async ({ query }) => {
    await query('insert into things values (1)')
    throw new Error('of the work itself')
  })
  await expect(failing).rejects.toThrow('of the work itself')
  const refused = database.transaction(async ({ query }) => {
    await query('insert into things values (2)')
    await query('insert into things values (2)')
  })
  await expect(refused).rejects.toMatchObject({ name: 'QueryFailure', code: '23505', constraint: 'things_n_key' })
  expect(await database.query('select * from things')).toEqual([])
  expect(await database.transaction(({ query }) => query('insert into things values (3) returning n'))).toEqual([
    { n: 3 },
  ])
})

test('transactions that deadlock are repeated until both succeed', async () => {
  const database = await open()
  await database.query('create table things (id int primary key, n int not null)')
  await database.query('insert into things values (1, 0), (2, 0)')
  const both: (() => void)[] = []
  // The first time, each waits until the other has its first row, so that they block each other for certain.
  const meet = () =>
    new Promise<void>((resolve) => {
      both.push(resolve)
      if (both.length >= 2) for (const go of both) go()
    })
  const add = (first: number, second: number) =>
    database.transaction(async ({ query }) => {
      await query('update things set n = n + 1 where id = $1', [first])
      await meet()
      await query('update things set n = n + 1 where id = $1', [second])
    })
  await Promise.all([add(1, 2), add(2, 1)])
  expect(await database.query('select n from things')).toEqual([{ n: 2 }, { n: 2 }])
})

test('an error does not contain the values of a query', async () => {
  const database = await open()
  const failure = await database.query('select $1::int', ['a secret']).catch((error: Error) => error)
  expect(failure).toMatchObject({ name: 'QueryFailure', code: '22P02' })
  expect(JSON.stringify(failure)).not.toContain('secret')
})

test('queries fail with unavailable while the database is stopped, and succeed after it starts again', async () => {
  const database = await open()
  await database.query('create table things (n int)')
  let insideWork = () => {}
  const inside = new Promise<void>((resolve) => {
    insideWork = resolve
  })
  let goOn = () => {}
  const stopped = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const interrupted = outcomeOf(
    database.transaction(async ({ query }) => {
      await query('insert into things values (1)')
      insideWork()
      await stopped
      await query('insert into things values (2)')
    }),
  )
  await inside
  await postgres.stop()
  goOn()
  expect(await interrupted).toBe('unavailable')
  const queries = times(20, () => database.query('select 1'))
  expect(await outcomesOf([...queries, database.check(), database.transaction(async () => {})])).toEqual({
    unavailable: 22,
  })
  await postgres.start()
  await database.check()
  expect(await outcomesOf(times(20, () => database.query('select 1')))).toEqual({ ok: 20 })
  expect(await database.query('select n from things')).toEqual([])
})

test('committed data survives a crash of the database', async () => {
  const database = await open()
  await database.query('create table things (n int)')
  await database.transaction(({ query }) => query('insert into things values (1)'))
  await postgres.stop('immediate')
  expect(await outcomeOf(database.query('select 1'))).toBe('unavailable')
  await postgres.start()
  expect(await database.query('select n from things')).toEqual([{ n: 1 }])
})

test.each([
  'postgres://omen@127.0.0.1:1/omen',
  'postgres://omen@%2Fnowhere/omen',
  'postgres://omen:hunter2@no-such-host.invalid/omen',
])('a database that cannot be reached is unavailable, and the error does not contain its password', async (url) => {
  const database = await open(url)
  const problem = await database.check().catch((error: Error) => error)
  expect(problem).toMatchObject({ code: 'unavailable', retryAfter: 5 })
  expect(`${problem} ${(problem as Error).cause}`).not.toContain('hunter2')
})

test('a server that closes the connection during the handshake is unavailable', async () => {
  const server = createServer((socket) => socket.end('H'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const database = await open(`postgres://omen@127.0.0.1:${port}/omen`)
  expect(await outcomeOf(database.check())).toBe('unavailable')
  server.close()
})

test('a database that does not exist or is read-only is unavailable', async () => {
  const url = await postgres.createDatabase()
  expect(await outcomeOf((await open(url.replace(/[^/]+$/, 'nothing'))).check())).toBe('unavailable')
  const readOnly = await open(`${url}?options=-c%20default_transaction_read_only%3Don`)
  expect(await outcomeOf(readOnly.query('create table things (n int)'))).toBe('unavailable')
})

test('the pool counts its connections, and closes them', async () => {
  const database = await open()
  await Promise.all(times(20, () => database.query('select 1')))
  expect(database.pool()).toEqual({ total: 5, idle: 5, waiting: 0 })
  await database.close()
  await database.close()
  expect(await outcomeOf(database.query('select 1'))).toBe('unavailable')
})

test('processes that start concurrently migrate once', async () => {
  const url = await postgres.createDatabase()
  const databases = await Promise.all(times(8, () => open(url)))
  const applied = await Promise.all(databases.map((database) => migrate(database, { clock: () => new Date() })))
  expect(applied.flat().sort()).toEqual(MIGRATIONS.map(({ number }) => number))
})
