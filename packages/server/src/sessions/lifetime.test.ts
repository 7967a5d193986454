import { expect, test } from 'vitest'
import { onBothEngines } from '../../test/engines.js'
import { makePeople, type People } from '../../test/sessions/people.js'
import { CLIENT, REQUESTER, removeTemporaryFolders, times } from '../../test/world.js'
import { randomString } from '../signin/begin-authorization.js'
import { endExpiredSessions } from './end-session.js'
import { createSessions } from './sessions.js'

removeTemporaryFolders()

onBothEngines((database) => {
  async function scene(): Promise<People> {
    const people = await makePeople(database.current())
    await people.connect()
    return people
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
    await using people = await scene()
    people.givesRefreshTokens = false
    const [idle, used] = [await people.signIn(), await people.signIn()]
    people.setClock('2030-01-01T23:59:59Z')
    expect(await people.sessions.read(used)).toBeDefined()
    people.setClock('2030-01-02T00:00:00Z')
    expect(await people.sessions.read(idle)).toBeUndefined()
    expect(await people.sessions.read(used)).toBeDefined()
    await Promise.all(times(3, () => endExpiredSessions({ database: database.current(), clock: people.world.clock })))
    expect(await people.count('sessions')).toBe(1)
    expect(await lastEnd()).toBe('expired')
    people.setClock('2030-01-01T12:00:00Z')
    expect(await people.sessions.read(idle)).toBeUndefined()
  })

  test('a session in use ends after seven days', async () => {
    await using people = await scene()
    people.givesRefreshTokens = false
    const cookie = await people.signIn()
    for (let hour = 6; hour < 7 * 24; hour += 6) {
      people.setClock(new Date(Date.UTC(2030, 0, 1, 12 + hour)).toISOString())
      expect(await people.sessions.read(cookie)).toBeDefined()
    }
    people.setClock('2030-01-08T11:59:59Z')
    expect(await people.sessions.read(cookie)).toBeDefined()
    people.setClock('2030-01-08T12:00:00Z')
    expect(await people.sessions.read(cookie)).toBeUndefined()
    expect(people.refreshed).toEqual([])
  })

  test('the identity provider is asked again after five minutes, with the latest refresh token', async () => {
    await using people = await scene()
    const cookie = await people.signIn()
    for (const [time, asked] of [
      ['12:04:59', 0],
      ['12:05:00', 1],
      ['12:09:59', 1],
      ['12:10:00', 2],
      ['20:00:00', 3],
    ] as const) {
      people.setClock(`2030-01-01T${time}Z`)
      expect(await people.sessions.read(cookie)).toBeDefined()
      expect(people.refreshed).toHaveLength(asked)
    }
    expect(people.refreshed).toEqual(['refresh-1', 'refresh-2', 'refresh-3'])
  })

  test('a rejection by the identity provider ends the session', async () => {
    await using people = await scene()
    const cookie = await people.signIn()
    people.refresh = () => ({ status: 400, body: { error: 'invalid_grant' } })
    people.setClock('2030-01-01T12:05:00Z')
    expect(await people.sessions.read(cookie)).toBeUndefined()
    expect(await people.count('sessions')).toBe(0)
    expect(await lastEnd()).toBe('provider_says_no')
  })

  test('tokens of another user end the session', async () => {
    await using people = await scene()
    const cookie = await people.signIn()
    const seconds = Date.UTC(2030, 0, 1, 12, 5) / 1000
    const claims = { iss: people.idp.provider.issuer, aud: CLIENT.client_id, iat: seconds, exp: seconds + 300 }
    people.refresh = async () => ({
      body: { access_token: 'a', token_type: 'Bearer', id_token: await people.idp.sign({ ...claims, sub: 'user-2' }) },
    })
    people.setClock('2030-01-01T12:05:00Z')
    expect(await people.sessions.read(cookie)).toBeUndefined()
    const again = await people.signIn()
    people.refresh = async () => ({
      body: { access_token: 'a', token_type: 'Bearer', id_token: await people.idp.sign({ ...claims, sub: 'user-1' }) },
    })
    people.setClock('2030-01-01T12:10:00Z')
    expect(await people.sessions.read(again)).toBeDefined()
  })

  test.each<[string, () => { status?: number; body: unknown }]>([
    ['out of order', () => ({ status: 503, body: {} })],
    ['changed, so that it does not know its client', () => ({ status: 401, body: { error: 'invalid_client' } })],
    ['nonsense', () => ({ body: '<html>' })],
    ['without a token', () => ({ body: {} })],
  ])('an identity provider that is %s ends no session, and is not asked by every request', async (_, said) => {
    await using people = await scene()
    const cookie = await people.signIn()
    people.refresh = said
    people.setClock('2030-01-01T12:05:00Z')
    for (let n = 0; n < 3; n++) expect(await people.sessions.read(cookie)).toBeDefined()
    expect(people.refreshed).toEqual(['refresh-1'])
    people.refresh = undefined
    people.setClock('2030-01-01T12:05:30Z')
    expect(await people.sessions.read(cookie)).toBeDefined()
    expect(people.refreshed).toEqual(['refresh-1', 'refresh-1'])
  })

  test('concurrent requests in several processes ask the identity provider once', async () => {
    await using people = await scene()
    const cookie = await people.signIn()
    people.setClock('2030-01-01T12:05:00Z')
    // Another process has another database object, and shares nothing else.
    const elsewhere = createSessions({ ...people.deps, database: { ...database.current() } })
    const reads = times(20, (n) => (n % 2 === 0 ? people.sessions : elsewhere).read(cookie))
    expect((await Promise.all(reads)).every((person) => person?.email === 'alice@acme.com')).toBe(true)
    expect(people.refreshed).toEqual(['refresh-1'])
  })

  test('a session that ends while the identity provider is asked stays ended', async () => {
    await using people = await scene()
    const cookie = await people.signIn()
    people.setClock('2030-01-01T12:05:00Z')
    people.refresh = async () => {
      await people.sessions.logOut(cookie, REQUESTER)
      return { body: { access_token: 'a', token_type: 'Bearer', refresh_token: 'refresh-9' } }
    }
    expect(await people.sessions.read(cookie)).toBeUndefined()
    expect(await people.count('sessions')).toBe(0)
    expect(await people.sessions.read(cookie)).toBeUndefined()
  })

  test('a process that dies during a check does not block other processes', async () => {
    await using people = await scene()
    const cookie = await people.signIn()
    people.setClock('2030-01-01T12:05:00Z')
    await database.current().query(`update sessions set checking_until = '2030-01-01T12:05:15Z'`)
    expect(await people.sessions.read(cookie)).toBeDefined()
    expect(people.refreshed).toEqual([])
    people.setClock('2030-01-01T12:05:15Z')
    expect(await people.sessions.read(cookie)).toBeDefined()
    expect(people.refreshed).toEqual(['refresh-1'])
  })

  test('a key rotation keeps sessions, and nothing stays encrypted with the old key', async () => {
    await using people = await scene()
    const cookie = await people.signIn()
    const { keyId } = await people.world.operations.rotateKeys()
    expect(await database.current().query('select tokens_key_id from sessions')).toEqual([{ tokens_key_id: keyId }])
    people.setClock('2030-01-01T12:05:00Z')
    expect(await people.sessions.read(cookie)).toBeDefined()
    expect(people.refreshed).toEqual(['refresh-1'])
    expect((await people.sessions.logOut(cookie, REQUESTER)).providerUrl).toContain('id_token_hint=eyJ')
  })

  test('any other cookie value belongs to no user', async () => {
    await using people = await scene()
    const { token } = await people.onboarding.exchangeCode(
      (await people.world.operations.issueCode({ org: 'New', expires: '2030-06-01' })).code,
      REQUESTER,
    )
    for (const cookie of [undefined, '', randomString(), token, 'x'.repeat(10_000), "' or 1=1"]) {
      expect(await people.sessions.read(cookie)).toBeUndefined()
    }
  })
})
