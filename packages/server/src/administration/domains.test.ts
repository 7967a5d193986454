import { afterEach, describe, expect, test, vi } from 'vitest'
import { useAcme } from '../../test/administration/acme.js'
import { onPglite } from '../../test/engines.js'
import { outcomeOf, outcomesOf, removeTemporaryFolders, times } from '../../test/world.js'

removeTemporaryFolders()

onPglite((database) => {
  const acme = useAcme(database)
  const add = (domain: string) => acme().administration.addDomain(acme().alice, domain)
  const check = (domain: string) => acme().administration.checkDomain(acme().alice, domain)
  const remove = (domain: string) => acme().administration.removeDomain(acme().alice, domain)
  /** Adds a domain and puts its record into the DNS. */
  const prove = async (domain: string) => {
    const { record } = await add(domain)
    acme().service.dns.set(record.name, [['v=spf1 -all'], [record.value]])
    return check(domain)
  }
  afterEach(() => vi.restoreAllMocks())
  /** Runs other work during a call, after a number of reads outside a transaction. */
  const afterReads = (count: number, work: () => Promise<unknown>) => {
    const read = database.current().query
    let reads = 0
    const spy = vi.spyOn(database.current(), 'query').mockImplementation(async (...query) => {
      const rows = await read(...query)
      if (++reads === count) {
        spy.mockRestore()
        await work()
      }
      return rows
    })
  }

  describe('a domain', () => {
    test('is added and verified by its record, and then its users can sign in', async () => {
      const { administration, service, alice } = acme()
      const added = await add('ACME.org ')
      expect(added).toMatchObject({ domain: 'acme.org', status: 'pending', primary: false, verified_at: null })
      expect(added.record).toEqual({
        type: 'TXT',
        name: '_omen.acme.org',
        value: expect.stringMatching(/^omen-domain=/),
      })
      expect(await add('acme.org')).toEqual(added)
      await expect(service.signIn({ sub: 'carol', email: 'carol@acme.org' })).rejects.toThrow('unknown_address')
      expect(await outcomeOf(check('acme.org'))).toBe('domain_unverified')
      expect(await prove('acme.org')).toMatchObject({ status: 'verified', record: added.record })
      expect(await check('acme.org')).toMatchObject({ status: 'verified' })
      const carol = await service.enter({ sub: 'carol', email: 'carol@acme.org' })
      expect(carol).toMatchObject({ role: 'member', org: { name: 'Acme Inc.', domain: 'acme.org' } })
      expect(await administration.readOrganization(alice.user)).toMatchObject({
        domain: 'acme.com',
        domains: ['acme.com', 'acme.org'],
      })
      expect((await administration.listDomains(alice.user)).map(({ domain, primary }) => [domain, primary])).toEqual([
        ['acme.com', true],
        ['acme.org', false],
      ])
      expect(await service.actions()).toEqual(expect.arrayContaining(['domain.added', 'domain.verified']))
    })

    test('in another script is stored in ASCII form', async () => {
      expect(await add('Bücher.de')).toMatchObject({ domain: 'xn--bcher-kva.de' })
      expect(await prove('xn--bcher-kva.de')).toMatchObject({ status: 'verified' })
      await acme().service.enter({ sub: 'c', email: 'c@bücher.de' })
    })

    test('that is public or not a domain name is rejected, and an unknown one is not found', async () => {
      for (const domain of ['x', 'a@b.com', 'https://acme.org', `${'a.'.repeat(124)}org`]) {
        expect(await outcomeOf(add(domain))).toBe('invalid_request')
      }
      expect(await outcomeOf(add('gmail.com'))).toBe('public_domain')
      for (const domain of ['nothing.org', '../members', '_omen.acme.org', 'evil.com']) {
        expect(await outcomeOf(check(domain))).toBe('not_found')
        expect(await outcomeOf(remove(domain))).toBe('not_found')
      }
    })

    test('of the onboarding cannot be removed, and removing another one signs its users out', async () => {
      const { service, administration, alice } = acme()
      expect(await outcomeOf(remove('acme.com'))).toBe('primary_domain')
      await prove('acme.org')
      const cookie = await service.signIn({ sub: 'carol', email: 'carol@acme.org' })
      await remove('acme.org')
      expect(await service.sessions.read(cookie)).toBeUndefined()
      await expect(service.signIn({ sub: 'carol', email: 'carol@acme.org' })).rejects.toThrow('unknown_address')
      expect(await service.sessions.list(alice.user)).toHaveLength(1)
      expect(await administration.listDomains(alice.user)).toHaveLength(1)
    })

    test('that is removed while a browser comes back from the identity provider rejects the sign-in', async () => {
      const { service } = acme()
      await prove('acme.org')
      const browser = 'b'.repeat(43)
      const trip = await service.goTo({ email: 'carol@acme.org' }, browser, { sub: 'carol', email: 'carol@acme.org' })
      const token = service.idp.token
      service.idp.token = async (request) => {
        await remove('acme.org')
        return token(request)
      }
      expect(await outcomeOf(service.comeBack(trip, browser))).toBe('bad_request')
      expect(await service.count(`users where email = 'carol@acme.org'`)).toBe(0)
    })

    test('cannot be removed if no administrator could sign in afterwards', async () => {
      const { administration, service, alice } = acme()
      await prove('acme.org')
      const carol = await service.enter({ sub: 'carol', email: 'carol@acme.org' })
      await administration.setRole(alice, carol.userId, 'administrator')
      const by = { user: carol, requester: alice.requester }
      await administration.setRole(by, alice.user.userId, 'member')
      expect(await outcomeOf(administration.removeDomain(by, 'acme.org'))).toBe('last_administrator')
      expect(await administration.listDomains(carol)).toHaveLength(2)
    })

    test('that is pending at one organization can be verified by another, which then owns it', async () => {
      const { administration, service, eve } = acme()
      const evil = await eve()
      const claimed = await administration.addDomain(evil, 'acme.org')
      service.dns.set('_omen.acme.org', [[claimed.record.value]])
      const { record } = await add('acme.org')
      expect(record.value).not.toBe(claimed.record.value)
      expect(await outcomeOf(check('acme.org'))).toBe('domain_unverified')
      service.dns.set('_omen.acme.org', [[record.value]])
      expect(await check('acme.org')).toMatchObject({ status: 'verified' })
      expect(await outcomeOf(administration.checkDomain(evil, 'acme.org'))).toBe('domain_taken')
      expect(await outcomeOf(administration.addDomain(evil, 'acme.com'))).toBe('domain_taken')
      await administration.removeDomain(evil, 'acme.org')
      expect(await outcomeOf(administration.addDomain(evil, 'acme.org'))).toBe('domain_taken')
    })

    test('that is removed and added again during the lookup is not verified by the old record', async () => {
      const { service } = acme()
      const { record } = await add('acme.org')
      service.dns.set(record.name, async () => {
        await remove('acme.org')
        await add('acme.org')
        return [[record.value]]
      })
      expect(await outcomeOf(check('acme.org'))).toBe('not_found')
    })

    describe.each([1, 2, 3])('that another request verifies after %i reads of this one', (reads) => {
      test('is verified for this one, too', async () => {
        const { record } = await add('acme.org')
        acme().service.dns.set(record.name, [[record.value]])
        afterReads(reads, () => check('acme.org'))
        expect(await check('acme.org')).toMatchObject({ status: 'verified', record })
      })

      test('is listed once', async () => {
        const { administration, service, alice } = acme()
        const { record } = await add('acme.org')
        service.dns.set(record.name, [[record.value]])
        afterReads(reads, () => check('acme.org'))
        const listed = await administration.listDomains(alice.user)
        expect(listed.map(({ domain }) => domain)).toEqual(['acme.com', 'acme.org'])
      })
    })

    test('is one of at most twenty pending ones', async () => {
      const all = times(25, (index) => add(`acme${index}.org`))
      expect(await outcomesOf(all)).toEqual({ ok: 20, too_many_domains: 5 })
    })

    test('that a new code connects becomes the primary one, whether or not it was added before', async () => {
      const { administration, service, alice } = acme()
      await add('acme.net')
      await service.connect('Acme', 'acme.net')
      const domains = await administration.listDomains(alice.user)
      expect(domains.map(({ domain, status, primary }) => [domain, status, primary])).toEqual([
        ['acme.net', 'verified', true],
        ['acme.com', 'verified', false],
      ])
    })
  })
})
