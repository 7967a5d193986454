import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ApiResponse, complete, exchange, GOOD_CLIENT, open } from './api.js'
import { useIdentityProvider } from './identity-provider.js'
import { type OmenServer, useOmen } from './omen-server.js'
import { useOwnPostgres } from './postgres.js'
import { copyPreparedDatabase, prepared } from './prepared/prepared.js'
import { type SmallDisk, useSmallDisk } from './small-disk.js'

const idp = useIdentityProvider()
const omen = useOmen()

const LIMITS = ['--limit-code-tries', '100000', '--limit-calls', '100000', '--log-level', 'error']
const connection = (domain: string) => ({ well_known_url: idp.wellKnownUrl(), domain, org_name: 'x'.repeat(200) })
const inAMonth = () => new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)

interface Scene {
  readonly disk: SmallDisk
  readonly args: () => readonly string[]
  readonly options: () => Promise<Parameters<typeof omen.run>[1]>
}

function onEmbedded(): Scene {
  const disk = useSmallDisk('80m')
  beforeAll(async () => {
    const copy = [
      'sh',
      '-c',
      'mkdir -m 700 "$2" && cp -r "$1" "$2"',
      'sh',
      await prepared('embedded'),
      disk.path('data'),
    ]
    const [program = '', ...args] = [...disk.through(), ...copy]
    await promisify(execFile)(program, args)
  })
  return { disk, args: () => ['--data-dir', disk.path('data')], options: async () => ({ through: disk.through() }) }
}

function onPostgres(): Scene {
  const disk = useSmallDisk('96m')
  const postgres = useOwnPostgres({ disk })
  let DATABASE_URL: string | undefined
  return {
    disk,
    args: () => ['--data-dir', join(disk.beside(), 'keys')],
    options: async () => {
      DATABASE_URL ??= await postgres.createDatabase()
      return { env: { DATABASE_URL } }
    },
  }
}

const isUnavailable = ({ status, headers, body }: ApiResponse) =>
  status === 503 && body.code === 'unavailable' && Number(headers.get('retry-after')) > 0

describe.each([
  ['the embedded database', onEmbedded],
  ['PostgreSQL', onPostgres],
])('a full disk under %s', (_, makeScene) => {
  const { disk, args, options } = makeScene()
  let server: OmenServer
  const run = async (...argv: string[]) => omen.run([...argv, ...args(), '--json'], await options())
  const json = async (...args: string[]) => JSON.parse((await run(...args)).out)

  /** Opens transactions, each of which closes the one before, until `isOver`. */
  async function openUntil(token: string, isOver: (response: ApiResponse) => boolean): Promise<number> {
    for (let opened = 0; opened < 5_000; opened++) {
      const response = await open(server.url, token, connection(`acme${opened}.com`))
      if (isOver(response)) return opened
      expect(response.status).toBe(200)
    }
    throw new Error('the disk did not become full')
  }

  test('is reported with 503, changes nothing partially, and the service continues when there is space', async () => {
    server = await omen.serve([...args(), '--allow-insecure-idp', ...LIMITS], await options())
    const { code } = await json('code', 'issue', '--org', 'Acme', '--expires', inAMonth())
    const token = String((await exchange(server.url, code)).body.token)
    await disk.fill()
    const opened = await openUntil(token, isUnavailable)
    expect(isUnavailable(await open(server.url, token, connection('full.com')))).toBe(true)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    // Reading continues.
    expect(await json('code', 'list')).toMatchObject([{ org: 'Acme', state: 'exchanged' }])
    // The command reports the reason, and a rotation that does not fit keeps the old key.
    const refused = await run('code', 'issue', '--org', 'x'.repeat(200), '--expires', inAMonth())
    if (refused.status !== 0) expect(refused.err).toMatch(/^Operator error: .*No space left on device/)
    expect([0, 1]).toContain((await run('keys', 'rotate-signing')).status)

    disk.empty()
    const { status, body } = await open(server.url, token, connection('full.com'))
    expect(status).toBe(200)
    expect((await complete(server.url, token, body.transaction_id, GOOD_CLIENT)).status).toBe(200)
    const records: { action: string }[] = await json('audit', '-n', '10000')
    const count = (action: string) => records.filter((record) => record.action === action).length
    expect(count('transaction.opened')).toBe(opened + 1)
    expect(count('transaction.superseded')).toBe(opened)
    expect(count('connection.completed')).toBe(1)
    expect((await exchange(server.url, code)).body.code).toBe('code_used')
    expect(await server.stop()).toMatchObject({ status: 0 })
  })
})

describe('a full disk under the log', () => {
  const disk = useSmallDisk('64k')

  test('does not stop the service, and the log continues when there is space', async () => {
    const log = disk.path('log')
    const through = [...disk.through(), 'sh', '-c', 'log=$1; shift; exec "$@" 2>> "$log"', 'sh', log]
    await copyPreparedDatabase(join(disk.beside(), 'data'))
    const server = await omen.serve(['--data-dir', join(disk.beside(), 'data')], { through })
    await disk.fill()
    // Each request logs a line: more than fit into the rest of the last page.
    const statuses = new Set<number>()
    for (let n = 0; n < 100; n++) statuses.add((await fetch(`${server.url}/nothing`)).status)
    expect(statuses).toEqual(new Set([404]))
    disk.empty()
    expect((await fetch(`${server.url}/nothing`, { headers: { 'x-request-id': 'space-again' } })).status).toBe(404)
    const kept = join(disk.beside(), 'kept')
    writeFileSync(kept, '')
    expect((await server.stop()).status).toBe(0)
    await omen.run(['version'], { through: [...disk.through(), 'sh', '-c', 'cat "$0" >> "$1"', log, kept] })
    expect(readFileSync(kept, 'utf8')).toContain('"requestId":"space-again"')
  })
})
