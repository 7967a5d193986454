import { describe, expect, test } from 'vitest'
import { onBothEngines } from '../../test/engines.js'
import { useSteps } from '../../test/onboarding-steps.js'
import { CLIENT, outcomeOf, providerAt, type REQUEST, removeTemporaryFolders } from '../../test/world.js'
import { Problem } from '../problem.js'

removeTemporaryFolders()

onBothEngines((database) => {
  const { world, begin, open, complete } = useSteps(database)

  describe('a transaction', () => {
    test('is returned for the same request, without contacting the identity provider again', async () => {
      const { token } = await begin()
      const first = await open(token)
      expect(await open(token, { domain: ' ACME.COM. ', org_name: ' Acme Inc. ' })).toEqual(first)
      expect(world().discovery.discovered).toHaveLength(1)
    })

    test.each([{ domain: 'acme.org' }, { org_name: 'Acme' }, { well_known_url: 'https://idp.acme.org/x' }])(
      'is superseded by another request: %o',
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

    test('is valid for 48 hours, to the millisecond', async () => {
      const { token } = await begin()
      const { transaction_id } = await open(token)
      world().setClock('2030-01-03T12:00:00.000Z')
      expect(await outcomeOf(complete(token, transaction_id))).toBe('transaction_expired')
      world().setClock('2030-01-03T11:59:59.999Z')
      expect(await outcomeOf(complete(token, transaction_id))).toBe('ok')
    })

    test('that has expired is replaced when the same request is sent again', async () => {
      const { token } = await begin()
      const first = await open(token)
      world().setClock('2030-01-03T12:00:00Z')
      const second = await open(token)
      expect(second.transaction_id).not.toBe(first.transaction_id)
      expect(await outcomeOf(complete(token, second.transaction_id))).toBe('ok')
    })

    test('of another code is unknown, and so is a string that is not a transaction id', async () => {
      const acme = await begin()
      const evil = await begin('Evil')
      const { transaction_id } = await open(acme.token)
      for (const id of [transaction_id, '', '\0', 'x'.repeat(22), "' or true --"]) {
        expect(await outcomeOf(complete(evil.token, id))).toBe('unknown_transaction')
      }
    })

    test('stays open if the identity provider rejects the client or does not respond', async () => {
      const { token } = await begin()
      const { transaction_id } = await open(token)
      for (const code of ['client_rejected', 'idp_unavailable'] as const) {
        world().discovery.problem = new Problem(code, 'no')
        expect(await outcomeOf(complete(token, transaction_id))).toBe(code)
      }
      expect(await world().operations.showOrganization('Acme')).toMatchObject({ connected: false, domains: [] })
      world().discovery.problem = undefined
      expect(await outcomeOf(complete(token, transaction_id))).toBe('ok')
    })

    test('is not opened if discovery fails', async () => {
      const { token } = await begin()
      world().discovery.problem = new Problem('discovery_failed', 'no')
      expect(await outcomeOf(open(token))).toBe('discovery_failed')
      expect(await database.current().query('select id from transactions')).toEqual([])
    })

    test('is not opened for a configuration that PostgreSQL cannot store', async () => {
      const { token } = await begin()
      world().discovery.discover = async (url) => ({ ...providerAt(url), issuer: 'https://a\0b' })
      expect(await outcomeOf(open(token))).toBe('discovery_failed')
    })
  })

  describe('a request', () => {
    test('is rejected with all of its invalid fields', async () => {
      const { token } = await begin()
      await expect(open(token, { domain: 'acme', org_name: ' ', well_known_url: 'acme' })).rejects.toMatchObject({
        code: 'invalid_request',
        errors: [{ field: 'well_known_url' }, { field: 'domain' }, { field: 'org_name' }],
      })
    })

    test.each(['\0', 'a\nb', '\ud800', 'x'.repeat(201), '\u{1f600}'.repeat(201)])(
      'with an invalid name is rejected (%#)',
      async (org_name) => {
        const { token } = await begin()
        expect(await outcomeOf(open(token, { org_name }))).toBe('invalid_request')
      },
    )

    test('may have a name of 200 characters in any script', async () => {
      const { token } = await begin()
      expect(await outcomeOf(open(token, { org_name: '\u{1f600}'.repeat(200) }))).toBe('ok')
    })

    test('for a public mail domain is rejected', async () => {
      const { token } = await begin()
      expect(await outcomeOf(open(token, { domain: 'GMail.com' }))).toBe('public_domain')
    })

    test.each([{ client_id: ' ' }, { client_secret: '' }, { client_secret: 'a\0b' }, { client_id: 'x'.repeat(5000) }])(
      'to complete with an invalid client is rejected (%#)',
      async (wrong) => {
        const { token } = await begin()
        const { transaction_id } = await open(token)
        expect(await outcomeOf(complete(token, transaction_id, { ...CLIENT, ...wrong }))).toBe('invalid_request')
        expect(world().discovery.checked).toEqual([])
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

    test('belongs to the organization that completes first', async () => {
      const acme = await begin('Acme')
      const evil = await begin('Evil')
      const ofAcme = await open(acme.token)
      const ofEvil = await open(evil.token)
      expect(await outcomeOf(complete(evil.token, ofEvil.transaction_id))).toBe('ok')
      expect(await outcomeOf(complete(acme.token, ofAcme.transaction_id))).toBe('domain_taken')
      expect(await outcomeOf(open(acme.token))).toBe('domain_taken')
    })

    test('can be connected again with a new code of its organization, which replaces the connection at completion', async () => {
      const first = await connect('Acme')
      const { token } = await begin('Acme')
      const second = await open(token, { well_known_url: 'https://new.acme.com/.well-known/openid-configuration' })
      expect(await world().operations.showOrganization('Acme')).toMatchObject({ signInUri: first.sign_in_uri })
      await complete(token, second.transaction_id)
      expect(await world().operations.showOrganization('Acme')).toMatchObject({
        signInUri: second.sign_in_uri,
        issuer: 'https://new.acme.com',
        domains: ['acme.com'],
      })
    })
  })
})
