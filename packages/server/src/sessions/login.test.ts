import { expect, test } from 'vitest'
import { onBothEngines } from '../../test/engines.js'
import { makeTestService, NO_HINT, type TestService } from '../../test/sessions/test-service.js'
import { makeKey } from '../../test/signin/lying-provider.js'
import { CLIENT, outcomeOf, outcomesOf, REQUESTER, removeTemporaryFolders, times, URLS } from '../../test/world.js'
import { hashString, randomString } from '../signin/begin-authorization.js'
import type { Database, Queries } from '../store/database.js'
import { beginLogin } from './begin-login.js'

removeTemporaryFolders()

const statusOf = async (service: TestService, claims: Record<string, unknown>, email = 'alice@acme.com') => {
  const browser = randomString()
  const outcome = await service.comeBack(await service.goTo({ email }, browser, claims), browser)
  return outcome?.status === 'failed' ? outcome.reason : outcome?.status
}

onBothEngines((database) => {
  const scene = () => makeTestService(database.current())
  const users = () =>
    database
      .current()
      .query<{ email: string; subject: string | null; role: string; id: string }>(
        'select id, email, subject, role from users order by created_at, email',
      )

  test('the first user becomes administrator, the next a member, and the same subject is the same user', async () => {
    await using service = await scene()
    await service.connect()
    const alice = await service.enter({ sub: 'a', name: 'Alice' })
    expect(alice).toMatchObject({ email: 'alice@acme.com', name: 'Alice', role: 'administrator', kind: 'browser' })
    expect(alice.org).toEqual({ name: 'Acme Inc.', domain: 'acme.com' })
    const bob = await service.enter({ sub: 'b', email: 'bob@acme.com' })
    expect(bob).toMatchObject({ role: 'member', name: undefined })
    const married = await service.enter({ sub: 'a', email: 'alice.smith@acme.com' })
    expect(married).toMatchObject({ userId: alice.userId, email: 'alice.smith@acme.com', name: 'Alice' })
    expect(await users()).toHaveLength(2)
    expect((await service.actions()).filter((action) => action.startsWith('user.'))).toEqual([
      'user.created',
      'user.signed_in',
      'user.created',
      'user.signed_in',
      'user.signed_in',
    ])
  })

  test('of concurrent first sign-ins one becomes administrator', async () => {
    await using service = await scene()
    await service.connect()
    await Promise.all(times(8, (n) => service.signIn({ sub: `s${n}`, email: `u${n}@acme.com` })))
    expect((await users()).filter(({ role }) => role === 'administrator')).toHaveLength(1)
    expect(await service.count('sessions')).toBe(8)
  })

  test('an address of another account is rejected, and the operator can release it', async () => {
    await using service = await scene()
    await service.connect()
    const old = await service.signIn({ sub: 'old' })
    expect(await statusOf(service, { sub: 'new' })).toBe('address_in_use')
    expect(await statusOf(service, { sub: 'new', email: 'ALICE@ACME.com' })).toBe('address_in_use')
    expect(await service.sessions.read(old)).toBeDefined()
    const released = await service.world.operations.releaseUser('Alice@acme.com')
    expect(released).toMatchObject({ email: 'alice@acme.com', role: 'administrator', sessions: 1, org: 'Acme' })
    expect(await service.sessions.read(old)).toBeUndefined()
    const user = await service.enter({ sub: 'new' })
    expect(user.role).toBe('administrator')
    expect(await statusOf(service, { sub: 'old' })).toBe('address_in_use')
    // A known user who is given the address of another user is rejected as well.
    await service.signIn({ sub: 'b', email: 'bob@acme.com' })
    expect(await statusOf(service, { sub: 'b', email: 'alice@acme.com' })).toBe('address_in_use')
    expect(await service.actions()).toEqual(expect.arrayContaining(['user.released', 'user.linked', 'sign_in.refused']))
  })

  test('a sign-in works directly after the identity provider has changed its keys', async () => {
    await using service = await scene()
    await service.connect()
    await service.signIn()
    service.idp.keys = [makeKey('EdDSA')]
    await service.signIn()
    expect(service.idp.requestCount('/jwks')).toBe(2)
  })

  test('a callback with a wrong state, browser or address contacts no provider and uses nothing up', async () => {
    await using service = await scene()
    const acme = await service.connect()
    const other = await service.connect('Other', 'other.com')
    const [browser, victim] = [randomString(), randomString()]
    const trip = await service.goTo({ email: 'alice@acme.com' }, browser)
    expect(trip.callbackId).toBe(acme)
    const { query } = trip
    const requestsBefore = service.idp.requestCount('/token')
    const attempts: readonly Parameters<TestService['comeBack']>[] = [
      [{ ...trip, query: new URLSearchParams({ code: query.get('code')! }) }, browser],
      [{ ...trip, query: new URLSearchParams({ code: query.get('code')!, state: randomString() }) }, browser],
      [{ ...trip, query: new URLSearchParams([...query, ['state', query.get('state')!]]) }, browser],
      [trip, undefined],
      [trip, victim],
      [{ ...trip, callbackId: other }, browser],
    ]
    for (const attempt of attempts) expect(await outcomeOf(service.comeBack(...attempt))).toBe('bad_request')
    expect(
      await service.comeBack({ ...trip, callbackId: '5b0e6a52-7f0c-4c1d-9a0e-1f2d3c4b5a69' }, browser),
    ).toBeUndefined()
    expect(await service.comeBack({ ...trip, callbackId: "'; drop table users" }, browser)).toBeUndefined()
    expect(service.idp.requestCount('/token')).toBe(requestsBefore)
    expect(await service.comeBack(trip, browser)).toMatchObject({ status: 'signed_in' })
    expect(await outcomeOf(service.comeBack(trip, browser))).toBe('bad_request')
    expect(service.idp.requestCount('/token')).toBe(requestsBefore + 1)
  })

  test('the issuer of the response must match, and must be present if the provider announces it', async () => {
    await using service = await scene()
    await service.connect('Acme', 'acme.com', { sendsIssuer: true })
    const requestsBefore = service.idp.requestCount('/token')
    for (const issuer of [undefined, 'https://evil.example']) {
      const browser = randomString()
      const trip = await service.goTo({ email: 'alice@acme.com' }, browser)
      if (issuer !== undefined) trip.query.set('iss', issuer)
      expect(await service.comeBack(trip, browser)).toMatchObject({ reason: 'wrong_response_issuer' })
    }
    expect(service.idp.requestCount('/token')).toBe(requestsBefore)
    const browser = randomString()
    const trip = await service.goTo({ email: 'alice@acme.com' }, browser)
    trip.query.set('iss', service.idp.provider.issuer)
    expect(await service.comeBack(trip, browser)).toMatchObject({ status: 'signed_in' })
  })

  test('a code of another login is rejected', async () => {
    await using service = await scene()
    await service.connect()
    const [browser, attacker] = [randomString(), randomString()]
    const own = await service.goTo({ email: 'alice@acme.com' }, browser)
    const stolen = await service.goTo({ email: 'alice@acme.com' }, attacker)
    own.query.set('code', stolen.query.get('code')!)
    expect(await service.comeBack(own, browser)).toMatchObject({ status: 'failed', reason: 'code_rejected' })
    expect(await service.count('sessions')).toBe(0)
  })

  test('twenty concurrent requests with the same callback make one session', async () => {
    await using service = await scene()
    await service.connect()
    const browser = randomString()
    const trip = await service.goTo({ email: 'alice@acme.com' }, browser)
    expect(await outcomesOf(times(20, () => service.comeBack(trip, browser)))).toEqual({ ok: 1, bad_request: 19 })
    expect([await service.count('sessions'), await service.count('users')]).toEqual([1, 1])
    expect(service.idp.requestCount('/token')).toBe(1)
  })

  test('two tabs of one browser sign in at the same time', async () => {
    await using service = await scene()
    await service.connect()
    const browser = randomString()
    const trips = [
      await service.goTo({ email: 'alice@acme.com' }, browser),
      await service.goTo({ email: 'alice@acme.com' }, browser),
    ]
    const outcomes = await Promise.all(trips.map((trip) => service.comeBack(trip, browser)))
    expect(outcomes.map((outcome) => outcome?.status)).toEqual(['signed_in', 'signed_in'])
    expect(await service.count('sessions')).toBe(2)
  })

  test('a session cookie from before a sign-in, planted or not, no longer works after it', async () => {
    await using service = await scene()
    await service.connect()
    const planted = randomString()
    const first = await service.signIn({}, planted)
    expect(first).not.toBe(planted)
    expect(await service.sessions.read(planted)).toBeUndefined()
    const attackers = await service.signIn({ sub: 'b', email: 'bob@acme.com' })
    const own = await service.signIn({}, attackers)
    expect(await service.sessions.read(attackers)).toBeUndefined()
    expect(await service.sessions.read(own)).toMatchObject({ email: 'alice@acme.com' })
    expect(await service.sessions.read(first)).toBeDefined()
  })

  test('a login expires after fifteen minutes', async () => {
    await using service = await scene()
    await service.connect()
    const browser = randomString()
    const trip = await service.goTo({ email: 'alice@acme.com' }, browser)
    service.setClock('2030-01-01T12:15:00Z')
    expect(await outcomeOf(service.comeBack(trip, browser))).toBe('bad_request')
  })

  test('an issuer can start a login, unless it is unknown or has several organizations', async () => {
    await using service = await scene()
    const acme = await service.connect()
    const { issuer } = service.idp.provider
    const begin = (more: object) => service.sessions.begin({ ...NO_HINT, ...more }, randomString())
    const trips = await Promise.all(times(2, () => service.goTo({ issuer }, randomString())))
    expect(trips.map(({ callbackId }) => callbackId)).toEqual([acme, acme])
    expect(new Set(trips.map(({ query }) => query.get('state'))).size).toBe(2)
    const before = service.idp.requests.length
    expect(await outcomeOf(begin({ issuer: 'https://evil.example' }))).toBe('sign_in_refused')
    expect(await outcomeOf(begin({ issuer: `${issuer}\u0000` }))).toBe('sign_in_refused')
    expect(service.idp.requests.length).toBe(before)
    const other = await service.connect('Other', 'other.com')
    expect(await begin({ issuer })).toEqual({ step: 'ask', reason: 'several' })
    expect((await service.goTo({ issuer, email: 'x@other.com' }, randomString())).callbackId).toBe(other)
    expect(await begin({})).toEqual({ step: 'ask', reason: 'nothing' })
  })

  test('an unknown domain takes the same work as a known one, and starts no login', async () => {
    await using service = await scene()
    await service.connect()
    const statements = async (email: string) => {
      const log: string[] = []
      const recording = recorded(database.current(), log)
      await beginLogin({ ...service.deps, database: recording }, { ...NO_HINT, email }, randomString())
      return log
    }
    const known = await statements('alice@acme.com')
    expect(known.length).toBeGreaterThan(2)
    for (const email of ['alice@nobody.com', 'nonsense', 'a@b@c', 'x'.repeat(5_000), 'a@\u0000.com']) {
      expect(await statements(email)).toEqual(known)
    }
    expect(await service.sessions.begin({ ...NO_HINT, email: 'a@nobody.com' }, randomString())).toEqual({
      step: 'ask',
      reason: 'unknown_address',
    })
    // The stored values cannot be used to sign in.
    const [decoy] = await database
      .current()
      .query<{ callback_id: string }>('select callback_id from logins where organization_id is null')
    const back = { callbackId: decoy!.callback_id, query: new URLSearchParams(), browser: randomString() }
    expect(await service.sessions.finish(back, undefined, REQUESTER)).toBeUndefined()
  })

  test('no credential of a session is stored in plain text', async () => {
    await using service = await scene()
    await service.connect()
    const browser = randomString()
    const trip = await service.goTo({ email: 'alice@acme.com' }, browser)
    const state = trip.query.get('state')!
    const dump = async () => {
      const tables = ['logins', 'sessions', 'session_cookies', 'users', 'audit']
      return JSON.stringify(
        await Promise.all(tables.map((table) => database.current().query(`select * from ${table}`))),
      )
    }
    const before = await dump()
    for (const secret of [state, browser]) expect(before).not.toContain(secret)
    expect(before).toContain(hashString(state))
    const outcome = await service.comeBack(trip, browser)
    const cookie = outcome?.status === 'signed_in' ? outcome.cookie : ''
    const after = await dump()
    for (const secret of [cookie, 'refresh-1', 'eyJ', CLIENT.client_secret]) expect(after).not.toContain(secret)
    expect(outcome).toMatchObject({ target: `${URLS.appUrl}/` })
  })

  test('a connection that is replaced during a sign-in rejects that sign-in', async () => {
    await using service = await scene()
    await service.connect()
    const browser = randomString()
    const trip = await service.goTo({ email: 'alice@acme.com' }, browser)
    const token = service.idp.token
    service.idp.token = async (request) => {
      await service.connect('Acme', 'acme.com', { issuer: 'https://new.acme.com' })
      return token(request)
    }
    expect(await outcomeOf(service.comeBack(trip, browser))).toBe('bad_request')
    expect(await service.count('sessions')).toBe(0)
  })
})

/** Records queries, and runs them. */
function recorded(database: Database, log: string[]): Database {
  const noting = (queries: Queries): Queries => ({
    query: (sql, parameters) => {
      log.push(sql)
      return queries.query(sql, parameters)
    },
  })
  return { ...database, ...noting(database), transaction: (work) => database.transaction((q) => work(noting(q))) }
}
