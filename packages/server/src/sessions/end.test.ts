import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { onBothEngines } from '../../test/engines.js'
import { interrupted } from '../../test/interleave.js'
import { makeTestService, type TestService } from '../../test/sessions/test-service.js'
import { makeKey, unsigned } from '../../test/signin/lying-provider.js'
import { CLIENT, outcomeOf, outcomesOf, REQUESTER, removeTemporaryFolders, times } from '../../test/world.js'
import { hashString, randomString } from '../signin/begin-authorization.js'
import { createSessions } from './sessions.js'

removeTemporaryFolders()

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const SECONDS = Date.UTC(2030, 0, 1, 12) / 1000

onBothEngines((database) => {
  async function scene(): Promise<TestService & { callbackId: string }> {
    const service = await makeTestService(database.current())
    return Object.assign(service, { callbackId: await service.connect() })
  }

  test('users see and end their own sessions, and not those of other users', async () => {
    await using service = await scene()
    const [here, there] = [await service.signIn(), await service.signIn()]
    const others = await service.enter({ sub: 'b', email: 'bob@acme.com' })
    const user = (await service.sessions.read(here))!
    const list = await service.sessions.list(user)
    expect(list.map(({ current, agent, address }) => [current, agent, address]).sort()).toEqual([
      [false, 'Firefox on Linux', '192.0.2.7'],
      [true, 'Firefox on Linux', '192.0.2.7'],
    ])
    const { id } = list.find(({ current }) => !current)!
    expect(await service.sessions.end(others, id, REQUESTER)).toBe(false)
    expect(await service.sessions.read(there)).toBeDefined()
    expect(await service.sessions.end(user, id, REQUESTER)).toBe(true)
    expect(await service.sessions.end(user, id, REQUESTER)).toBe(false)
    expect(await service.sessions.end(user, "x'", REQUESTER)).toBe(false)
    expect(await service.sessions.read(there)).toBeUndefined()
    expect(await service.sessions.read(here)).toBeDefined()
  })

  test('signing out ends the session once, and gives the logout URL of the identity provider', async () => {
    await using service = await scene()
    const cookie = await service.signIn()
    const outs = await Promise.all(times(5, () => service.sessions.logOut(cookie, REQUESTER)))
    const [url] = outs.flatMap(({ providerUrl }) => providerUrl ?? [])
    expect(outs.filter(({ providerUrl }) => providerUrl !== undefined)).toHaveLength(1)
    const { origin, searchParams } = new URL(url!)
    expect(origin).toBe('https://idp.acme.com')
    expect(Object.fromEntries(searchParams)).toEqual({
      brand: 'acme',
      id_token_hint: expect.stringMatching(/^eyJ/),
      client_id: CLIENT.client_id,
    })
    expect(await service.sessions.read(cookie)).toBeUndefined()
    expect((await service.actions()).filter((action) => action === 'session.ended')).toHaveLength(1)
    expect(await service.sessions.logOut(randomString(), REQUESTER)).toEqual({ providerUrl: undefined })
  })

  test.each<[string, (service: TestService) => Promise<unknown>]>([
    ['removal of the organization', ({ world }) => world.operations.removeOrganization('Acme')],
    ['removal of the user', ({ world }) => world.operations.removeUser('alice@acme.com')],
    ['release of the user', ({ world }) => world.operations.releaseUser('alice@acme.com')],
    ['another issuer', (service) => service.connect('Acme', 'acme.com', { issuer: 'https://new.acme.com' })],
  ])('%s ends sessions and tools', async (_, end) => {
    await using service = await scene()
    const cookie = await service.signIn()
    const { device_code, user_code } = await service.devices.begin({ ...REQUESTER, agent: '' })
    await service.devices.decide((await service.sessions.read(cookie))!, user_code, 'approve', REQUESTER)
    const tokens = await service.devices.exchange(device_code, REQUESTER)
    if (typeof tokens === 'string') expect.fail(tokens)
    const waiting = await service.devices.begin({ ...REQUESTER, agent: '' })
    await service.devices.decide((await service.sessions.read(cookie))!, waiting.user_code, 'approve', REQUESTER)
    await end(service)
    expect(await service.sessions.read(cookie)).toBeUndefined()
    expect(await service.devices.read(tokens.access_token)).toBeUndefined()
    expect(await service.devices.refresh(tokens.refresh_token, REQUESTER)).toBe('invalid_grant')
    expect(await service.devices.exchange(waiting.device_code, REQUESTER)).toBe('invalid_grant')
  })

  test('connecting the same issuer again ends nothing; another issuer takes over accounts by their address', async () => {
    await using service = await scene()
    const cookie = await service.signIn({ sub: 'a' })
    await service.connect()
    const before = await service.sessions.read(cookie)
    expect(before).toMatchObject({ role: 'administrator' })
    await service.connect('Acme', 'acme.com', { issuer: `${service.idp.provider.issuer}/new` })
    const after = await service.enter({ iss: `${service.idp.provider.issuer}/new`, sub: 'other' })
    expect(after).toMatchObject({ userId: before!.userId, role: 'administrator' })
    // Some issuers use a different subject for the same user in each application.
    await service.connect('Acme', 'acme.com', {}, { ...CLIENT, client_id: 'client-8' })
    const again = await service.enter({ aud: 'client-8', sub: 'pairwise' })
    expect(again).toMatchObject({ userId: before!.userId })
  })

  test('a ticket to the app works once, in the browser that it was made for', async () => {
    await using service = await scene()
    const cookie = await service.signIn()
    const [binding, attacker] = [randomString(), randomString()]
    const begin = (bound = hashString(binding)) => service.sessions.beginHandOver(cookie, bound)
    expect(await service.sessions.beginHandOver(randomString(), hashString(binding))).toBeUndefined()
    expect(await begin('nonsense')).toBeUndefined()
    const ticket = (await begin())!
    for (const other of [attacker, undefined, 'x']) {
      expect(await service.sessions.finishHandOver(ticket, other)).toBeUndefined()
    }
    const taken = await Promise.all(times(5, () => service.sessions.finishHandOver(ticket, binding)))
    const [second] = taken.filter((found) => found !== undefined)
    expect(taken.filter((found) => found !== undefined)).toHaveLength(1)
    expect(await service.sessions.read(second)).toMatchObject({ email: 'alice@acme.com' })
    const late = (await begin())!
    service.setClock('2030-01-01T12:01:00Z')
    expect(await service.sessions.finishHandOver(late, binding)).toBeUndefined()
    await service.sessions.logOut(second, REQUESTER)
    expect(await service.sessions.read(cookie)).toBeUndefined()
  })

  test('a session that ends while its ticket is made gets no ticket', async () => {
    await using service = await scene()
    const cookie = await service.signIn()
    const signOut = () => service.sessions.logOut(cookie, REQUESTER)
    const middle = interrupted(database.current(), 'insert into hand_overs', signOut)
    const sessions = createSessions({ ...service.deps, database: middle })
    expect(await sessions.beginHandOver(cookie, hashString(randomString()))).toBeUndefined()
  })

  const logoutToken = (
    service: TestService,
    changes: Record<string, unknown> = {},
    more: Parameters<TestService['idp']['sign']>[1] = {},
  ) => {
    const claims = {
      iss: service.idp.provider.issuer,
      aud: CLIENT.client_id,
      iat: SECONDS,
      exp: SECONDS + 120,
      jti: randomUUID(),
      events: { [EVENT]: {} },
      sub: 'user-1',
      ...changes,
    }
    const given = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))
    return service.idp.sign(given, { header: { typ: 'logout+jwt' }, ...more })
  }

  test('the identity provider ends one session or all sessions of a user, once for each token', async () => {
    await using service = await scene()
    const unnamed = await service.signIn()
    const one = await service.signIn({ sid: 'sid-1' })
    const two = await service.signIn({ sid: 'sid-2' })
    const bob = await service.signIn({ sub: 'b', email: 'bob@acme.com', sid: 'sid-3' })
    const send = (token: string, to = service.callbackId) =>
      outcomeOf(service.sessions.logOutByProvider(to, token, REQUESTER))
    const first = await logoutToken(service, { sid: 'sid-1', sub: undefined })
    expect(
      await outcomesOf(times(8, () => service.sessions.logOutByProvider(service.callbackId, first, REQUESTER))),
    ).toEqual({
      ok: 1,
      bad_request: 7,
    })
    expect(await service.sessions.read(one)).toBeUndefined()
    expect(await service.sessions.read(two)).toBeDefined()
    expect(await send(await logoutToken(service, { sid: 'sid-2', sub: 'b' }))).toBe('ok')
    expect(await service.sessions.read(two)).toBeDefined()
    expect(await service.sessions.read(unnamed)).toBeDefined()
    expect(await send(await logoutToken(service, { sid: 'sid-9' }))).toBe('ok')
    expect(await service.sessions.read(unnamed)).toBeUndefined()
    expect(await service.sessions.read(two)).toBeDefined()
    expect(await send(await logoutToken(service, {}, { header: {} }))).toBe('ok')
    expect(await service.sessions.read(two)).toBeUndefined()
    expect(await service.sessions.read(bob)).toBeDefined()
  })

  test('an invalid logout token ends nothing', async () => {
    await using service = await scene()
    const other = await service.connect('Other', 'other.com', { issuer: 'https://idp.other.com' })
    const cookie = await service.signIn()
    const good = await logoutToken(service)
    const forged = { ...service.idp.keys[0]!, ...makeKey('ES256', service.idp.keys[0]!.kid) }
    const lies: readonly (readonly [string, string | undefined, string?])[] = [
      ['none', undefined],
      ['text', 'x.y.z'],
      ['endless', 'x'.repeat(20_000)],
      ['unsigned', unsigned({ sub: 'user-1' })],
      ['another key', await logoutToken(service, {}, { key: forged })],
      ['another audience', await logoutToken(service, { aud: 'other' })],
      ['another issuer', await logoutToken(service, { iss: 'https://evil.example' })],
      ['no event', await logoutToken(service, { events: undefined })],
      ['another event', await logoutToken(service, { events: { 'http://other': {} } })],
      ['an event of another kind', await logoutToken(service, { events: { [EVENT]: true } })],
      ['a nonce', await logoutToken(service, { nonce: 'n' })],
      ['no user', await logoutToken(service, { sub: undefined })],
      ['no id', await logoutToken(service, { jti: undefined })],
      ['no time', await logoutToken(service, { iat: undefined })],
      ['old', await logoutToken(service, { iat: SECONDS - 700, exp: undefined })],
      ['expired', await logoutToken(service, { exp: SECONDS - 61 })],
      ['an ID token', await logoutToken(service, {}, { header: { typ: 'at+jwt' } })],
      ['another organization', good, other],
      ['no organization', good, randomUUID()],
      ['no address', good, 'x'],
    ]
    for (const [name, token, to = service.callbackId] of lies) {
      const outcome = await outcomeOf(service.sessions.logOutByProvider(to, token, REQUESTER))
      expect({ name, outcome }).toEqual({ name, outcome: 'bad_request' })
    }
    expect(await service.sessions.read(cookie)).toBeDefined()
    expect(await outcomeOf(service.sessions.logOutByProvider(service.callbackId, good, REQUESTER))).toBe('ok')
  })
})
