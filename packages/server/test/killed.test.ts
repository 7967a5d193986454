import { watch } from 'node:fs'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { type ApiResponse, complete, exchange, GOOD_CLIENT, open } from './api.js'
import { useIdentityProvider } from './identity-provider.js'
import { useOmen } from './omen-server.js'
import { usePostgres, WAITING } from './postgres.js'
import { makeScene } from './scene.js'

const idp = useIdentityProvider()
const omen = useOmen()
const postgres = usePostgres()

const connection = (domain: string) => ({ well_known_url: idp.wellKnownUrl(), domain, org_name: 'Acme' })
const ONCE_EACH = ['code.exchanged', 'transaction.opened', 'connection.completed']

/** Stops every change in the middle of its transaction: each ends with an audit record, and none can be written. */
async function holdChanges(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('begin; lock table audit in exclusive mode')
  return {
    isWaitedFor: async () => (await client.query(WAITING)).rows[0].waiting > 0,
    release: () => client.end(),
  }
}

describe('kill -9 in the middle of a request', () => {
  test('changes nothing partially: the request can be repeated', async () => {
    const url = await postgres.createDatabase()
    const { serve, issue, actions } = makeScene(omen, 'killed', { env: { DATABASE_URL: url } })
    const code = await issue()
    let server = await serve()

    /** Sends a request, kills the server when its transaction has started to write, and starts another. */
    const killDuring = async (call: () => Promise<ApiResponse>) => {
      const before = await actions()
      const hold = await holdChanges(url)
      const response = call().catch(() => 'lost')
      await server.until(hold.isWaitedFor)
      await server.kill()
      expect(await response).toBe('lost')
      await hold.release()
      server = await serve()
      expect(await actions()).toEqual(before)
    }
    await killDuring(() => exchange(server.url, code))
    const token = String((await exchange(server.url, code)).body.token)

    await killDuring(() => open(server.url, token, connection('acme.com')))
    const { body } = await open(server.url, token, connection('acme.com'))

    await killDuring(() => complete(server.url, token, body.transaction_id, GOOD_CLIENT))
    expect((await complete(server.url, token, body.transaction_id, GOOD_CLIENT)).status).toBe(200)
    expect((await actions()).filter((action) => ONCE_EACH.includes(action))).toEqual(ONCE_EACH)
    await server.stop()
  })

  test('of the embedded database, while it writes: each request has one outcome, and succeeds when it is repeated', async () => {
    const { serve, issue, actions } = makeScene(omen, 'embedded')
    let server = await serve()
    const code = await issue()

    /** Sends a request, kills the server at the first byte that the database writes to its log, and starts another. */
    const killDuring = async (action: string, call: () => Promise<ApiResponse>): Promise<number> => {
      const writing = watch(omen.path('embedded/database/pg_wal'))
      writing.once('change', () => server.process.kill('SIGKILL'))
      await call().catch(() => 'lost')
      await server.kill()
      writing.close()
      server = await serve()
      const times = (await actions()).filter((other) => other === action).length
      expect([0, 1]).toContain(times)
      return times
    }
    await killDuring('code.exchanged', () => exchange(server.url, code))
    const token = String((await exchange(server.url, code)).body.token)

    await killDuring('transaction.opened', () => open(server.url, token, connection('acme.com')))
    const { body } = await open(server.url, token, connection('acme.com'))

    const finish = () => complete(server.url, token, body.transaction_id, GOOD_CLIENT)
    const isDone = (await killDuring('connection.completed', finish)) === 1
    expect(await finish()).toMatchObject(isDone ? { status: 410, body: { code: 'code_used' } } : { status: 200 })
    expect((await actions()).filter((action) => ONCE_EACH.includes(action))).toEqual(ONCE_EACH)
    await server.stop()
  })

  test('of the embedded database, under load, loses no change that was confirmed', async () => {
    const { serve, issue, command } = makeScene(omen, 'storm')
    let server = await serve()
    const token = String((await exchange(server.url, await issue())).body.token)
    let confirmed = 0
    const { url } = server
    // Each opens a new transaction and closes the one before.
    const storm = Array.from({ length: 40 }, (_, index) =>
      open(url, token, connection(`acme${index}.com`)).then(
        ({ status }) => {
          if (status === 200) confirmed += 1
          if (confirmed === 5) server.process.kill('SIGKILL')
        },
        () => undefined,
      ),
    )
    await Promise.all(storm)
    await server.kill()
    server = await serve()
    const records = await command<unknown[]>('audit', '--action', 'transaction.opened')
    expect(confirmed).toBeGreaterThanOrEqual(5)
    expect(records.length).toBeGreaterThanOrEqual(confirmed)
    const { body } = await open(server.url, token, connection('acme.com'))
    expect((await complete(server.url, token, body.transaction_id, GOOD_CLIENT)).status).toBe(200)
    await server.stop()
  })
})
