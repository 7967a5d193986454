import { describe, expect, test } from 'vitest'
import { openOperations } from '../src/serve/open-foundation.js'
import { loadSettings } from '../src/settings/load-settings.js'
import { type ApiResponse, begin, complete, exchange, GOOD_CLIENT, open } from './api.js'
import { useIdentityProvider } from './identity-provider.js'
import { useOmen } from './omen-server.js'
import { useOwnPostgres } from './postgres.js'
import { inAMonth, makeScene } from './scene.js'

const idp = useIdentityProvider()
const omen = useOmen()
const postgres = useOwnPostgres()

const connection = (domain: string) => ({ well_known_url: idp.wellKnownUrl(), domain, org_name: 'Acme' })

async function onPostgres(dataDir: string) {
  const DATABASE_URL = await postgres.createDatabase()
  return { url: DATABASE_URL, ...makeScene(omen, dataDir, { env: { DATABASE_URL } }) }
}

/** Issues many codes: a command for each would be slow. */
async function issueMany(url: string, dataDir: string, count: number): Promise<string[]> {
  const { settings } = loadSettings({ flags: { dataDir }, env: { DATABASE_URL: url }, folder: omen.path('.') })
  const { operations, close } = await openOperations(settings, { clock: () => new Date(), env: {}, report: () => {} })
  const expires = inAMonth()
  const codes: string[] = []
  for (let n = 0; n < count; n++) codes.push((await operations.issueCode({ org: `Org ${n}`, expires })).code)
  await close()
  return codes
}

/** Collects responses, and waits for one with a status. */
function collectResponses() {
  const all: ApiResponse[] = []
  const listeners = new Set<(response: ApiResponse) => void>()
  return {
    all,
    add(response: ApiResponse) {
      all.push(response)
      for (const listener of listeners) listener(response)
    },
    next: (status: number) =>
      new Promise<void>((resolve) => {
        const listener = (response: ApiResponse) => {
          if (response.status !== status) return
          listeners.delete(listener)
          resolve()
        }
        listeners.add(listener)
      }),
  }
}

describe('PostgreSQL', () => {
  test.each(['fast', 'immediate'] as const)(
    'stopped (%s) and started under load of both POSTs: 503, then the service continues',
    async (how) => {
      const dataDir = `stopped-${how}`
      const { url, serve, command, actions } = await onPostgres(dataDir)
      const server = await serve()
      const [loadCode = '', ...codes] = await issueMany(url, dataDir, 41)
      const loadToken = String((await exchange(server.url, loadCode)).body.token)
      const waiting = await Promise.all(
        codes.map((code, index) => begin(server.url, code, connection(`org${index}.com`))),
      )
      const opens = collectResponses()
      const completions = collectResponses()
      let isOver = false
      // Each opens a new transaction and closes the one before.
      const openers = Array.from({ length: 2 }, async (_, worker) => {
        for (let round = 0; !isOver; round++) {
          opens.add(await open(server.url, loadToken, connection(`load${worker}-${round}.com`)))
        }
      })
      let stopped = () => {}
      const isStopped = new Promise<void>((resolve) => {
        stopped = resolve
      })
      // Each completes one transaction after the other and repeats what fails. There are enough of them that some fail, however
      // long the database takes to stop.
      const completers = Array.from({ length: 2 }, async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          if (waiting.length < codes.length / 4) await isStopped
          const response = await complete(server.url, next.token, next.id, GOOD_CLIENT)
          completions.add(response)
          if (response.status === 503) waiting.push(next)
        }
      })
      await Promise.all([opens.next(200), completions.next(200)])
      await postgres.stop(how)
      stopped()
      await Promise.all([opens.next(503), completions.next(503)])
      expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
      await postgres.start()
      await Promise.all([opens.next(200), ...completers])
      isOver = true
      await Promise.all(openers)

      expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
      expect(new Set(opens.all.map(({ status }) => status))).toEqual(new Set([200, 503]))
      // 410: it was completed, but the response was lost together with the database.
      for (const { status } of completions.all) expect([200, 410, 503]).toContain(status)
      for (const { headers, body } of [...opens.all, ...completions.all].filter(({ status }) => status === 503)) {
        expect(body.code).toBe('unavailable')
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      }
      const done = await actions()
      expect(done.filter((action) => action === 'connection.completed')).toHaveLength(codes.length)
      const organizations = await command<{ connected: boolean }[]>('org', 'list')
      expect(organizations.filter(({ connected }) => connected)).toHaveLength(codes.length)
      // Every confirmed completion is recorded; a response may have been lost.
      const confirmed = codes.length + opens.all.filter(({ status }) => status === 200).length
      expect(done.filter((action) => action === 'transaction.opened').length).toBeGreaterThanOrEqual(confirmed)
      await server.stop()
    },
  )

  test('with two servers: exactly one outcome on both', async () => {
    const { serve, issue, actions, command } = await onPostgres('two')
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
    const codes = completed.filter(({ status }) => status !== 200).map(({ body }) => String(body.code))
    expect(codes.every((code) => ['already_completed', 'code_used'].includes(code))).toBe(true)
    const done = await actions()
    for (const action of ['transaction.opened', 'connection.completed']) {
      expect(done.filter((other) => other === action)).toEqual([action])
    }

    expect(await command('keys', 'rotate')).toEqual({ keyId: expect.any(String), reencrypted: 1 })
    const { token: second, id } = await begin(urlOf(0), await issue('Other'), connection('other.com'))
    expect((await complete(urlOf(1), second, id, GOOD_CLIENT)).status).toBe(200)
    expect(await command('keys', 'rotate')).toMatchObject({ reencrypted: 2 })
    for (const server of servers) await server.stop()
  })

  test('a server with other keys does not start', async () => {
    const { url, serve } = await onPostgres('keys')
    const server = await serve()
    const { status, err } = await omen.run(['--port', '0', '--data-dir', 'other-keys'], { env: { DATABASE_URL: url } })
    expect(status).toBe(1)
    expect(err).toMatch(
      /^Start error: the encryption key of this process \(\w+\) differs from the key recorded in the database \(\w+\)$/m,
    )
    await server.stop()
  })

  test('a wrong password or name is reported at once', async () => {
    const env = { DATABASE_URL: (await postgres.createDatabase()).replace(/\/[^/]*$/, '/nothing') }
    const { status, err } = await omen.run(['--port', '0', '--data-dir', 'wrong'], { env })
    expect(status).toBe(1)
    expect(err).toMatch(/^Database error: database "nothing" does not exist: check DATABASE_URL$/m)
  })
})
