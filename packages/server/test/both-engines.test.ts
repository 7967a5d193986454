import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { begin, complete, exchange, GOOD_CLIENT, open } from './api.js'
import { RSA_KEY } from './discovery/stage.js'
import { useIdentityProvider } from './identity-provider.js'
import { type OmenServer, type RunOptions, setClockFile, useOmen } from './omen-server.js'
import { usePostgres } from './postgres.js'
import { makeScene } from './scene.js'

const DAY_MS = 86_400_000
const idp = useIdentityProvider()
const omen = useOmen()
const postgres = usePostgres()

const ENGINES: readonly [string, () => Promise<RunOptions>][] = [
  ['the embedded database', async () => ({})],
  ['PostgreSQL', async () => ({ env: { DATABASE_URL: await postgres.createDatabase() } })],
]

/** An identity provider whose token endpoint responds as the test sets it. */
function useBrokenProvider() {
  let server: Server | undefined
  let issuer = ''
  let respond: (response: ServerResponse) => void = () => undefined
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/token') respond(response)
      else response.end(JSON.stringify(request.url === '/jwks' ? { keys: [RSA_KEY] } : configuration(issuer)))
    })
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server?.closeAllConnections()
    server?.close()
  })
  return {
    wellKnownUrl: () => `${issuer}/.well-known/openid-configuration`,
    tokenEndpoint: (given: (response: ServerResponse) => void) => {
      respond = given
    },
  }
}

function configuration(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
}

const broken = useBrokenProvider()

describe.each(ENGINES)('on %s', (engine, makeOptions) => {
  const dataDir = engine.replaceAll(' ', '-')
  const clock = `${dataDir}-clock`
  let scene: ReturnType<typeof makeScene>
  let server: OmenServer
  beforeAll(async () => {
    setClockFile(omen.path(clock), 0)
    scene = makeScene(omen, dataDir, await makeOptions())
    server = await scene.serve({ clockFile: omen.path(clock) })
  })
  afterAll(() => server.stop())
  const connection = (domain: string, well_known_url = idp.wellKnownUrl()) => ({
    well_known_url,
    domain,
    org_name: 'Acme',
  })

  test('a failure of the identity provider at step 4 is reported, changes nothing, and can be retried', async () => {
    const code = await scene.issue('Broken')
    const { token, id } = await begin(server.url, code, connection('broken.com', broken.wellKnownUrl()))
    const ways: readonly ((response: ServerResponse) => void)[] = [
      (response) => response.writeHead(500).end('{"error":"server_error"}'),
      (response) => response.writeHead(400).end('<html>'),
      (response) => response.writeHead(200).end('{}'),
      (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      (response) => response.destroy(),
      // Never responds.
      () => undefined,
    ]
    const before = await scene.actions()
    for (const way of ways) {
      broken.tokenEndpoint(way)
      expect(await complete(server.url, token, id, GOOD_CLIENT)).toMatchObject({
        status: 502,
        body: { code: 'idp_unavailable', status: 502 },
      })
    }
    expect(await scene.actions()).toEqual(before)
    expect(await scene.command('org', 'show', 'Broken')).toMatchObject({ connected: false, domains: [] })
    broken.tokenEndpoint((response) => response.writeHead(400).end('{"error":"invalid_grant"}'))
    expect((await complete(server.url, token, id, GOOD_CLIENT)).status).toBe(200)
  })

  test('of two completions that have both contacted the identity provider, one succeeds and the other is rejected', async () => {
    const { token, id } = await begin(server.url, await scene.issue('Race'), connection('race.com'))
    let waiting = 0
    let release = () => {}
    const both = new Promise<void>((resolve) => {
      release = resolve
    })
    idp.before(async (path) => {
      if (!path.startsWith('/token')) return
      waiting += 1
      if (waiting === 2) release()
      await both
    })
    const responses = await Promise.all([1, 2].map(() => complete(server.url, token, id, GOOD_CLIENT)))
    idp.before(undefined)
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(responses.find(({ status }) => status === 409)?.body.code).toBe('already_completed')
    expect(await scene.command('audit', '--org', 'Race', '--action', 'connection.completed')).toHaveLength(1)
  })

  test('a new signing key is used without a restart; tokens of the old key stay valid until they are revoked on request', async () => {
    const code = await scene.issue('Signed')
    const keyOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid
    const token = async () => String((await exchange(server.url, code)).body.token)
    const first = await token()
    const { keyId } = await scene.command<{ keyId: string }>('keys', 'rotate-signing')
    const second = await token()
    expect([keyOf(first) === keyId, keyOf(second) === keyId]).toEqual([false, true])
    for (const good of [first, second])
      expect((await open(server.url, good, connection('signed.com'))).status).toBe(200)
    await scene.command('keys', 'rotate-signing', '--end-tokens')
    for (const ended of [first, second]) {
      expect((await open(server.url, ended, connection('signed.com'))).body.code).toBe('invalid_token')
    }
    expect((await open(server.url, await token(), connection('signed.com'))).status).toBe(200)
  })

  test('a clock that is set back by a day while the service runs rejects no request', async () => {
    const code = await scene.issue('Clock')
    const { token, id } = await begin(server.url, code, connection('clock.com'))
    setClockFile(omen.path(clock), -DAY_MS)
    expect((await exchange(server.url, code)).status).toBe(200)
    const again = await open(server.url, token, connection('clock.com'))
    expect(again).toMatchObject({ status: 200, body: { transaction_id: id } })
    expect((await complete(server.url, token, id, GOOD_CLIENT)).status).toBe(200)
    // Records keep the order in which they were written.
    const records = await scene.command<{ action: string }[]>('audit', '--org', 'Clock')
    expect(records.at(-1)?.action).toBe('connection.completed')
    setClockFile(omen.path(clock), 0)
  })
})
