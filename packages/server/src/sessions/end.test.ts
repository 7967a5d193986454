import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { onBothEngines } from '../../test/engines.js'
import { interrupted } from '../../test/interleave.js'
import { makePeople, type People } from '../../test/sessions/people.js'
import { makeKey, unsigned } from '../../test/signin/lying-provider.js'
import { CLIENT, outcomeOf, outcomesOf, REQUESTER, removeTemporaryFolders, times } from '../../test/world.js'
import { hashString, randomString } from '../signin/begin-authorization.js'
import { createSessions } from './sessions.js'

removeTemporaryFolders()

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const SECONDS = Date.UTC(2030, 0, 1, 12) / 1000

onBothEngines((database) => {
  async function scene(): Promise<People & { callbackId: string }> {
    const people = await makePeople(database.current())
    return Object.assign(people, { callbackId: await people.connect() })
  }

  test("users see and end their own sessions, and nobody else's", async () => {
    await using people = await scene()
    const [here, there] = [await people.signIn(), await people.signIn()]
    const others = await people.enter({ sub: 'b', email: 'bob@acme.com' })
    const person = (await people.sessions.read(here))!
    const list = await people.sessions.list(person)
    expect(list.map(({ current, agent, address }) => [current, agent, address]).sort()).toEqual([
      [false, 'Firefox on Linux', '192.0.2.7'],
      [true, 'Firefox on Linux', '192.0.2.7'],
    ])
    const { id } = list.find(({ current }) => !current)!
    expect(await people.sessions.end(others, id, REQUESTER)).toBe(false)
    expect(await people.sessions.read(there)).toBeDefined()
    expect(await people.sessions.end(person, id, REQUESTER)).toBe(true)
    expect(await people.sessions.end(person, id, REQUESTER)).toBe(false)
    expect(await people.sessions.end(person, "x'", REQUESTER)).toBe(false)
    expect(await people.sessions.read(there)).toBeUndefined()
    expect(await people.sessions.read(here)).toBeDefined()
  })

  test('signing out ends the session once, and gives the logout URL of the identity provider', async () => {
    await using people = await scene()
    const cookie = await people.signIn()
    const outs = await Promise.all(times(5, () => people.sessions.logOut(cookie, REQUESTER)))
    const [url] = outs.flatMap(({ providerUrl }) => providerUrl ?? [])
    expect(outs.filter(({ providerUrl }) => providerUrl !== undefined)).toHaveLength(1)
    const { origin, searchParams } = new URL(url!)
    expect(origin).toBe('https://idp.acme.com')
    expect(Object.fromEntries(searchParams)).toEqual({
      brand: 'acme',
      id_token_hint: expect.stringMatching(/^eyJ/),
      client_id: CLIENT.client_id,
    })
    expect(await people.sessions.read(cookie)).toBeUndefined()
    expect((await people.actions()).filter((action) => action === 'session.ended')).toHaveLength(1)
    expect(await people.sessions.logOut(randomString(), REQUESTER)).toEqual({ providerUrl: undefined })
  })

  test.each<[string, (people: People) => Promise<unknown>]>([
    ['removal of the organization', ({ world }) => world.operations.removeOrganization('Acme')],
    ['removal of the user', ({ world }) => world.operations.removeUser('alice@acme.com')],
    ['release of the user', ({ world }) => world.operations.releaseUser('alice@acme.com')],
    ['another issuer', (people) => people.connect('Acme', 'acme.com', { issuer: 'https://new.acme.com' })],
  ])('%s ends sessions and tools', async (_, end) => {
    await using people = await scene()
    const cookie = await people.signIn()
    const { device_code, user_code } = await people.devices.begin({ ...REQUESTER, agent: '' })
    await people.devices.decide((await people.sessions.read(cookie))!, user_code, 'approve', REQUESTER)
    const tokens = await people.devices.exchange(device_code, REQUESTER)
    if (typeof tokens === 'string') expect.fail(tokens)
    const waiting = await people.devices.begin({ ...REQUESTER, agent: '' })
    await people.devices.decide((await people.sessions.read(cookie))!, waiting.user_code, 'approve', REQUESTER)
    await end(people)
    expect(await people.sessions.read(cookie)).toBeUndefined()
    expect(await people.devices.read(tokens.access_token)).toBeUndefined()
    expect(await people.devices.refresh(tokens.refresh_token, REQUESTER)).toBe('invalid_grant')
    expect(await people.devices.exchange(waiting.device_code, REQUESTER)).toBe('invalid_grant')
  })

  test('connecting the same issuer again ends nothing; another issuer takes over accounts by their address', async () => {
    await using people = await scene()
    const cookie = await people.signIn({ sub: 'a' })
    await people.connect()
    const before = await people.sessions.read(cookie)
    expect(before).toMatchObject({ role: 'administrator' })
    await people.connect('Acme', 'acme.com', { issuer: `${people.idp.provider.issuer}/new` })
    const after = await people.enter({ iss: `${people.idp.provider.issuer}/new`, sub: 'other' })
    expect(after).toMatchObject({ userId: before!.userId, role: 'administrator' })
    // Some issuers name the same person differently to each application.
    await people.connect('Acme', 'acme.com', {}, { ...CLIENT, client_id: 'client-8' })
    const again = await people.enter({ aud: 'client-8', sub: 'pairwise' })
    expect(again).toMatchObject({ userId: before!.userId })
  })

  test('a ticket to the app works once, in the browser that it was made for', async () => {
    await using people = await scene()
    const cookie = await people.signIn()
    const [binding, attacker] = [randomString(), randomString()]
    const begin = (bound = hashString(binding)) => people.sessions.beginHandOver(cookie, bound)
    expect(await people.sessions.beginHandOver(randomString(), hashString(binding))).toBeUndefined()
    expect(await begin('nonsense')).toBeUndefined()
    const ticket = (await begin())!
    for (const other of [attacker, undefined, 'x']) {
      expect(await people.sessions.finishHandOver(ticket, other)).toBeUndefined()
    }
    const taken = await Promise.all(times(5, () => people.sessions.finishHandOver(ticket, binding)))
    const [second] = taken.filter((found) => found !== undefined)
    expect(taken.filter((found) => found !== undefined)).toHaveLength(1)
    expect(await people.sessions.read(second)).toMatchObject({ email: 'alice@acme.com' })
    const late = (await begin())!
    people.setClock('2030-01-01T12:01:00Z')
    expect(await people.sessions.finishHandOver(late, binding)).toBeUndefined()
    await people.sessions.logOut(second, REQUESTER)
    expect(await people.sessions.read(cookie)).toBeUndefined()
  })

  test('a session that ends while its ticket is made gets no ticket', async () => {
    await using people = await scene()
    const cookie = await people.signIn()
    const signOut = () => people.sessions.logOut(cookie, REQUESTER)
    const middle = interrupted(database.current(), 'insert into hand_overs', signOut)
    const sessions = createSessions({ ...people.deps, database: middle })
    expect(await sessions.beginHandOver(cookie, hashString(randomString()))).toBeUndefined()
  })

  const logoutToken = (
    people: People,
    changes: Record<string, unknown> = {},
    more: Parameters<People['idp']['sign']>[1] = {},
  ) => {
    const claims = {
      iss: people.idp.provider.issuer,
      aud: CLIENT.client_id,
      iat: SECONDS,
      exp: SECONDS + 120,
      jti: randomUUID(),
      events: { [EVENT]: {} },
      sub: 'user-1',
      ...changes,
    }
    const given = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))
    return people.idp.sign(given, { header: { typ: 'logout+jwt' }, ...more })
  }

  test('the identity provider ends one session or all sessions of a user, once for each token', async () => {
    await using people = await scene()
    const unnamed = await people.signIn()
    const one = await people.signIn({ sid: 'sid-1' })
    const two = await people.signIn({ sid: 'sid-2' })
    const bob = await people.signIn({ sub: 'b', email: 'bob@acme.com', sid: 'sid-3' })
    const send = (token: string, to = people.callbackId) =>
      outcomeOf(people.sessions.logOutByProvider(to, token, REQUESTER))
    const first = await logoutToken(people, { sid: 'sid-1', sub: undefined })
    expect(
      await outcomesOf(times(8, () => people.sessions.logOutByProvider(people.callbackId, first, REQUESTER))),
    ).toEqual({
      ok: 1,
      bad_request: 7,
    })
    expect(await people.sessions.read(one)).toBeUndefined()
    expect(await people.sessions.read(two)).toBeDefined()
    expect(await send(await logoutToken(people, { sid: 'sid-2', sub: 'b' }))).toBe('ok')
    expect(await people.sessions.read(two)).toBeDefined()
    expect(await people.sessions.read(unnamed)).toBeDefined()
    expect(await send(await logoutToken(people, { sid: 'sid-9' }))).toBe('ok')
    expect(await people.sessions.read(unnamed)).toBeUndefined()
    expect(await people.sessions.read(two)).toBeDefined()
    expect(await send(await logoutToken(people, {}, { header: {} }))).toBe('ok')
    expect(await people.sessions.read(two)).toBeUndefined()
    expect(await people.sessions.read(bob)).toBeDefined()
  })

  test('an invalid logout token ends nothing', async () => {
    await using people = await scene()
    const other = await people.connect('Other', 'other.com', { issuer: 'https://idp.other.com' })
    const cookie = await people.signIn()
    const good = await logoutToken(people)
    const forged = { ...people.idp.keys[0]!, ...makeKey('ES256', people.idp.keys[0]!.kid) }
    const lies: readonly (readonly [string, string | undefined, string?])[] = [
      ['none', undefined],
      ['text', 'x.y.z'],
      ['endless', 'x'.repeat(20_000)],
      ['unsigned', unsigned({ sub: 'user-1' })],
      ['another key', await logoutToken(people, {}, { key: forged })],
      ['another audience', await logoutToken(people, { aud: 'other' })],
      ['another issuer', await logoutToken(people, { iss: 'https://evil.example' })],
      ['no event', await logoutToken(people, { events: undefined })],
      ['another event', await logoutToken(people, { events: { 'http://other': {} } })],
      ['an event of another kind', await logoutToken(people, { events: { [EVENT]: true } })],
      ['a nonce', await logoutToken(people, { nonce: 'n' })],
      ['nobody', await logoutToken(people, { sub: undefined })],
      ['no id', await logoutToken(people, { jti: undefined })],
      ['no time', await logoutToken(people, { iat: undefined })],
      ['old', await logoutToken(people, { iat: SECONDS - 700, exp: undefined })],
      ['expired', await logoutToken(people, { exp: SECONDS - 61 })],
      ['an ID token', await logoutToken(people, {}, { header: { typ: 'at+jwt' } })],
      ['another organization', good, other],
      ['no organization', good, randomUUID()],
      ['no address', good, 'x'],
    ]
    for (const [name, token, to = people.callbackId] of lies) {
      const outcome = await outcomeOf(people.sessions.logOutByProvider(to, token, REQUESTER))
      expect({ name, outcome }).toEqual({ name, outcome: 'bad_request' })
    }
    expect(await people.sessions.read(cookie)).toBeDefined()
    expect(await outcomeOf(people.sessions.logOutByProvider(people.callbackId, good, REQUESTER))).toBe('ok')
  })
})
