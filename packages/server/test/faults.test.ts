import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { type Answer, begin, complete, exchange, GOOD_CLIENT, open } from './api.js'
import { useIdentityProvider } from './identity-provider.js'
import { type OmenServer, type RunOptions, useOmen } from './omen-server.js'
import { usePostgres } from './postgres.js'

const idp = useIdentityProvider()
const omen = useOmen()
const postgres = usePostgres()

const DAY_MS = 86_400_000
const FLAGS = [
  '--allow-insecure-idp',
  '--limit-code-tries',
  '100000',
  '--limit-calls',
  '100000',
  '--log-level',
  'error',
]
const connection = (domain: string) => ({ well_known_url: idp.wellKnownUrl(), domain, org_name: 'Acme' })

/** A database of its own for a test, with servers and commands on it. */
async function setUp(dataDir: string) {
  const DATABASE_URL = await postgres.createDatabase()
  const folder = ['--data-dir', dataDir]
  const servers: OmenServer[] = []
  const serve = async (more: RunOptions = {}) => {
    const server = await omen.serve([...folder, ...FLAGS], { ...more, env: { DATABASE_URL } })
    servers.push(server)
    return server
  }
  const command = async (...words: string[]) => {
    const { status, out, err } = await omen.run([...words, ...folder, '--json'], { env: { DATABASE_URL } })
    if (status !== 0) throw new Error(err)
    return JSON.parse(out)
  }
  const issue = async (org = 'Acme'): Promise<string> => {
    const expires = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10)
    return (await command('code', 'issue', '--org', org, '--expires', expires)).code
  }
  const actions = async (): Promise<string[]> => {
    const records: { action: string }[] = await command('audit', '-n', '10000')
    return records.map(({ action }) => action)
  }
  stopAll = async () => {
    for (const server of servers) await server.kill()
  }
  return { url: DATABASE_URL, serve, command, issue, actions }
}

let stopAll: () => Promise<void> = async () => undefined
afterEach(() => stopAll())

/** Keeps every change in the middle of its transaction: each ends with an audit record, and none can be written. */
async function holdChanges(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('begin; lock table audit in exclusive mode')
  return {
    async untilOneWaits() {
      for (;;) {
        const { rows } = await client.query('select count(*)::int as waiting from pg_locks where not granted')
        if (rows[0].waiting > 0) return
      }
    },
    release: () => client.end(),
  }
}

describe('kill -9 in the middle of a call', () => {
  test('leaves nothing half-done: the call can be made again', async () => {
    const { url, serve, issue, actions } = await setUp('killed')
    const code = await issue()
    let server = await serve()

    /** Makes a call, kills the server when its transaction has begun to write, and starts another. */
    const killDuring = async (call: () => Promise<Answer>) => {
      const before = await actions()
      const hold = await holdChanges(url)
      const answer = call().catch(() => 'lost')
      await hold.untilOneWaits()
      await server.kill()
      expect(await answer).toBe('lost')
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
    const done = await actions()
    for (const action of ['code.exchanged', 'transaction.opened', 'connection.completed']) {
      expect(done.filter((other) => other === action)).toEqual([action])
    }
  })

  test('of the embedded database, in a storm of calls, loses no answer that was given', async () => {
    const args = ['--data-dir', 'storm']
    const serve = () => omen.serve([...args, ...FLAGS])
    const json = async (...words: string[]) => JSON.parse((await omen.run([...words, ...args, '--json'])).out)
    let server = await serve()
    const expires = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10)
    const { code } = await json('code', 'issue', '--org', 'Acme', '--expires', expires)
    const token = String((await exchange(server.url, code)).body.token)
    let answered = 0
    const { url } = server
    // Each opens a transaction of its own and closes the one before.
    const storm = Array.from({ length: 40 }, (_, index) =>
      open(url, token, connection(`acme${index}.com`)).then(
        ({ status }) => {
          if (status === 200) answered += 1
          if (answered === 5) server.process.kill('SIGKILL')
        },
        () => undefined,
      ),
    )
    await Promise.all(storm)
    await server.kill()
    server = await serve()
    const records: { action: string }[] = await json('audit', '--action', 'transaction.opened')
    expect(answered).toBeGreaterThanOrEqual(5)
    expect(records.length).toBeGreaterThanOrEqual(answered)
    const { body } = await open(server.url, token, connection('acme.com'))
    expect((await complete(server.url, token, body.transaction_id, GOOD_CLIENT)).status).toBe(200)
    await server.stop()
  })
})

describe('PostgreSQL', () => {
  test.each(['fast', 'immediate'] as const)(
    'stopped (%s) and started under load: 503, then it goes on',
    async (how) => {
      const { serve, issue, actions } = await setUp(`stopped-${how}`)
      const code = await issue()
      const server = await serve()
      const { token, id } = await begin(server.url, code, connection('acme.com'))
      const loadToken = String((await exchange(server.url, await issue('Load'))).body.token)
      const answers: Answer[] = []
      let isOver = false
      // Each opens a transaction of its own and closes the one before.
      const load = Array.from({ length: 4 }, async (_, worker) => {
        for (let round = 0; !isOver; round++) {
          answers.push(await open(server.url, loadToken, connection(`load${worker}-${round}.com`)))
        }
      })
      const until = async (wanted: (answer: Answer) => boolean) => {
        const from = answers.length
        while (!answers.slice(from).some(wanted)) await fetch(`${server.url}/healthz`)
      }
      await until(({ status }) => status === 200)
      await postgres.stop(how)
      await until(({ status }) => status === 503)
      const away = await complete(server.url, token, id, GOOD_CLIENT)
      expect(away).toMatchObject({ status: 503, body: { code: 'unavailable' } })
      expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
      await postgres.start()
      await until(({ status }) => status === 200)
      isOver = true
      await Promise.all(load)
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]))
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
      expect((await complete(server.url, token, id, GOOD_CLIENT)).status).toBe(200)
      const opened = (await actions()).filter((action) => action === 'transaction.opened')
      // What was answered is recorded; an answer may have been lost on its way.
      expect(opened.length).toBeGreaterThan(answers.filter(({ status }) => status === 200).length)
    },
  )

  test('with two servers: exactly one outcome, whichever is asked', async () => {
    const { serve, issue, actions, command } = await setUp('two')
    const code = await issue()
    const servers = await Promise.all([serve(), serve()])
    const urlOf = (index: number) => servers[index % 2]!.url
    const twenty = <T>(call: (url: string) => Promise<T>) =>
      Promise.all(Array.from({ length: 20 }, (_, index) => call(urlOf(index))))

    const tokens = await twenty((url) => exchange(url, code))
    expect(new Set(tokens.map(({ status }) => status))).toEqual(new Set([200]))
    const token = String(tokens[0]!.body.token)
    const opened = await twenty((url) => open(url, token, connection('acme.com')))
    expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(opened.map(({ body }) => body.transaction_id)).size).toBe(1)
    const completed = await twenty((url) => complete(url, token, opened[0]!.body.transaction_id, GOOD_CLIENT))
    expect(completed.filter(({ status }) => status === 200)).toHaveLength(1)
    const refusals = completed.filter(({ status }) => status !== 200).map(({ body }) => String(body.code))
    expect(refusals.every((refusal) => ['already_completed', 'code_used'].includes(refusal))).toBe(true)
    const done = await actions()
    for (const action of ['transaction.opened', 'connection.completed']) {
      expect(done.filter((other) => other === action)).toEqual([action])
    }

    const rotated = await command('keys', 'rotate')
    expect(rotated).toEqual({ keyId: expect.any(String), reencrypted: 1 })
    const other = await issue('Other')
    const { token: second, id } = await begin(urlOf(0), other, connection('other.com'))
    expect((await complete(urlOf(1), second, id, GOOD_CLIENT)).status).toBe(200)
    expect((await command('keys', 'rotate')).reencrypted).toBe(2)
  })

  test('a server with other keys is refused', async () => {
    const { url, serve } = await setUp('keys')
    await serve()
    const { status, err } = await omen.run(['--port', '0', '--data-dir', 'other-keys'], { env: { DATABASE_URL: url } })
    expect(status).toBe(1)
    expect(err).toMatch(
      /^Start error: the encryption key of this process \(\w+\) is not the one of the database \(\w+\)$/m,
    )
  })

  test('a wrong password or name is told at once', async () => {
    const { url } = await setUp('wrong')
    const env = { DATABASE_URL: url.replace(/\/[^/]*$/, '/nothing') }
    const { status, err } = await omen.run(['--port', '0', '--data-dir', 'wrong'], { env })
    expect(status).toBe(1)
    expect(err).toMatch(/^Database error: database "nothing" does not exist: check DATABASE_URL$/m)
  })
})

test('a clock that is set back by a day stops nobody', async () => {
  const { serve, issue } = await setUp('clock')
  const code = await issue()
  let server = await serve()
  const token = String((await exchange(server.url, code)).body.token)
  await server.stop()
  server = await serve({ clockAheadMs: -DAY_MS })
  expect((await exchange(server.url, code)).status).toBe(200)
  const opened = await open(server.url, token, connection('acme.com'))
  expect(opened.status).toBe(200)
  expect((await complete(server.url, token, opened.body.transaction_id, GOOD_CLIENT)).status).toBe(200)
})
