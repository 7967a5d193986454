import { describe, expect, test } from 'vitest'
import { OTHER_IDP, OTHER_ISSUER, useAcme } from '../../test/administration/acme.js'
import { onPglite } from '../../test/engines.js'
import { outcomeOf, REQUESTER, removeTemporaryFolders } from '../../test/world.js'
import { decryptSecret, keyIdOf } from '../keys/secrets.js'
import { clientSecretContext, replacementSecretContext } from '../organizations/secrets.js'
import { Problem } from '../problem.js'
import { randomString } from '../signin/begin-authorization.js'
import { dropExpiredReplacements } from './replace-connection.js'

removeTemporaryFolders()

const NEW_SECRET = { client_secret: 'a new secret that must not appear' }

onPglite((database) => {
  const acme = useAcme(database)
  const propose = (
    request: Parameters<ReturnType<typeof acme>['administration']['proposeConnection']>[1] = NEW_SECRET,
  ) => acme().administration.proposeConnection(acme().alice, request)
  const proposeOther = () => {
    const { connectTo, idp } = acme().service
    connectTo.provider = { ...idp.provider, issuer: OTHER_ISSUER, wellKnownUrl: OTHER_IDP.well_known_url }
    return propose(OTHER_IDP)
  }
  const read = () => acme().administration.readConnection(acme().alice.user)
  const asAlice = { sub: 'alice', email: 'alice@acme.com' }
  const secretInUse = async () => {
    const { service, alice } = acme()
    const { organizationId } = alice.user
    const [row] = await service.deps.database.query<{ client_secret: string }>('select client_secret from connections')
    const key = await service.deps.keys.encryptionKey(keyIdOf(row!.client_secret))
    return decryptSecret([key!], row!.client_secret, clientSecretContext(organizationId))
  }

  describe('a new secret', () => {
    test('is checked, tested by a sign-in and switched to, and no user is signed out', async () => {
      const { administration, service, alice, test: signInOnce } = acme()
      const before = await read()
      const next = await propose()
      expect(next).toMatchObject({
        issuer: before.current.issuer,
        client_id: before.current.client_id,
        redirect_uri: before.current.redirect_uri,
        status: 'untested',
        detail: null,
        tested_as: null,
        expires_at: '2030-01-03T12:00:00.000Z',
      })
      expect(service.world.discovery.checked.at(-1)).toMatchObject({ clientSecret: NEW_SECRET.client_secret })
      expect(await outcomeOf(administration.switchConnection(alice))).toBe('connection_untested')
      expect(await signInOnce(alice, asAlice)).toEqual({ status: 'passed', email: 'alice@acme.com' })
      expect((await read()).next).toMatchObject({ id: next.id, status: 'passed', tested_as: 'alice@acme.com' })
      const sessions = await service.count('sessions')
      const switched = await administration.switchConnection(alice)
      expect(switched).toEqual(await read())
      expect(switched).toMatchObject({ current: { redirect_uri: before.current.redirect_uri }, next: null })
      expect(await secretInUse()).toBe(NEW_SECRET.client_secret)
      expect(await service.count('sessions')).toBe(sessions)
      await service.signIn({ sub: 'bob', email: 'bob@acme.com' })
      expect((await service.actions()).filter((action) => action.startsWith('connection.'))).toEqual([
        'connection.completed',
        'connection.proposed',
        'connection.test_started',
        'connection.tested',
        'connection.replaced',
      ])
    })

    test('does not interrupt a sign-in that began before the switch', async () => {
      const { administration, service, alice, test: signInOnce } = acme()
      const browser = randomString()
      const trip = await service.goTo({ email: 'bob@acme.com' }, browser, { sub: 'bob', email: 'bob@acme.com' })
      await propose()
      await signInOnce(alice, asAlice)
      await administration.switchConnection(alice)
      expect(await service.comeBack(trip, browser)).toMatchObject({ status: 'signed_in' })
    })

    test('that the identity provider rejects changes nothing', async () => {
      const { service } = acme()
      service.world.discovery.problem = new Problem('client_rejected', 'no')
      expect(await outcomeOf(propose())).toBe('client_rejected')
      service.world.discovery.problem = undefined
      expect((await read()).next).toBeNull()
    })

    test('requires the current issuer; for another issuer all three values are required', async () => {
      const { connectTo, idp } = acme().service
      connectTo.provider = { ...idp.provider, issuer: OTHER_ISSUER }
      await expect(propose()).rejects.toThrow(/now publishes the issuer "https:\/\/new-idp\.acme\.com", .* client_id/)
    })
  })

  describe('another identity provider', () => {
    test('is switched to after a test; all users sign in again and keep their accounts', async () => {
      const { administration, service, alice, bob, test: signInOnce } = acme()
      const { current } = await read()
      expect(await proposeOther()).toMatchObject({
        issuer: OTHER_ISSUER,
        well_known_url: OTHER_IDP.well_known_url,
        redirect_uri: current.redirect_uri,
      })
      // The one in use works until the switch.
      await service.signIn({ sub: 'bob', email: 'bob@acme.com' })
      expect(await signInOnce(alice, { iss: OTHER_ISSUER, sub: 'a1', email: 'Alice@acme.com' })).toMatchObject({
        status: 'passed',
      })
      expect(await administration.switchConnection(alice)).toMatchObject({
        current: { issuer: OTHER_ISSUER },
        next: null,
      })
      expect(await service.count('sessions')).toBe(0)
      const again = await service.enter({ iss: OTHER_ISSUER, sub: 'a1', email: 'alice@acme.com' })
      expect(again).toMatchObject({ userId: alice.user.userId, role: 'administrator' })
      const other = await service.enter({ iss: OTHER_ISSUER, sub: 'b1', email: 'bob@acme.com' })
      expect(other.userId).toBe(bob.user.userId)
    })

    test('is not contacted by a sign-in that began at the old one', async () => {
      const { administration, service, alice, test: signInOnce } = acme()
      const browser = randomString()
      const trip = await service.goTo({ email: 'bob@acme.com' }, browser, { sub: 'bob', email: 'bob@acme.com' })
      await proposeOther()
      await signInOnce(alice, { iss: OTHER_ISSUER, ...asAlice })
      await administration.switchConnection(alice)
      const requestsBefore = service.idp.requestCount('/token')
      expect(await outcomeOf(service.comeBack(trip, browser))).toBe('bad_request')
      expect(service.idp.requestCount('/token')).toBe(requestsBefore)
    })

    test('that is switched to while a browser comes back from the old one rejects that sign-in', async () => {
      const { administration, service, alice, test: signInOnce } = acme()
      await proposeOther()
      await signInOnce(alice, { iss: OTHER_ISSUER, ...asAlice })
      const browser = randomString()
      const trip = await service.goTo({ email: 'bob@acme.com' }, browser, { sub: 'bob', email: 'bob@acme.com' })
      const token = service.idp.token
      service.idp.token = async (request) => {
        await administration.switchConnection(alice)
        return token(request)
      }
      expect(await outcomeOf(service.comeBack(trip, browser))).toBe('bad_request')
      expect(await service.count('sessions')).toBe(0)
    })

    test('requires its well-known URL and its client', async () => {
      for (const missing of ['client_id', 'well_known_url'] as const) {
        const { [missing]: _, ...request } = OTHER_IDP
        await expect(propose(request)).rejects.toThrow(`${missing} is missing`)
      }
      await expect(propose({ ...OTHER_IDP, well_known_url: 'idp' })).rejects.toThrow('well_known_url must be a URL')
      await expect(propose({ client_secret: 'two\nlines' })).rejects.toThrow('client_secret must be 1 to')
    })
  })

  describe('the test', () => {
    test('that passes as another user does not allow the switch', async () => {
      const { administration, alice, bob, test: signInOnce } = acme()
      await propose()
      await signInOnce(alice, { sub: 'bob', email: 'bob@acme.com' })
      await expect(administration.switchConnection(alice)).rejects.toThrow(
        'The next connection was tested as bob@acme.com, but you are alice@acme.com.',
      )
      await administration.setRole(alice, bob.user.userId, 'administrator')
      expect(await outcomeOf(administration.switchConnection(bob))).toBe('ok')
    })

    test('that fails says why, and can be repeated', async () => {
      const { administration, alice, test: signInOnce } = acme()
      await propose()
      expect(await signInOnce(alice, { email: 'alice@other.com' })).toMatchObject({
        status: 'failed',
        reason: 'wrong_domain',
      })
      expect((await read()).next).toMatchObject({
        status: 'failed',
        detail: expect.stringContaining('only for addresses at acme.com'),
        tested_as: null,
      })
      expect(await outcomeOf(administration.switchConnection(alice))).toBe('connection_untested')
      expect(await signInOnce(alice, asAlice)).toMatchObject({ status: 'passed' })
    })

    test('creates no account and no session', async () => {
      const { service, alice, test: signInOnce } = acme()
      await propose()
      const before = [await service.count('users'), await service.count('sessions')]
      await signInOnce(alice, { sub: 'carol', email: 'carol@acme.com' })
      expect([await service.count('users'), await service.count('sessions')]).toEqual(before)
    })

    test('ends after 15 minutes, and the next connection after 48 hours', async () => {
      const { administration, service, alice } = acme()
      await propose()
      const { url } = await administration.startConnectionTest(alice)
      expect((await read()).next).toMatchObject({ status: 'testing', detail: expect.stringContaining('redirect URI') })
      service.setClock('2030-01-01T12:15:00Z')
      expect((await read()).next).toMatchObject({
        status: 'failed',
        detail: expect.stringContaining('No browser came back'),
      })
      expect(await outcomeOf(administration.beginTest(url.split('/').at(-1)!, randomString()))).toBe('not_found')
      service.setClock('2030-01-03T12:00:00Z')
      expect((await read()).next).toBeNull()
      expect(await outcomeOf(administration.startConnectionTest(alice))).toBe('not_found')
      expect(await service.count('connection_replacements')).toBe(1)
      await dropExpiredReplacements(service.deps)
      expect(await service.count('connection_replacements')).toBe(0)
      expect((await service.actions()).at(-1)).toBe('connection.dropped')
    })

    test('works once, for the browser and the connection with which it began', async () => {
      const { administration, service, alice } = acme()
      await propose()
      const begin = async (browser: string) => {
        const { url } = await administration.startConnectionTest(alice)
        const sent = await administration.beginTest(url.split('/').at(-1)!, browser)
        const { pathname, searchParams } = new URL(service.respond(new URL(sent!), asAlice))
        return { callbackId: pathname.split('/').at(-1)!, query: searchParams }
      }
      const browser = randomString()
      const back = await begin(browser)
      for (const other of [undefined, randomString(), 'x']) {
        expect(await outcomeOf(administration.finishTest({ ...back, browser: other }, REQUESTER))).toBe('bad_request')
      }
      // It is not a login, either.
      expect(
        await service.sessions.finish({ ...back, browser }, undefined, { ...REQUESTER, agent: '' }),
      ).toBeUndefined()
      const outdated = await begin(browser)
      await propose()
      expect(await administration.finishTest({ ...back, browser }, REQUESTER)).toBeUndefined()
      expect(await administration.finishTest({ ...outdated, browser }, REQUESTER)).toBeUndefined()
      const good = { ...(await begin(browser)), browser }
      expect(await administration.finishTest(good, REQUESTER)).toMatchObject({ status: 'passed' })
      expect(await administration.finishTest(good, REQUESTER)).toBeUndefined()
    })

    test('keeps the latest five tabs', async () => {
      const { administration, service, alice } = acme()
      await propose()
      const { url } = await administration.startConnectionTest(alice)
      for (let tab = 0; tab < 8; tab++) await administration.beginTest(url.split('/').at(-1)!, randomString())
      expect(await service.count('logins')).toBe(5)
    })
  })

  describe('the next connection', () => {
    test('is dropped once, or replaced by another one', async () => {
      const { administration, alice } = acme()
      const first = await propose()
      const second = await propose()
      expect(second.id).not.toBe(first.id)
      await administration.dropNextConnection(alice)
      expect(await outcomeOf(administration.dropNextConnection(alice))).toBe('not_found')
      expect((await read()).next).toBeNull()
    })

    test('is deleted when the organization is connected again with a code', async () => {
      const { service } = acme()
      await propose()
      await service.connect()
      expect(await service.count('connection_replacements')).toBe(0)
    })

    test('is deleted with its organization', async () => {
      const { administration, service, alice } = acme()
      await propose()
      await administration.addDomain(alice, 'acme.org')
      await service.world.operations.removeOrganization('Acme')
      expect(await service.count('connection_replacements')).toBe(0)
      expect(await service.count('domain_claims')).toBe(0)
    })

    test('stores its secret encrypted, with the latest key after a rotation, and never shows it', async () => {
      const { administration, service, alice, test: signInOnce } = acme()
      const { id } = await propose()
      const { keyId } = await service.world.operations.rotateKeys()
      const [row] = await service.deps.database.query<{ client_secret: string; secret_key_id: string }>(
        'select client_secret, secret_key_id from connection_replacements',
      )
      expect(row).toMatchObject({ secret_key_id: keyId })
      const key = await service.deps.keys.encryptionKey(keyId)
      expect(decryptSecret([key!], row!.client_secret, replacementSecretContext(id))).toBe(NEW_SECRET.client_secret)
      await signInOnce(alice, asAlice)
      await administration.switchConnection(alice)
      const records = await administration.readAudit(alice.user, {
        limit: '200',
        before: undefined,
        action: undefined,
      })
      expect(JSON.stringify([await read(), records])).not.toContain(NEW_SECRET.client_secret)
      expect(await secretInUse()).toBe(NEW_SECRET.client_secret)
    })
  })
})
