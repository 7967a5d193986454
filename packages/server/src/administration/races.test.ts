import { expect, test } from 'vitest'
import { OTHER_IDP, OTHER_ISSUER, useAcme } from '../../test/administration/acme.js'
import { onBothEngines, onPostgres } from '../../test/engines.js'
import { interrupted, untilItWaits } from '../../test/interleave.js'
import { CALLER, outcomeOf, outcomesOf, removeTemporaryFolders, times } from '../../test/world.js'
import { randomText } from '../signin/begin-authorization.js'
import type { By } from './administration.js'
import { createAdministration } from './create-administration.js'

removeTemporaryFolders()

const NEW_SECRET = { client_secret: 'a new secret that nobody may read' }

onBothEngines((database) => {
  const acme = useAcme(database)
  const asAlice = { sub: 'alice', email: 'alice@acme.com' }
  const propose = (by: By, request: object = {}) =>
    acme().administration.proposeConnection(by, { ...NEW_SECRET, ...request })
  const makeBobAdministrator = () => {
    const { administration, alice, bob } = acme()
    return administration.setRole(alice, bob.person.userId, 'administrator')
  }
  const countActions = async (action: string) =>
    (await acme().people.actions()).filter((recorded) => recorded === action).length

  test('two administrators who make each other members at once: one of them is left', async () => {
    const { administration, alice, bob } = acme()
    await makeBobAdministrator()
    const changes = [
      administration.setRole(alice, bob.person.userId, 'member'),
      administration.setRole(bob, alice.person.userId, 'member'),
    ]
    expect(await outcomesOf(changes)).toEqual({ ok: 1, not_administrator: 1 })
    const members = await administration.listMembers(alice.person, undefined)
    expect(members.filter(({ role }) => role === 'administrator')).toHaveLength(1)
  })

  test('two administrators who leave at once: one of them stays', async () => {
    const { administration, alice, bob } = acme()
    await makeBobAdministrator()
    const changes = [alice, bob].map((by) => administration.removeMember(by, by.person.userId))
    expect(await outcomesOf(changes)).toEqual({ ok: 1, last_administrator: 1 })
  })

  test('two organizations that prove a domain at once: one has it', async () => {
    const { administration, people, alice, eve } = acme()
    const evil = await eve()
    const records = await Promise.all([alice, evil].map((by) => administration.addDomain(by, 'acme.org')))
    people.dns.set(
      '_omen.acme.org',
      records.map(({ record }) => [record.value]),
    )
    const checks = [alice, evil].flatMap((by) => times(3, () => administration.checkDomain(by, 'acme.org')))
    const outcomes = await outcomesOf(checks)
    expect(outcomes).toEqual({ ok: 3, domain_taken: 3 })
    expect(await people.count(`domains where domain = 'acme.org'`)).toBe(1)
    expect(await countActions('domain.verified')).toBe(1)
  })

  test('many who prepare a connection at once: one is the next, and only its test counts', async () => {
    const { administration, people, alice, bob } = acme()
    await makeBobAdministrator()
    const { url } = await propose(alice).then(() => administration.startConnectionTest(alice))
    const browser = randomText()
    const sent = await administration.beginTest(url.split('/').at(-1)!, browser)
    const { pathname, searchParams } = new URL(people.answer(new URL(sent!), asAlice))
    const next = await Promise.all(times(6, (index) => propose(index % 2 === 0 ? alice : bob)))
    expect(new Set(next.map(({ id }) => id)).size).toBe(6)
    expect(await people.count('connection_replacements')).toBe(1)
    const back = { callbackId: pathname.split('/').at(-1)!, query: searchParams, browser }
    expect(await administration.finishTest(back, CALLER)).toBeUndefined()
    expect((await administration.readConnection(alice.person)).next).toMatchObject({ status: 'untested' })
  })

  test('the same callback of a test ten times at once: it has one outcome', async () => {
    const { administration, people, alice } = acme()
    await propose(alice)
    const { url } = await administration.startConnectionTest(alice)
    const browser = randomText()
    const sent = await administration.beginTest(url.split('/').at(-1)!, browser)
    const { pathname, searchParams } = new URL(people.answer(new URL(sent!), asAlice))
    const back = { callbackId: pathname.split('/').at(-1)!, query: searchParams, browser }
    const outcomes = await Promise.all(times(10, () => administration.finishTest(back, CALLER).catch(() => undefined)))
    expect(outcomes.filter((outcome) => outcome?.status === 'passed')).toHaveLength(1)
    expect(people.idp.asksOf('/token')).toBe(3)
    expect(await countActions('connection.tested')).toBe(1)
  })

  test('a connection that is switched to many times at once is switched once', async () => {
    const { administration, alice, test: signInOnce } = acme()
    await propose(alice)
    await signInOnce(alice, asAlice)
    const switches = times(6, () => administration.switchConnection(alice))
    expect(await outcomesOf(switches)).toEqual({ ok: 1, connection_untested: 5 })
    expect(await countActions('connection.replaced')).toBe(1)
  })

  test('a switch while another connection is prepared: either it is switched and what was tried counts for nothing, or not', async () => {
    const { administration, people, alice, bob, test: signInOnce } = acme()
    await makeBobAdministrator()
    people.connectTo.provider = { ...people.idp.provider, issuer: OTHER_ISSUER }
    await propose(alice, OTHER_IDP)
    await signInOnce(alice, { iss: OTHER_ISSUER, ...asAlice })
    people.connectTo.provider = people.idp.provider
    // Bob's secret is tried at the connection in use; then the switch and the end of his call meet.
    people.world.discovery.meanwhile = async () => {
      people.world.discovery.meanwhile = undefined
      await administration.switchConnection(alice)
    }
    expect(await outcomeOf(propose(bob))).toBe('connection_changed')
    expect(await administration.readConnection(alice.person)).toMatchObject({
      current: { issuer: OTHER_ISSUER },
      next: null,
    })
  })

  test('a switch and another proposal at once: one of them comes first', async () => {
    const { administration, people, alice, test: signInOnce } = acme()
    const { id } = await propose(alice)
    await signInOnce(alice, asAlice)
    const [switched, proposed] = await Promise.all([outcomeOf(administration.switchConnection(alice)), propose(alice)])
    const { next } = await administration.readConnection(alice.person)
    expect(proposed.id).not.toBe(id)
    expect(next).toMatchObject({ id: proposed.id, status: 'untested' })
    expect(['ok', 'connection_untested']).toContain(switched)
    expect(await countActions('connection.replaced')).toBe(switched === 'ok' ? 1 : 0)
    expect(await people.count('connection_replacements')).toBe(1)
  })

  test('a next connection that expires during its switch is not switched to', async () => {
    const { administration, people, alice, test: signInOnce } = acme()
    await propose(alice)
    await signInOnce(alice, asAlice)
    people.setClock('2030-01-03T12:00:00Z')
    expect(await outcomeOf(administration.switchConnection(alice))).toBe('connection_untested')
  })

  test('sign-ins, tests, rotations and changes at once wait for each other, and for nothing else', async () => {
    const { administration, people, alice } = acme()
    await propose(alice)
    const { url } = await administration.startConnectionTest(alice)
    const link = url.split('/').at(-1)!
    const work = [
      ...times(4, () => administration.beginTest(link, randomText())),
      ...times(4, (index) => people.signIn({ sub: `p${index}`, email: `p${index}@acme.com` })),
      ...times(3, (index) => administration.addDomain(alice, `acme${index}.org`)),
      people.world.operations.rotateKeys(),
      people.world.operations.setUserRole({ email: 'bob@acme.com', role: 'administrator' }),
    ]
    await Promise.all(work)
    expect(await people.count('users')).toBe(6)
  })
})

onPostgres((database) => {
  const acme = useAcme(database)

  test('a connection that is switched to while it is looked at is the next one or the one in use, never neither', async () => {
    const { administration, people, alice, test: signInOnce } = acme()
    people.connectTo.provider = { ...people.idp.provider, issuer: OTHER_ISSUER }
    await administration.proposeConnection(alice, OTHER_IDP)
    await signInOnce(alice, { iss: OTHER_ISSUER, sub: 'alice', email: 'alice@acme.com' })
    let switching: Promise<unknown> = Promise.resolve()
    const middle = interrupted(database.current(), 'from connection_replacements where organization_id', () => {
      switching = administration.switchConnection(alice)
      return untilItWaits(database.current(), switching)
    })
    const { world, parts } = people
    const resolveTxt = async () => []
    const reader = createAdministration({ ...parts, discovery: world.discovery, resolveTxt, database: middle })
    const { current, next } = await reader.readConnection(alice.person)
    await switching
    expect([current.issuer, next?.issuer]).toContain(OTHER_ISSUER)
    expect((await administration.readConnection(alice.person)).current.issuer).toBe(OTHER_ISSUER)
  })
})
