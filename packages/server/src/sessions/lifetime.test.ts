import { expect, test } from 'vitest'
import { onBothEngines } from '../../test/engines.js'
import { makeTestService, type TestService } from '../../test/sessions/test-service.js'
import { CLIENT, REQUESTER, removeTemporaryFolders, times } from '../../test/world.js'
import { randomString } from '../signin/begin-authorization.js'
import { endExpiredSessions } from './end-session.js'
import { createSessions } from './sessions.js'

removeTemporaryFolders()

onBothEngines((database) => {
  async function scene(): Promise<TestService> {
    const service = await makeTestService(database.current())
    await service.connect()
    return service
  }
  const lastEnd = async () => {
    const [row] = await database
      .current()
      .query<{ detail: { reason: string } }>(
        `select detail from audit where action = 'session.ended' order by id desc limit 1`,
      )
    return row?.detail.reason
  }

  test('an unused session ends after twelve hours, and stays ended', async () => {
    await using service = await scene()
    service.givesRefreshTokens = false
    const [idle, used] = [await service.signIn(), await service.signIn()]
    service.setClock('2030-01-01T23:59:59Z')
    expect(await service.sessions.read(used)).toBeDefined()
    service.setClock('2030-01-02T00:00:00Z')
    expect(await service.sessions.read(idle)).toBeUndefined()
    expect(await service.sessions.read(used)).toBeDefined()
    await Promise.all(times(3, () => endExpiredSessions({ database: database.current(), clock: service.world.clock })))
    expect(await service.count('sessions')).toBe(1)
    expect(await lastEnd()).toBe('expired')
    service.setClock('2030-01-01T12:00:00Z')
    expect(await service.sessions.read(idle)).toBeUndefined()
  })

  test('a session in use ends after seven days', async () => {
    await using service = await scene()
    service.givesRefreshTokens = false
    const cookie = await service.signIn()
    for (let hour = 6; hour < 7 * 24; hour += 6) {
      service.setClock(new Date(Date.UTC(2030, 0, 1, 12 + hour)).toISOString())
      expect(await service.sessions.read(cookie)).toBeDefined()
    }
    service.setClock('2030-01-08T11:59:59Z')
    expect(await service.sessions.read(cookie)).toBeDefined()
    service.setClock('2030-01-08T12:00:00Z')
    expect(await service.sessions.read(cookie)).toBeUndefined()
    expect(service.refreshed).toEqual([])
  })

  test('the session is checked at the identity provider after five minutes, with the latest refresh token', async () => {
    await using service = await scene()
    const cookie = await service.signIn()
    for (const [time, checks] of [
      ['12:04:59', 0],
      ['12:05:00', 1],
      ['12:09:59', 1],
      ['12:10:00', 2],
      ['20:00:00', 3],
    ] as const) {
      service.setClock(`2030-01-01T${time}Z`)
      expect(await service.sessions.read(cookie)).toBeDefined()
      expect(service.refreshed).toHaveLength(checks)
    }
    expect(service.refreshed).toEqual(['refresh-1', 'refresh-2', 'refresh-3'])
  })

  test('a rejection by the identity provider ends the session', async () => {
    await using service = await scene()
    const cookie = await service.signIn()
    service.refresh = () => ({ status: 400, body: { error: 'invalid_grant' } })
    service.setClock('2030-01-01T12:05:00Z')
    expect(await service.sessions.read(cookie)).toBeUndefined()
    expect(await service.count('sessions')).toBe(0)
    expect(await lastEnd()).toBe('provider_says_no')
  })

  test('tokens of another user end the session', async () => {
    await using service = await scene()
    const cookie = await service.signIn()
    const seconds = Date.UTC(2030, 0, 1, 12, 5) / 1000
    const claims = { iss: service.idp.provider.issuer, aud: CLIENT.client_id, iat: seconds, exp: seconds + 300 }
    service.refresh = async () => ({
      body: { access_token: 'a', token_type: 'Bearer', id_token: await service.idp.sign({ ...claims, sub: 'user-2' }) },
    })
    service.setClock('2030-01-01T12:05:00Z')
    expect(await service.sessions.read(cookie)).toBeUndefined()
    const again = await service.signIn()
    service.refresh = async () => ({
      body: { access_token: 'a', token_type: 'Bearer', id_token: await service.idp.sign({ ...claims, sub: 'user-1' }) },
    })
    service.setClock('2030-01-01T12:10:00Z')
    expect(await service.sessions.read(again)).toBeDefined()
  })

  test.each<[string, () => { status?: number; body: unknown }]>([
    ['out of order', () => ({ status: 503, body: {} })],
    ['changed, so that it does not know its client', () => ({ status: 401, body: { error: 'invalid_client' } })],
    ['nonsense', () => ({ body: '<html>' })],
    ['without a token', () => ({ body: {} })],
  ])('an identity provider that is %s ends no session, and is not contacted by every request', async (_, response) => {
    await using service = await scene()
    const cookie = await service.signIn()
    service.refresh = response
    service.setClock('2030-01-01T12:05:00Z')
    for (let n = 0; n < 3; n++) expect(await service.sessions.read(cookie)).toBeDefined()
    expect(service.refreshed).toEqual(['refresh-1'])
    service.refresh = undefined
    service.setClock('2030-01-01T12:05:30Z')
    expect(await service.sessions.read(cookie)).toBeDefined()
    expect(service.refreshed).toEqual(['refresh-1', 'refresh-1'])
  })

  test('concurrent requests in several processes contact the identity provider once', async () => {
    await using service = await scene()
    const cookie = await service.signIn()
    service.setClock('2030-01-01T12:05:00Z')
    // Another process has another database object, and shares nothing else.
    const elsewhere = createSessions({ ...service.deps, database: { ...database.current() } })
    const reads = times(20, (n) => (n % 2 === 0 ? service.sessions : elsewhere).read(cookie))
    expect((await Promise.all(reads)).every((user) => user?.email === 'alice@acme.com')).toBe(true)
    expect(service.refreshed).toEqual(['refresh-1'])
  })

  test('a session that ends during its check at the identity provider stays ended', async () => {
    await using service = await scene()
    const cookie = await service.signIn()
    service.setClock('2030-01-01T12:05:00Z')
    service.refresh = async () => {
      await service.sessions.logOut(cookie, REQUESTER)
      return { body: { access_token: 'a', token_type: 'Bearer', refresh_token: 'refresh-9' } }
    }
    expect(await service.sessions.read(cookie)).toBeUndefined()
    expect(await service.count('sessions')).toBe(0)
    expect(await service.sessions.read(cookie)).toBeUndefined()
  })

  test('a process that dies during a check does not block other processes', async () => {
    await using service = await scene()
    const cookie = await service.signIn()
    service.setClock('2030-01-01T12:05:00Z')
    await database.current().query(`update sessions set checking_until = '2030-01-01T12:05:15Z'`)
    expect(await service.sessions.read(cookie)).toBeDefined()
    expect(service.refreshed).toEqual([])
    service.setClock('2030-01-01T12:05:15Z')
    expect(await service.sessions.read(cookie)).toBeDefined()
    expect(service.refreshed).toEqual(['refresh-1'])
  })

  test('a key rotation keeps sessions, and nothing stays encrypted with the old key', async () => {
    await using service = await scene()
    const cookie = await service.signIn()
    const { keyId } = await service.world.operations.rotateKeys()
    expect(await database.current().query('select tokens_key_id from sessions')).toEqual([{ tokens_key_id: keyId }])
    service.setClock('2030-01-01T12:05:00Z')
    expect(await service.sessions.read(cookie)).toBeDefined()
    expect(service.refreshed).toEqual(['refresh-1'])
    expect((await service.sessions.logOut(cookie, REQUESTER)).providerUrl).toContain('id_token_hint=eyJ')
  })

  test('any other cookie value belongs to no user', async () => {
    await using service = await scene()
    const { token } = await service.onboarding.exchangeCode(
      (await service.world.operations.issueCode({ org: 'New', expires: '2030-06-01' })).code,
      REQUESTER,
    )
    for (const cookie of [undefined, '', randomString(), token, 'x'.repeat(10_000), "' or 1=1"]) {
      expect(await service.sessions.read(cookie)).toBeUndefined()
    }
  })
})
