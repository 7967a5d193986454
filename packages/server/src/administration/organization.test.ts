import { describe, expect, test } from 'vitest'
import { useAcme } from '../../test/administration/acme.js'
import { onPglite } from '../../test/engines.js'
import { outcomeOf, outcomesOf, REQUESTER, removeTemporaryFolders, times } from '../../test/world.js'

removeTemporaryFolders()

const REQUEST = { name: 'audit export', scopes: ['audit:read'], expires_at: '2030-06-01T02:00:00+02:00' }

onPglite((database) => {
  const acme = useAcme(database)

  describe('members', () => {
    test('are listed by address, with their details', async () => {
      const { administration, alice, bob } = acme()
      expect(await administration.listMembers(alice.user, alice.user.userId)).toEqual([
        {
          id: alice.user.userId,
          email: 'alice@acme.com',
          name: 'Alice',
          role: 'administrator',
          created_at: '2030-01-01T12:00:00.000Z',
          signed_in_at: '2030-01-01T12:00:00.000Z',
          sessions: 1,
          you: true,
        },
        expect.objectContaining({ id: bob.user.userId, name: 'bob@acme.com', role: 'member', you: false }),
      ])
    })

    test('are made administrators and members, which is recorded once', async () => {
      const { administration, alice, bob } = acme()
      const { userId } = bob.user
      expect(await administration.setRole(alice, userId, 'administrator')).toMatchObject({ role: 'administrator' })
      await administration.setRole(alice, userId, 'administrator')
      expect(await administration.setRole(bob, alice.user.userId, 'member')).toMatchObject({ role: 'member' })
      const { records } = await administration.readAudit(bob.user, auditQuery({ action: 'user.role_changed' }))
      expect(records).toMatchObject([
        { actor: 'bob@acme.com', address: REQUESTER.address, detail: { email: 'alice@acme.com', to: 'member' } },
        { actor: 'alice@acme.com', detail: { email: 'bob@acme.com', from: 'member', to: 'administrator' } },
      ])
    })

    test('cannot stop being the last administrator', async () => {
      const { administration, alice } = acme()
      expect(await outcomeOf(administration.setRole(alice, alice.user.userId, 'member'))).toBe('last_administrator')
      expect(await outcomeOf(administration.removeMember(alice, alice.user.userId))).toBe('last_administrator')
      expect(await administration.readOrganization(alice.user)).toMatchObject({ role: 'administrator' })
    })

    test('that are removed lose their sessions and come back as members', async () => {
      const { administration, service, alice, bob } = acme()
      await administration.setRole(alice, bob.user.userId, 'administrator')
      await administration.removeMember(alice, bob.user.userId)
      expect(await service.count(`sessions where user_id = '${bob.user.userId}'`)).toBe(0)
      const again = await service.enter({ sub: 'bob', email: 'bob@acme.com' })
      expect(again).toMatchObject({ role: 'member' })
      expect(again.userId).not.toBe(bob.user.userId)
    })

    test('of another organization are not found', async () => {
      const { administration, alice, eve } = acme()
      const other = (await eve()).user.userId
      expect(await outcomeOf(administration.setRole(alice, other, 'member'))).toBe('not_found')
      expect(await outcomeOf(administration.removeMember(alice, other))).toBe('not_found')
      expect(await outcomeOf(administration.removeMember(alice, 'x'))).toBe('not_found')
    })

    test('who are no longer administrators cannot change anything, even with an old session', async () => {
      const { administration, alice, bob } = acme()
      await administration.setRole(alice, bob.user.userId, 'administrator')
      await administration.setRole(bob, alice.user.userId, 'member')
      const changes = [
        () => administration.setRole(alice, bob.user.userId, 'member'),
        () => administration.addDomain(alice, 'acme.org'),
        () => administration.switchConnection(alice),
      ]
      for (const change of changes) expect(await outcomeOf(change())).toBe('not_administrator')
    })

    test('can be given a role by the operator', async () => {
      const { administration, service, alice } = acme()
      const { operations } = service.world
      expect(await operations.setUserRole({ email: 'ALICE@acme.com', role: 'member' })).toMatchObject({
        role: 'member',
        administrated: false,
      })
      const bob = await operations.setUserRole({ email: 'bob@acme.com', role: 'administrator' })
      expect(bob).toMatchObject({ role: 'administrator', administrated: true, org: 'Acme' })
      expect(await outcomeOf(operations.setUserRole({ email: 'nobody@acme.com', role: 'member' }))).toBe('not_found')
      await expect(async () => operations.setUserRole({ email: 'bob@acme.com', role: 'king' })).rejects.toThrow(
        /role is not one of administrator, member/,
      )
      const { records } = await administration.readAudit(alice.user, auditQuery({ action: 'user.role_changed' }))
      expect(records.map(({ actor }) => actor)).toEqual(['operator', 'operator'])
    })
  })

  describe('the audit', () => {
    test('comes in pages, the latest first, without records of other organizations', async () => {
      const { administration, alice, eve } = acme()
      await eve()
      for (const index of times(5, (n) => n)) await administration.addDomain(alice, `acme${index}.org`)
      const seen: string[] = []
      let before: string | undefined
      do {
        const page = await administration.readAudit(alice.user, auditQuery({ limit: '4', before }))
        expect(page.records.length).toBeLessThanOrEqual(4)
        seen.push(...page.records.map(({ id, action }) => `${id} ${action}`))
        before = page.next ?? undefined
      } while (before !== undefined)
      const ids = seen.map((line) => Number(line.split(' ')[0]))
      expect(ids).toEqual([...ids].sort((a, b) => b - a))
      expect(seen.filter((line) => line.endsWith('domain.added'))).toHaveLength(5)
      expect(seen.filter((line) => line.endsWith('user.created'))).toHaveLength(2)
    })

    test('does not show records of an earlier organization with the same name', async () => {
      const { administration, service } = acme()
      await service.world.operations.removeOrganization('Acme')
      service.setClock('2030-01-02T12:00:00Z')
      await service.connect()
      const alice = await service.enter({ sub: 'alice', email: 'alice@acme.com' })
      const { records } = await administration.readAudit(alice, auditQuery({}))
      expect(records.every(({ at }) => at === '2030-01-02T12:00:00.000Z')).toBe(true)
      expect(records.at(-1)).toMatchObject({ action: 'organization.created', actor: 'operator' })
    })

    test('says what is wrong with a query', async () => {
      const { administration, alice } = acme()
      for (const wrong of [{ limit: '0' }, { limit: '201' }, { before: 'x' }, { action: 'nothing.like_it' }]) {
        expect(await outcomeOf(administration.readAudit(alice.user, auditQuery(wrong)))).toBe('invalid_request')
      }
    })
  })

  const issue = (more: Partial<typeof REQUEST> = {}) =>
    acme().administration.issueToken(acme().alice, { ...REQUEST, ...more })

  describe('a token', () => {
    test('is shown once, stored as a hash, and works for its scopes until it ends', async () => {
      const { administration, service, alice } = acme()
      const { token, ...record } = await issue()
      expect(record).toEqual({
        id: expect.any(String),
        name: 'audit export',
        scopes: ['audit:read'],
        created_at: '2030-01-01T12:00:00.000Z',
        created_by: 'alice@acme.com',
        expires_at: '2030-06-01T00:00:00.000Z',
        last_used_at: null,
      })
      expect(await administration.listTokens(alice.user)).toEqual([record])
      const stored = JSON.stringify(await service.deps.database.query('select * from access_tokens'))
      expect(stored).not.toContain(token)
      expect(await service.world.releases.identify(token)).toMatchObject({ scopes: ['audit:read'] })
      service.setClock('2030-06-01T00:00:00Z')
      expect(await outcomeOf(service.world.releases.identify(token))).toBe('token_expired')
    })

    test('shows its last use, to the minute', async () => {
      const { administration, service, alice } = acme()
      const { token } = await issue()
      const used = async (time: string) => {
        service.setClock(time)
        await service.world.releases.identify(token)
        return (await administration.listTokens(alice.user))[0]!.last_used_at
      }
      expect(await used('2030-01-01T12:10:00Z')).toBe('2030-01-01T12:10:00.000Z')
      expect(await used('2030-01-01T12:10:59Z')).toBe('2030-01-01T12:10:00.000Z')
      expect(await used('2030-01-01T12:11:00Z')).toBe('2030-01-01T12:11:00.000Z')
      // The clock was set back.
      expect(await used('2030-01-01T11:00:00Z')).toBe('2030-01-01T11:00:00.000Z')
    })

    test('ends when it is revoked by its own organization', async () => {
      const { administration, service, alice, eve } = acme()
      const evil = await eve()
      const { token, id } = await issue()
      expect(await outcomeOf(administration.revokeToken(evil, id))).toBe('not_found')
      expect(await outcomesOf(times(5, () => administration.revokeToken(alice, id)))).toEqual({ ok: 1, not_found: 4 })
      expect(await outcomeOf(service.world.releases.identify(token))).toBe('invalid_token')
      expect(await administration.listTokens(alice.user)).toEqual([])
      await issue()
    })

    test('is not issued for an invalid request', async () => {
      const wrong: Readonly<Record<string, Partial<typeof REQUEST>>> = {
        'a name of one space': { name: ' ' },
        'no scope': { scopes: [] },
        'a scope that does not exist': { scopes: ['audit:read', 'everything'] },
        'an end in the past': { expires_at: '2030-01-01T12:00:00Z' },
        'an end in more than a year': { expires_at: '2031-01-02T12:00:01Z' },
        'an end without its zone': { expires_at: '2030-06-01T00:00:00' },
        'an end on a day that does not exist': { expires_at: '2030-02-30T00:00:00Z' },
        'an end that is not a time': { expires_at: 'tomorrow' },
      }
      for (const [name, request] of Object.entries(wrong)) {
        expect({ name, outcome: await outcomeOf(issue(request)) }).toEqual({ name, outcome: 'invalid_request' })
      }
    })

    test('of the operator is listed, can be revoked, and its name is taken', async () => {
      const { administration, service, alice } = acme()
      const { id } = await service.world.operations.issueToken({ org: 'Acme', name: 'fleet' })
      expect(await administration.listTokens(alice.user)).toMatchObject([
        { id, name: 'fleet', created_by: 'operator', expires_at: null, scopes: ['rules:read'] },
      ])
      await expect(issue({ name: 'fleet' })).rejects.toThrow(/name must be unique/)
      await administration.revokeToken(alice, id)
      expect(await service.world.operations.listTokens()).toMatchObject([{ id, state: 'revoked' }])
      const issued = await issue()
      const listed = await service.world.operations.listTokens()
      expect(listed.find((token) => token.id === issued.id)).toMatchObject({ state: 'active', expires: '2030-06-01' })
    })

    test('is one of at most a hundred', async () => {
      const { service, alice } = acme()
      await service.deps.database.query(
        `insert into access_tokens (id, organization_id, name, hash, scopes, issued_at)
         select gen_random_uuid(), $1, 'token ' || n, lpad(to_hex(n), 64, '0'), 'rules:read', now()
         from generate_series(1, 98) n`,
        [alice.user.organizationId],
      )
      const all = times(4, (index) => issue({ name: `one more ${index}` }))
      expect(await outcomesOf(all)).toEqual({ ok: 2, too_many_tokens: 2 })
    })
  })
})

function auditQuery(parameters: Partial<Record<'limit' | 'before' | 'action', string | undefined>>) {
  return { limit: undefined, before: undefined, action: undefined, ...parameters }
}
