import { expect, test } from 'vitest'
import { OTHER_IDP, OTHER_ISSUER, useAcme } from '../../test/administration/acme.js'
import { onBothEngines, onPostgres } from '../../test/engines.js'
import { interrupted, untilItWaits } from '../../test/interleave.js'
import { outcomeOf, outcomesOf, REQUESTER, removeTemporaryFolders, times } from '../../test/world.js'
import { randomString } from '../signin/begin-authorization.js'
import { type Actor, createAdministration } from './administration.js'

removeTemporaryFolders()

const NEW_SECRET = { client_secret: 'a new secret that must not appear' }

onBothEngines((database) => {
  const acme = useAcme(database)
  const asAlice = { sub: 'alice', email: 'alice@acme.com' }
  const propose = (by: Actor, request: object = {}) =>
    acme().administration.proposeConnection(by, { ...NEW_SECRET, ...request })
  const makeBobAdministrator = () => {
    const { administration, alice, bob } = acme()
    return administration.setRole(alice, bob.user.userId, 'administrator')
  }
  const countActions = async (action: string) =>
    (await acme().service.actions()).filter((recorded) => recorded === action).length

  test('of two administrators who demote each other concurrently one stays administrator', async () => {
    const { administration, alice, bob } = acme()
    await makeBobAdministrator()
    const changes = [
      administration.setRole(alice, bob.user.userId, 'member'),
      administration.setRole(bob, alice.user.userId, 'member'),
    ]
    expect(await outcomesOf(changes)).toEqual({ ok: 1, not_administrator: 1 })
    const members = await administration.listMembers(alice.user, undefined)
    expect(members.filter(({ role }) => role === 'administrator')).toHaveLength(1)
  })

  test('of two administrators who leave concurrently one stays', async () => {
    const { administration, alice, bob } = acme()
    await makeBobAdministrator()
    const changes = [alice, bob].map((by) => administration.removeMember(by, by.user.userId))
    expect(await outcomesOf(changes)).toEqual({ ok: 1, last_administrator: 1 })
  })

  test('of two organizations that verify a domain concurrently one gets it', async () => {
    const { administration, service, alice, eve } = acme()
    const evil = await eve()
    const records = await Promise.all([alice, evil].map((by) => administration.addDomain(by, 'acme.org')))
    service.dns.set(
      '_omen.acme.org',
      records.map(({ record }) => [record.value]),
    )
    const checks = [alice, evil].flatMap((by) => times(3, () => administration.checkDomain(by, 'acme.org')))
    const outcomes = await outcomesOf(checks)
    expect(outcomes).toEqual({ ok: 3, domain_taken: 3 })
    expect(await service.count(`domains where domain = 'acme.org'`)).toBe(1)
    expect(await countActions('domain.verified')).toBe(1)
  })

  test('of many concurrent proposals one is the next connection, and only its test counts', async () => {
    const { administration, service, alice, bob } = acme()
    await makeBobAdministrator()
    const { url } = await propose(alice).then(() => administration.startConnectionTest(alice))
    const browser = randomString()
    const sent = await administration.beginTest(url.split('/').at(-1)!, browser)
    const { pathname, searchParams } = new URL(service.respond(new URL(sent!), asAlice))
    const next = await Promise.all(times(6, (index) => propose(index % 2 === 0 ? alice : bob)))
    expect(new Set(next.map(({ id }) => id)).size).toBe(6)
    expect(await service.count('connection_replacements')).toBe(1)
    const back = { callbackId: pathname.split('/').at(-1)!, query: searchParams, browser }
    expect(await administration.finishTest(back, REQUESTER)).toBeUndefined()
    expect((await administration.readConnection(alice.user)).next).toMatchObject({ status: 'untested' })
  })

  test('ten concurrent requests with the callback of a test have one outcome', async () => {
    const { administration, service, alice } = acme()
    await propose(alice)
    const { url } = await administration.startConnectionTest(alice)
    const browser = randomString()
    const sent = await administration.beginTest(url.split('/').at(-1)!, browser)
    const { pathname, searchParams } = new URL(service.respond(new URL(sent!), asAlice))
    const back = { callbackId: pathname.split('/').at(-1)!, query: searchParams, browser }
    const outcomes = await Promise.all(
      times(10, () => administration.finishTest(back, REQUESTER).catch(() => undefined)),
    )
    expect(outcomes.filter((outcome) => outcome?.status === 'passed')).toHaveLength(1)
    expect(service.idp.requestCount('/token')).toBe(3)
    expect(await countActions('connection.tested')).toBe(1)
  })

  test('concurrent switches to a connection switch once', async () => {
    const { administration, alice, test: signInOnce } = acme()
    await propose(alice)
    await signInOnce(alice, asAlice)
    const switches = times(6, () => administration.switchConnection(alice))
    expect(await outcomesOf(switches)).toEqual({ ok: 1, connection_untested: 5 })
    expect(await countActions('connection.replaced')).toBe(1)
  })

  test('of a switch and a proposal that overlap, the later one sees the result of the earlier one', async () => {
    const { administration, service, alice, bob, test: signInOnce } = acme()
    await makeBobAdministrator()
    service.connectTo.provider = { ...service.idp.provider, issuer: OTHER_ISSUER }
    await propose(alice, OTHER_IDP)
    await signInOnce(alice, { iss: OTHER_ISSUER, ...asAlice })
    service.connectTo.provider = service.idp.provider
    // Bob's secret is checked with the connection in use; then the switch and the end of his request overlap.
    service.world.discovery.meanwhile = async () => {
      service.world.discovery.meanwhile = undefined
      await administration.switchConnection(alice)
    }
    expect(await outcomeOf(propose(bob))).toBe('connection_changed')
    expect(await administration.readConnection(alice.user)).toMatchObject({
      current: { issuer: OTHER_ISSUER },
      next: null,
    })
  })

  test('a concurrent switch and proposal run one after the other', async () => {
    const { administration, service, alice, test: signInOnce } = acme()
    const { id } = await propose(alice)
    await signInOnce(alice, asAlice)
    const [switched, proposed] = await Promise.all([outcomeOf(administration.switchConnection(alice)), propose(alice)])
    const { next } = await administration.readConnection(alice.user)
    expect(proposed.id).not.toBe(id)
    expect(next).toMatchObject({ id: proposed.id, status: 'untested' })
    expect(['ok', 'connection_untested']).toContain(switched)
    expect(await countActions('connection.replaced')).toBe(switched === 'ok' ? 1 : 0)
    expect(await service.count('connection_replacements')).toBe(1)
  })

  test('a next connection that expires during its switch is not switched to', async () => {
    const { administration, service, alice, test: signInOnce } = acme()
    await propose(alice)
    await signInOnce(alice, asAlice)
    service.setClock('2030-01-03T12:00:00Z')
    expect(await outcomeOf(administration.switchConnection(alice))).toBe('connection_untested')
  })

  test('concurrent sign-ins, tests, rotations and changes do not deadlock', async () => {
    const { administration, service, alice } = acme()
    await propose(alice)
    const { url } = await administration.startConnectionTest(alice)
    const link = url.split('/').at(-1)!
    const work = [
      ...times(4, () => administration.beginTest(link, randomString())),
      ...times(4, (index) => service.signIn({ sub: `p${index}`, email: `p${index}@acme.com` })),
      ...times(3, (index) => administration.addDomain(alice, `acme${index}.org`)),
      service.world.operations.rotateKeys(),
      service.world.operations.setUserRole({ email: 'bob@acme.com', role: 'administrator' }),
    ]
    await Promise.all(work)
    expect(await service.count('users')).toBe(6)
  })
})

onPostgres((database) => {
  const acme = useAcme(database)

  test('a connection that is read during its switch is the next or the current one, never neither', async () => {
    const { administration, service, alice, test: signInOnce } = acme()
    service.connectTo.provider = { ...service.idp.provider, issuer: OTHER_ISSUER }
    await administration.proposeConnection(alice, OTHER_IDP)
    await signInOnce(alice, { iss: OTHER_ISSUER, sub: 'alice', email: 'alice@acme.com' })
    let switching: Promise<unknown> = Promise.resolve()
    const middle = interrupted(database.current(), 'from connection_replacements where organization_id', () => {
      switching = administration.switchConnection(alice)
      return untilItWaits(database.current(), switching)
    })
    const { world, deps } = service
    const resolveTxt = async () => []
    const reader = createAdministration({ ...deps, discovery: world.discovery, resolveTxt, database: middle })
    const { current, next } = await reader.readConnection(alice.user)
    await switching
    expect([current.issuer, next?.issuer]).toContain(OTHER_ISSUER)
    expect((await administration.readConnection(alice.user)).current.issuer).toBe(OTHER_ISSUER)
  })
})
