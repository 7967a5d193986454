import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { onBothEngines } from '../../test/engines.js'
import { useSteps } from '../../test/onboarding-steps.js'
import { CLIENT, outcomeOf, REQUESTER, removeTemporaryFolders, URLS } from '../../test/world.js'
import { signToken } from '../keys/tokens.js'

removeTemporaryFolders()

onBothEngines((database) => {
  const { world, issue, exchange, begin, open, complete } = useSteps(database)

  test('four steps turn a code into a connection', async () => {
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
    expect(world().discovery.checked).toEqual([
      { clientId: CLIENT.client_id, clientSecret: CLIENT.client_secret, redirectUri: opened.sign_in_uri },
    ])
    expect(await world().operations.showOrganization('Acme')).toMatchObject({
      name: 'Acme',
      domains: ['acme.com'],
      connected: true,
      issuer: 'https://idp.acme.com',
      clientId: 'client-7',
      signInUri: opened.sign_in_uri,
      codes: [{ state: 'completed' }],
    })
  })

  test('a token is an ES256 JWT for onboarding only, valid until the end of the expiry date', async () => {
    const { id, token } = await begin()
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'ES256', kid: world().keys.ring().signing[0]!.id })
    const end = Date.UTC(2030, 0, 11) / 1000
    expect(decodeJwt(token)).toMatchObject({ sub: id, aud: 'omen-onboarding', exp: end })
  })

  describe('a code', () => {
    test('is accepted in every spelling that users type', async () => {
      const { code } = await issue()
      for (const typed of [code.toLowerCase(), ` ${code}\n`, code.replace('-', ''), code.replace('-', ' – ')]) {
        expect(await outcomeOf(exchange(typed))).toBe('ok')
      }
    })

    test('can be exchanged again, for a new token each time', async () => {
      const { code } = await issue()
      expect(await exchange(code)).not.toBe(await exchange(code))
    })

    test.each(['', 'x', 'K7QF2M-9XTR4', 'K7QF2M-9XTR4U', '\0', 'é'.repeat(12), '0'.repeat(100_000), 'AAAAAA-AAAAAA'])(
      'that is unknown or malformed is not valid (%#)',
      async (typed) => expect(await outcomeOf(exchange(typed))).toBe('invalid_code'),
    )

    test('works until its expiry date begins, its token until that date ends (UTC)', async () => {
      const { code } = await issue()
      world().setClock('2030-01-09T23:59:59.999Z')
      const token = await exchange(code)
      world().setClock('2030-01-10T00:00:00.000Z')
      expect(await outcomeOf(exchange(code))).toBe('code_expired')
      world().setClock('2030-01-10T23:59:59.999Z')
      const { transaction_id } = await open(token)
      world().setClock('2030-01-11T00:00:00.000Z')
      expect(await outcomeOf(open(token))).toBe('token_expired')
      expect(await outcomeOf(complete(token, transaction_id))).toBe('token_expired')
      expect(await outcomeOf(exchange(code))).toBe('code_expired')
    })

    test('that is revoked is no longer valid, and neither are its tokens', async () => {
      const { code, token } = await begin()
      const { transaction_id } = await open(token)
      await world().operations.revokeCode(code)
      expect(await outcomeOf(exchange(code))).toBe('invalid_code')
      expect(await outcomeOf(open(token))).toBe('invalid_token')
      expect(await outcomeOf(complete(token, transaction_id))).toBe('invalid_token')
    })

    test('that has completed is used up, and both requests with its tokens report it', async () => {
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
        errors: [{ field: 'domain', message: 'must be acme.com: this code is for that domain only' }],
      })
      expect(await outcomeOf(open(token))).toBe('ok')
    })
  })

  describe('a token', () => {
    test.each([undefined, ''])('that is absent is reported as missing (%#)', async (token) => {
      expect(await outcomeOf(open(token))).toBe('missing_token')
      expect(await outcomeOf(complete(token, 'x'))).toBe('missing_token')
    })

    test.each(['x', 'a.b.c', '\0', 'é', `${'x'.repeat(100_000)}.y.z`, 'eyJhbGciOiJub25lIn0.e30.'])(
      'that this service did not issue is not valid (%#)',
      async (token) => expect(await outcomeOf(open(token))).toBe('invalid_token'),
    )

    test('for another audience is not valid', async () => {
      const { id } = await begin()
      const times = { issuedAt: new Date('2030-01-01'), expiresAt: new Date('2030-02-01') }
      const token = await signToken(world().keys, { audience: 'omen-session', subject: id, ...times })
      expect(await outcomeOf(open(token))).toBe('invalid_token')
    })

    test('signed with the public key as a shared secret is not valid', async () => {
      const { id } = await begin()
      const { id: kid, publicKey } = world().keys.ring().signing[0]!
      const token = await new SignJWT({ sub: id, aud: 'omen-onboarding', iss: 'omen-server', exp: 2_000_000_000 })
        .setProtectedHeader({ alg: 'HS256', kid })
        .sign(new TextEncoder().encode(publicKey.export({ format: 'pem', type: 'spki' }).toString()))
      expect(await outcomeOf(open(token))).toBe('invalid_token')
    })

    test('whose code is unknown, as after a restored backup, is not valid', async () => {
      const token = await signToken(world().keys, {
        audience: 'omen-onboarding',
        subject: '7e3f9f0e-5c6f-4f5e-9d38-0a2a4f0f3b11',
        issuedAt: new Date('2030-01-01'),
        expiresAt: new Date('2030-02-01'),
      })
      expect(await outcomeOf(open(token))).toBe('invalid_token')
    })
  })

  test('every change has an audit record, and no secret is stored or logged', async () => {
    const { code, id, token } = await begin()
    const first = await open(token)
    const second = await open(token, { domain: 'acme.org' })
    await complete(token, second.transaction_id)
    const records = await world().operations.audit({})
    const common = { actor: `code ${id}`, org: 'Acme' }
    const from = { address: REQUESTER.address, request_id: REQUESTER.requestId }
    expect(records).toMatchObject([
      { actor: 'operator', action: 'organization.created', org: 'Acme' },
      { actor: 'operator', action: 'code.issued', org: 'Acme', detail: { code: id, expires: '2030-01-10' } },
      { ...common, action: 'code.exchanged', detail: from },
      {
        ...common,
        action: 'transaction.opened',
        detail: { transaction: first.transaction_id, domain: 'acme.com', ...from },
      },
      { ...common, action: 'transaction.superseded', detail: { transaction: first.transaction_id } },
      {
        ...common,
        action: 'transaction.opened',
        detail: { transaction: second.transaction_id, domain: 'acme.org', ...from },
      },
      {
        ...common,
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

  test('exchanges from one address within a minute share one record', async () => {
    const { code } = await begin()
    const records = async () => (await world().operations.audit({ action: 'code.exchanged' })).length
    world().setClock('2030-01-01T12:00:59.999Z')
    await exchange(code)
    expect(await records()).toBe(1)
    await world().onboarding.exchangeCode(code, { ...REQUESTER, address: '2001:db8::1' })
    expect(await records()).toBe(2)
    world().setClock('2030-01-01T12:02:00Z')
    await exchange(code)
    expect(await records()).toBe(3)
  })

  test('a clock that is set back does no harm', async () => {
    const { code, token } = await begin()
    world().setClock('2029-06-01T00:00:00Z')
    const again = await exchange(code)
    const { transaction_id } = await open(token)
    expect(await open(again)).toMatchObject({ transaction_id })
    world().setClock('2029-01-01T00:00:00Z')
    expect(await outcomeOf(complete(token, transaction_id))).toBe('ok')
  })
})
