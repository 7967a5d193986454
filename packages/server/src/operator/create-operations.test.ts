import { beforeEach, describe, expect, test } from 'vitest'
import { onBothEngines, onPostgres } from '../../test/engines.js'
import { interrupted, untilItWaits } from '../../test/interleave.js'
import {
  CLIENT,
  makeWorld,
  outcomeOf,
  REQUEST,
  REQUESTER,
  removeTemporaryFolders,
  URLS,
  type World,
} from '../../test/world.js'
import { createOperations } from './create-operations.js'

removeTemporaryFolders()

onBothEngines((database) => {
  let world: World
  beforeEach(async () => {
    world = await makeWorld(database.current())
  })

  const issue = (org = 'Acme', more: { domain?: string; expires?: string } = {}) =>
    world.operations.issueCode({ org, expires: '2030-01-10', ...more })
  const connect = async (org = 'Acme', domain = 'acme.com') => {
    const { code, id } = await issue(org)
    const { token } = await world.onboarding.exchangeCode(code, REQUESTER)
    const { transaction_id } = await world.onboarding.openTransaction(token, { ...REQUEST, domain }, REQUESTER)
    await world.onboarding.complete(token, transaction_id, CLIENT, REQUESTER)
    return { code, id, token }
  }

  describe('issuing a code', () => {
    test('returns the code once, with its organization and expiry', async () => {
      const issued = await issue(' Acme ', { domain: 'ACME.com' })
      expect(issued).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        code: expect.stringMatching(/^[0-9A-Z]{6}-[0-9A-Z]{6}$/),
        org: 'Acme',
        expires: '2030-01-10',
        domain: 'acme.com',
      })
      expect(JSON.stringify(await world.operations.listCodes())).not.toContain(issued.code)
    })

    test.each([
      ['2030-01-01', 'expires is 2030-01-01, but must be after today, 2030-01-01 (UTC)'],
      ['2029-12-31', 'expires is 2029-12-31, but must be after today, 2030-01-01 (UTC)'],
      ['2030-02-30', 'expires is not a date such as 2030-12-31'],
      ['31.12.2030', 'expires is not a date such as 2030-12-31'],
      ['2030-1-5', 'expires is not a date such as 2030-12-31'],
      ['+02030-01-05', 'expires is not a date such as 2030-12-31'],
      ['', 'expires is not a date such as 2030-12-31'],
    ])('with the expiry %j is rejected, and creates no code and no organization', async (expires, message) => {
      await expect(issue('Acme', { expires })).rejects.toThrow(message)
      expect(await world.operations.listCodes()).toEqual([])
      expect(await world.operations.listOrganizations()).toEqual([])
    })

    test.each([['2030-01-02'], ['9999-12-31']])('with the expiry %s is accepted', async (expires) => {
      expect(await issue('Acme', { expires })).toMatchObject({ expires })
    })

    test('is rejected for an invalid name or domain, and for the domain of another organization', async () => {
      await connect()
      expect(await outcomeOf(issue(' '))).toBe('invalid_request')
      expect(await outcomeOf(issue('a\0b'))).toBe('invalid_request')
      expect(await outcomeOf(issue('Evil', { domain: 'com' }))).toBe('invalid_request')
      expect(await outcomeOf(issue('Evil', { domain: 'gmail.com' }))).toBe('public_domain')
      expect(await outcomeOf(issue('Evil', { domain: 'acme.com' }))).toBe('domain_taken')
      expect(await outcomeOf(issue('Acme', { domain: 'acme.com' }))).toBe('ok')
      expect((await world.operations.listOrganizations()).map(({ name }) => name)).toEqual(['Acme'])
    })
  })

  test('lists codes with their state, oldest first', async () => {
    const issued = await issue('A')
    world.setClock('2030-01-01T12:00:01Z')
    const exchanged = await issue('B')
    await world.onboarding.exchangeCode(exchanged.code, REQUESTER)
    world.setClock('2030-01-01T12:00:02Z')
    const revoked = await issue('C', { domain: 'c.com' })
    await world.operations.revokeCode(revoked.code)
    world.setClock('2030-01-01T12:00:03Z')
    const completed = await connect('D', 'd.com')
    const states = async () => (await world.operations.listCodes()).map(({ id, state }) => [id, state])
    expect(await states()).toEqual([
      [issued.id, 'issued'],
      [exchanged.id, 'exchanged'],
      [revoked.id, 'revoked'],
      [completed.id, 'completed'],
    ])
    expect((await world.operations.listCodes())[2]).toEqual({
      id: revoked.id,
      org: 'C',
      domain: 'c.com',
      expires: '2030-01-10',
      state: 'revoked',
      issuedAt: '2030-01-01T12:00:02.000Z',
    })
    world.setClock('2030-01-10T00:00:00Z')
    expect((await states()).map(([, state]) => state)).toEqual(['expired', 'expired', 'revoked', 'completed'])
  })

  describe('revoking a code', () => {
    test('accepts the code or its id, and can be repeated', async () => {
      const one = await issue()
      const two = await issue()
      expect(await world.operations.revokeCode(` ${one.code.toLowerCase()} `)).toMatchObject({
        id: one.id,
        state: 'revoked',
      })
      expect(await world.operations.revokeCode(two.id.toUpperCase())).toMatchObject({ id: two.id, state: 'revoked' })
      expect(await world.operations.revokeCode(two.id)).toMatchObject({ state: 'revoked' })
      expect(await world.operations.audit({ action: 'code.revoked' })).toHaveLength(2)
    })

    test('on its last day ends the tokens that are still valid', async () => {
      const { code, id } = await issue()
      const { token } = await world.onboarding.exchangeCode(code, REQUESTER)
      world.setClock('2030-01-10T12:00:00Z')
      await world.operations.revokeCode(id)
      expect(await outcomeOf(world.onboarding.openTransaction(token, REQUEST, REQUESTER))).toBe('invalid_token')
    })

    test('that is used up is rejected with a hint about the connection', async () => {
      const { code } = await connect()
      await expect(world.operations.revokeCode(code)).rejects.toThrow('omen-server org remove "Acme"')
    })

    test.each(['', 'x', 'AAAAAA-AAAAAA', '00000000-0000-0000-0000-000000000000', '\0'])(
      'that is unknown is rejected: %j',
      async (code) => {
        await expect(world.operations.revokeCode(code)).rejects.toMatchObject({ code: 'invalid_code' })
      },
    )
  })

  describe('an organization', () => {
    test('is listed and shown', async () => {
      await connect()
      await issue('Zebra')
      const acme = { name: 'Acme', domains: ['acme.com'], connected: true, createdAt: '2030-01-01T12:00:00.000Z' }
      expect(await world.operations.listOrganizations()).toEqual([
        acme,
        { name: 'Zebra', domains: [], connected: false, createdAt: '2030-01-01T12:00:00.000Z' },
      ])
      expect(await world.operations.showOrganization('Acme')).toEqual({
        ...acme,
        issuer: 'https://idp.acme.com',
        clientId: 'client-7',
        signInUri: expect.stringContaining(`${URLS.baseUrl}/v1/auth/callback/`),
        connectedAt: '2030-01-01T12:00:00.000Z',
        codes: [expect.objectContaining({ state: 'completed' })],
      })
    })

    test('that is removed releases its domain and its name, and ends its codes', async () => {
      const { code } = await connect()
      const live = await issue()
      const { token } = await world.onboarding.exchangeCode(live.code, REQUESTER)
      expect(await world.operations.removeOrganization('Acme')).toMatchObject({ name: 'Acme', domains: ['acme.com'] })
      expect(await world.operations.listOrganizations()).toEqual([])
      expect(await outcomeOf(world.onboarding.exchangeCode(code, REQUESTER))).toBe('invalid_code')
      expect(await outcomeOf(world.onboarding.exchangeCode(live.code, REQUESTER))).toBe('invalid_code')
      expect(await outcomeOf(world.onboarding.openTransaction(token, REQUEST, REQUESTER))).toBe('invalid_token')
      expect(await database.current().query('select * from connections')).toEqual([])
      await connect('Other')
      await issue('Acme')
      expect(await world.operations.showOrganization('Acme')).toMatchObject({
        connected: false,
        codes: [{ state: 'issued' }],
      })
      expect(await world.operations.audit({ action: 'organization.removed' })).toMatchObject([
        { actor: 'operator', org: 'Acme', detail: { domains: ['acme.com'], connected: true, codes_revoked: 2 } },
      ])
    })

    test.each(['Nobody', '', 'acme', '\0'])('that is unknown is not found: %j', async (name) => {
      await issue()
      expect(await outcomeOf(world.operations.showOrganization(name))).toBe('not_found')
      expect(await outcomeOf(world.operations.removeOrganization(name))).toBe('not_found')
    })
  })

  describe('the audit', () => {
    test('shows the latest records, oldest first, filtered', async () => {
      await issue('A')
      world.setClock('2030-01-02T00:00:00Z')
      await issue('B')
      const actions = async (filter: Parameters<typeof world.operations.audit>[0]) =>
        (await world.operations.audit(filter)).map(({ action, org }) => `${action} ${org}`)
      const all = ['organization.created A', 'code.issued A', 'organization.created B', 'code.issued B']
      expect(await actions({})).toEqual(all)
      expect(await actions({ limit: 1 })).toEqual(all.slice(3))
      expect(await actions({ org: 'A' })).toEqual(all.slice(0, 2))
      expect(await actions({ action: 'code.issued', org: 'B' })).toEqual(all.slice(3))
      expect(await actions({ since: '2030-01-02' })).toEqual(all.slice(2))
      const [first] = await world.operations.audit({})
      expect(await actions({ after: first!.id, limit: 2 })).toEqual(all.slice(1, 3))
      expect(await actions({ org: 'A\0' })).toEqual([])
    })

    test.each([
      { since: 'yesterday' },
      { limit: 0 },
      { limit: 1.5 },
      { limit: 1e9 },
      { after: 'x' },
      { after: '9'.repeat(19) },
    ])('rejects %o with a message', async (filter) =>
      expect(await outcomeOf(world.operations.audit(filter))).toBe('invalid_request'),
    )

    test.each(['update audit set actor = null', 'delete from audit', 'truncate audit'])(
      'cannot be changed by %j',
      async (sql) => {
        await issue()
        await expect(database.current().query(sql)).rejects.toThrow('audit records are never changed or deleted')
      },
    )
  })
})

onPostgres((database) => {
  test('an organization that is removed while it is shown is shown as it was', async () => {
    const world = await makeWorld(database.current())
    const { code } = await world.operations.issueCode({ org: 'Acme', expires: '2030-01-10' })
    const { token } = await world.onboarding.exchangeCode(code, REQUESTER)
    const { transaction_id } = await world.onboarding.openTransaction(token, REQUEST, REQUESTER)
    await world.onboarding.complete(token, transaction_id, CLIENT, REQUESTER)
    let removing: Promise<unknown> = Promise.resolve()
    const middle = interrupted(database.current(), 'from connections where organization_id', () => {
      removing = world.operations.removeOrganization('Acme')
      return untilItWaits(database.current(), removing)
    })
    const { showOrganization } = createOperations({ ...world, database: middle, urls: URLS })
    expect(await showOrganization('Acme')).toMatchObject({
      connected: true,
      issuer: 'https://idp.acme.com',
      codes: [{ state: 'completed' }],
    })
    await removing
    expect(await outcomeOf(showOrganization('Acme'))).toBe('not_found')
  })
})
