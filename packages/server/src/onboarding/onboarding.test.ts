import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { onBothEngines } from '../../test/engines.js'
import {
  CALLER,
  CLIENT,
  makeWorld,
  outcomeOf,
  providerAt,
  REQUEST,
  removeTemporaryFolders,
  URLS,
  type World,
} from '../../test/world.js'
import { signToken } from '../keys/tokens.js'
import { Problem } from '../problem.js'

removeTemporaryFolders()

onBothEngines((database) => {
  let world: World
  beforeEach(async () => {
    world = await makeWorld(database.current())
  })

  const issue = (org = 'Acme', more: { domain?: string; expires?: string } = {}) =>
    world.operations.issueCode({ org, expires: '2030-01-10', ...more })
  const exchange = async (code: string) => (await world.onboarding.exchangeCode(code, CALLER)).token
  const begin = async (org = 'Acme', more: { domain?: string; expires?: string } = {}) => {
    const { code, id } = await issue(org, more)
    return { code, id, token: await exchange(code) }
  }
  const open = (token: string | undefined, more: Partial<typeof REQUEST> = {}) =>
    world.onboarding.openTransaction(token, { ...REQUEST, ...more }, CALLER)
  const complete = (token: string | undefined, transaction: string, client = CLIENT) =>
    world.onboarding.complete(token, transaction, client, CALLER)

  test('four steps lead from a code to a connection', async () => {
    const { code } = await issue()
    const token = await exchange(code)
    const opened = await open(token)
    expect(opened.transaction_id).toMatch(/^[1-9A-HJ-NP-Za-km-z]{22}$/)
    expect(opened.sign_in_uri).toMatch(/^https:\/\/omen\.test\/v1\/auth\/callback\/[0-9a-f-]{36}$/)
    expect(await complete(token, opened.transaction_id)).toEqual({
      status: 'completed',
      login_url: `${URLS.baseUrl}/v1/auth/login`,
      app_url: URLS.appUrl,
    })
    expect(world.discovery.checked).toEqual([
      { clientId: CLIENT.client_id, clientSecret: CLIENT.client_secret, redirectUri: opened.sign_in_uri },
    ])
    expect(await world.operations.showOrganization('Acme')).toMatchObject({
      name: 'Acme',
      domains: ['acme.com'],
      connected: true,
      issuer: 'https://idp.acme.com',
      clientId: 'client-7',
      signInUri: opened.sign_in_uri,
      codes: [{ state: 'completed' }],
    })
  })

  test('a token is an ES256 JWT for onboarding alone, until the end of the expiry date', async () => {
    const { id, token } = await begin()
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'ES256', kid: world.keys.ring().signing[0]!.id })
    const end = Date.UTC(2030, 0, 11) / 1000
    expect(decodeJwt(token)).toMatchObject({ sub: id, aud: 'omen-onboarding', exp: end })
  })

  describe('a code', () => {
    test('is understood as people type it', async () => {
      const { code } = await issue()
      for (const typed of [code.toLowerCase(), ` ${code}\n`, code.replace('-', ''), code.replace('-', ' – ')]) {
        expect(await outcomeOf(exchange(typed))).toBe('ok')
      }
    })

    test('can be exchanged again, for a fresh token each time', async () => {
      const { code } = await issue()
      expect(await exchange(code)).not.toBe(await exchange(code))
    })

    test.each(['', 'x', 'K7QF2M-9XTR4', 'K7QF2M-9XTR4U', '\0', 'é'.repeat(12), '0'.repeat(100_000), 'AAAAAA-AAAAAA'])(
      'that is unknown or no code is not valid (%#)',
      async (typed) => expect(await outcomeOf(exchange(typed))).toBe('invalid_code'),
    )

    test('works until its expiry date begins, its token until that date ends (UTC)', async () => {
      const { code } = await issue()
      world.setClock('2030-01-09T23:59:59.999Z')
      const token = await exchange(code)
      world.setClock('2030-01-10T00:00:00.000Z')
      expect(await outcomeOf(exchange(code))).toBe('code_expired')
      world.setClock('2030-01-10T23:59:59.999Z')
      const { transaction_id } = await open(token)
      world.setClock('2030-01-11T00:00:00.000Z')
      expect(await outcomeOf(open(token))).toBe('token_expired')
      expect(await outcomeOf(complete(token, transaction_id))).toBe('token_expired')
      expect(await outcomeOf(exchange(code))).toBe('code_expired')
    })

    test('that is revoked is not valid any more, and neither are its tokens', async () => {
      const { code, token } = await begin()
      const { transaction_id } = await open(token)
      await world.operations.revokeCode(code)
      expect(await outcomeOf(exchange(code))).toBe('invalid_code')
      expect(await outcomeOf(open(token))).toBe('invalid_token')
      expect(await outcomeOf(complete(token, transaction_id))).toBe('invalid_token')
    })

    test('that has completed is used up, and its tokens say so on both calls', async () => {
      const { code, token } = await begin()
      const { transaction_id } = await open(token)
      await complete(token, transaction_id)
      expect(await outcomeOf(exchange(code))).toBe('code_used')
      expect(await outcomeOf(open(token))).toBe('code_used')
      expect(await outcomeOf(open(token, { domain: '-' }))).toBe('code_used')
      expect(await outcomeOf(complete(token, transaction_id))).toBe('code_used')
      expect(await outcomeOf(complete(token, 'nothing'))).toBe('code_used')
    })

    test('bound to a domain opens transactions for that domain only', async () => {
      const { token } = await begin('Acme', { domain: 'ACME.com.' })
      await expect(open(token, { domain: 'acme.org' })).rejects.toMatchObject({
        code: 'invalid_request',
        errors: [{ field: 'domain', message: 'is not the one of this code, which is for acme.com only' }],
      })
      expect(await outcomeOf(open(token))).toBe('ok')
    })
  })

  describe('a token', () => {
    test.each([undefined, ''])('that is absent is missed (%#)', async (token) => {
      expect(await outcomeOf(open(token))).toBe('missing_token')
      expect(await outcomeOf(complete(token, 'x'))).toBe('missing_token')
    })

    test.each(['x', 'a.b.c', '\0', 'é', `${'x'.repeat(100_000)}.y.z`, 'eyJhbGciOiJub25lIn0.e30.'])(
      'that is none of ours is not valid (%#)',
      async (token) => expect(await outcomeOf(open(token))).toBe('invalid_token'),
    )

    test('of ours for another audience is not valid', async () => {
      const { id } = await begin()
      const times = { issuedAt: new Date('2030-01-01'), expiresAt: new Date('2030-02-01') }
      const token = await signToken(world.keys, { audience: 'omen-session', subject: id, ...times })
      expect(await outcomeOf(open(token))).toBe('invalid_token')
    })

    test('signed with the public key as a shared secret is not valid', async () => {
      const { id } = await begin()
      const { id: kid, publicKey } = world.keys.ring().signing[0]!
      const token = await new SignJWT({ sub: id, aud: 'omen-onboarding', iss: 'omen-server', exp: 2_000_000_000 })
        .setProtectedHeader({ alg: 'HS256', kid })
        .sign(new TextEncoder().encode(publicKey.export({ format: 'pem', type: 'spki' }).toString()))
      expect(await outcomeOf(open(token))).toBe('invalid_token')
    })

    test('whose code is unknown, as after a restored backup, is not valid', async () => {
      const token = await signToken(world.keys, {
        audience: 'omen-onboarding',
        subject: '7e3f9f0e-5c6f-4f5e-9d38-0a2a4f0f3b11',
        issuedAt: new Date('2030-01-01'),
        expiresAt: new Date('2030-02-01'),
      })
      expect(await outcomeOf(open(token))).toBe('invalid_token')
    })
  })

  describe('a transaction', () => {
    test('is given again to the same request, without asking the identity provider again', async () => {
      const { token } = await begin()
      const first = await open(token)
      expect(await open(token, { domain: ' ACME.COM. ', org_name: ' Acme Inc. ' })).toEqual(first)
      expect(world.discovery.discovered).toHaveLength(1)
    })

    test.each([{ domain: 'acme.org' }, { org_name: 'Acme' }, { well_known_url: 'https://idp.acme.org/x' }])(
      'makes way for another request: %o',
      async (other) => {
        const { token } = await begin()
        const first = await open(token)
        const second = await open(token, other)
        expect(second.transaction_id).not.toBe(first.transaction_id)
        expect(second.sign_in_uri).not.toBe(first.sign_in_uri)
        expect(await outcomeOf(complete(token, first.transaction_id))).toBe('transaction_expired')
        expect(await outcomeOf(complete(token, second.transaction_id))).toBe('ok')
      },
    )

    test('lives for 48 hours to the millisecond', async () => {
      const { token } = await begin()
      const { transaction_id } = await open(token)
      world.setClock('2030-01-03T12:00:00.000Z')
      expect(await outcomeOf(complete(token, transaction_id))).toBe('transaction_expired')
      world.setClock('2030-01-03T11:59:59.999Z')
      expect(await outcomeOf(complete(token, transaction_id))).toBe('ok')
    })

    test('that has expired makes way for a new one of the same request', async () => {
      const { token } = await begin()
      const first = await open(token)
      world.setClock('2030-01-03T12:00:00Z')
      const second = await open(token)
      expect(second.transaction_id).not.toBe(first.transaction_id)
      expect(await outcomeOf(complete(token, second.transaction_id))).toBe('ok')
    })

    test("of somebody else's code is unknown, and so is what is no transaction", async () => {
      const acme = await begin()
      const evil = await begin('Evil')
      const { transaction_id } = await open(acme.token)
      for (const id of [transaction_id, '', '\0', 'x'.repeat(22), "' or true --"]) {
        expect(await outcomeOf(complete(evil.token, id))).toBe('unknown_transaction')
      }
    })

    test('stays open when the identity provider rejects the client or does not answer', async () => {
      const { token } = await begin()
      const { transaction_id } = await open(token)
      for (const code of ['client_rejected', 'idp_unavailable'] as const) {
        world.discovery.problem = new Problem(code, 'no')
        expect(await outcomeOf(complete(token, transaction_id))).toBe(code)
      }
      expect(await world.operations.showOrganization('Acme')).toMatchObject({ connected: false, domains: [] })
      world.discovery.problem = undefined
      expect(await outcomeOf(complete(token, transaction_id))).toBe('ok')
    })

    test('is not opened when discovery fails', async () => {
      const { token } = await begin()
      world.discovery.problem = new Problem('discovery_failed', 'no')
      expect(await outcomeOf(open(token))).toBe('discovery_failed')
      expect(await database.current().query('select id from transactions')).toEqual([])
    })

    test('is not opened for a published configuration that no database can keep', async () => {
      const { token } = await begin()
      world.discovery.discover = async (url) => ({ ...providerAt(url), issuer: 'https://a\0b' })
      expect(await outcomeOf(open(token))).toBe('discovery_failed')
    })
  })

  describe('a request', () => {
    test('is told everything that is wrong with it', async () => {
      const { token } = await begin()
      await expect(open(token, { domain: 'acme', org_name: ' ', well_known_url: 'acme' })).rejects.toMatchObject({
        code: 'invalid_request',
        errors: [{ field: 'well_known_url' }, { field: 'domain' }, { field: 'org_name' }],
      })
    })

    test.each(['\0', 'a\nb', '\ud800', 'x'.repeat(201), '\u{1f600}'.repeat(201)])(
      'with a name that cannot be one is not valid (%#)',
      async (org_name) => {
        const { token } = await begin()
        expect(await outcomeOf(open(token, { org_name }))).toBe('invalid_request')
      },
    )

    test('may have a name of 200 characters of any script', async () => {
      const { token } = await begin()
      expect(await outcomeOf(open(token, { org_name: '\u{1f600}'.repeat(200) }))).toBe('ok')
    })

    test('for a public mail domain is refused', async () => {
      const { token } = await begin()
      expect(await outcomeOf(open(token, { domain: 'GMail.com' }))).toBe('public_domain')
    })

    test.each([{ client_id: ' ' }, { client_secret: '' }, { client_secret: 'a\0b' }, { client_id: 'x'.repeat(5000) }])(
      'to complete with what is no client is not valid: %#',
      async (wrong) => {
        const { token } = await begin()
        const { transaction_id } = await open(token)
        expect(await outcomeOf(complete(token, transaction_id, { ...CLIENT, ...wrong }))).toBe('invalid_request')
        expect(world.discovery.checked).toEqual([])
      },
    )
  })

  describe('a domain', () => {
    const connect = async (org: string, more: Partial<typeof REQUEST> = {}) => {
      const { token } = await begin(org)
      const opened = await open(token, more)
      await complete(token, opened.transaction_id)
      return opened
    }

    test('of another organization is taken, in every spelling', async () => {
      await connect('Acme', { domain: 'bücher.de' })
      const { token } = await begin('Evil')
      for (const domain of ['bücher.de', 'BÜCHER.DE.', 'xn--bcher-kva.de', 'ｂücher。de']) {
        expect(await outcomeOf(open(token, { domain }))).toBe('domain_taken')
      }
      expect(await outcomeOf(open(token, { domain: 'bucher.de' }))).toBe('ok')
    })

    test('is taken at completion by who completes first', async () => {
      const acme = await begin('Acme')
      const evil = await begin('Evil')
      const ofAcme = await open(acme.token)
      const ofEvil = await open(evil.token)
      expect(await outcomeOf(complete(evil.token, ofEvil.transaction_id))).toBe('ok')
      expect(await outcomeOf(complete(acme.token, ofAcme.transaction_id))).toBe('domain_taken')
      expect(await outcomeOf(open(acme.token))).toBe('domain_taken')
    })

    test('is connected again by a new code of its organization, which replaces the connection at completion only', async () => {
      const first = await connect('Acme')
      const { token } = await begin('Acme')
      const second = await open(token, { well_known_url: 'https://new.acme.com/.well-known/openid-configuration' })
      expect(await world.operations.showOrganization('Acme')).toMatchObject({ signInUri: first.sign_in_uri })
      await complete(token, second.transaction_id)
      expect(await world.operations.showOrganization('Acme')).toMatchObject({
        signInUri: second.sign_in_uri,
        issuer: 'https://new.acme.com',
        domains: ['acme.com'],
      })
    })
  })

  test('every change leaves an audit record, and no secret leaves a trace anywhere', async () => {
    const { code, id, token } = await begin()
    const first = await open(token)
    const second = await open(token, { domain: 'acme.org' })
    await complete(token, second.transaction_id)
    const records = await world.operations.audit({})
    const who = { actor: `code ${id}`, org: 'Acme' }
    const from = { address: CALLER.address, request_id: CALLER.requestId }
    expect(records).toMatchObject([
      { actor: 'operator', action: 'organization.created', org: 'Acme' },
      { actor: 'operator', action: 'code.issued', org: 'Acme', detail: { code: id, expires: '2030-01-10' } },
      { ...who, action: 'code.exchanged', detail: from },
      {
        ...who,
        action: 'transaction.opened',
        detail: { transaction: first.transaction_id, domain: 'acme.com', ...from },
      },
      { ...who, action: 'transaction.superseded', detail: { transaction: first.transaction_id } },
      {
        ...who,
        action: 'transaction.opened',
        detail: { transaction: second.transaction_id, domain: 'acme.org', ...from },
      },
      {
        ...who,
        action: 'connection.completed',
        detail: { client_id: 'client-7', issuer: 'https://idp.acme.com', ...from },
      },
    ])
    expect(records.map((record) => record.at)).toEqual(records.map(() => '2030-01-01T12:00:00.000Z'))
    const everything: string[] = []
    for (const table of ['organizations', 'codes', 'transactions', 'connections', 'domains', 'keys', 'audit']) {
      everything.push(JSON.stringify(await database.current().query(`select * from ${table}`)))
    }
    for (const secret of [code, code.replace('-', ''), token, CLIENT.client_secret]) {
      expect(everything.join()).not.toContain(secret)
    }
  })

  test('exchanges of one address within a minute are one record, those of another are not', async () => {
    const { code } = await begin()
    const records = async () => (await world.operations.audit({ action: 'code.exchanged' })).length
    world.setClock('2030-01-01T12:00:59.999Z')
    await exchange(code)
    expect(await records()).toBe(1)
    await world.onboarding.exchangeCode(code, { ...CALLER, address: '2001:db8::1' })
    expect(await records()).toBe(2)
    world.setClock('2030-01-01T12:02:00Z')
    await exchange(code)
    expect(await records()).toBe(3)
  })

  test('a clock that is set back breaks nothing', async () => {
    const { code, token } = await begin()
    world.setClock('2029-06-01T00:00:00Z')
    const again = await exchange(code)
    const { transaction_id } = await open(token)
    expect(await open(again)).toMatchObject({ transaction_id })
    world.setClock('2029-01-01T00:00:00Z')
    expect(await outcomeOf(complete(token, transaction_id))).toBe('ok')
  })
})
