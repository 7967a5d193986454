import { describe, expect, test } from 'vitest'
import { useAcme } from '../../test/administration/acme.js'
import { onPglite } from '../../test/engines.js'
import { CALLER, outcomeOf, outcomesOf, removeTemporaryFolders, times } from '../../test/world.js'

removeTemporaryFolders()

const REQUEST = { name: 'audit export', scopes: ['audit:read'], expires_at: '2030-06-01T02:00:00+02:00' }

onPglite((database) => {
  const acme = useAcme(database)

  describe('members', () => {
    test('are listed with what is known about them, by address', async () => {
      const { administration, alice, bob } = acme()
      expect(await administration.listMembers(alice.person, alice.person.userId)).toEqual([
        {
          id: alice.person.userId,
          email: 'alice@acme.com',
          name: 'Alice',
          role: 'administrator',
          created_at: '2030-01-01T12:00:00.000Z',
          signed_in_at: '2030-01-01T12:00:00.000Z',
          sessions: 1,
          you: true,
        },
        expect.objectContaining({ id: bob.person.userId, name: 'bob@acme.com', role: 'member', you: false }),
      ])
    })

    test('are made administrators and members, which is recorded once', async () => {
      const { administration, alice, bob } = acme()
      const { userId } = bob.person
      expect(await administration.setRole(alice, userId, 'administrator')).toMatchObject({ role: 'administrator' })
      await administration.setRole(alice, userId, 'administrator')
      expect(await administration.setRole(bob, alice.person.userId, 'member')).toMatchObject({ role: 'member' })
      const { records } = await administration.readAudit(bob.person, question({ action: 'user.role_changed' }))
      expect(records).toMatchObject([
        { actor: 'bob@acme.com', address: CALLER.address, detail: { email: 'alice@acme.com', to: 'member' } },
        { actor: 'alice@acme.com', detail: { email: 'bob@acme.com', from: 'member', to: 'administrator' } },
      ])
    })

    test('that are the last administrator stay it', async () => {
      const { administration, alice } = acme()
      expect(await outcomeOf(administration.setRole(alice, alice.person.userId, 'member'))).toBe('last_administrator')
      expect(await outcomeOf(administration.removeMember(alice, alice.person.userId))).toBe('last_administrator')
      expect(await administration.readOrganization(alice.person)).toMatchObject({ role: 'administrator' })
    })

    test('that are removed lose their sessions, and come back as a member', async () => {
      const { administration, people, alice, bob } = acme()
      await administration.setRole(alice, bob.person.userId, 'administrator')
      await administration.removeMember(alice, bob.person.userId)
      expect(await people.count(`sessions where user_id = '${bob.person.userId}'`)).toBe(0)
      const again = await people.enter({ sub: 'bob', email: 'bob@acme.com' })
      expect(again).toMatchObject({ role: 'member' })
      expect(again.userId).not.toBe(bob.person.userId)
    })

    test('of another organization are not there', async () => {
      const { administration, alice, eve } = acme()
      const other = (await eve()).person.userId
      expect(await outcomeOf(administration.setRole(alice, other, 'member'))).toBe('not_found')
      expect(await outcomeOf(administration.removeMember(alice, other))).toBe('not_found')
      expect(await outcomeOf(administration.removeMember(alice, 'x'))).toBe('not_found')
    })

    test('who are no longer administrators change nothing, whatever their session says', async () => {
      const { administration, alice, bob } = acme()
      await administration.setRole(alice, bob.person.userId, 'administrator')
      await administration.setRole(bob, alice.person.userId, 'member')
      const changes = [
        () => administration.setRole(alice, bob.person.userId, 'member'),
        () => administration.addDomain(alice, 'acme.org'),
        () => administration.switchConnection(alice),
      ]
      for (const change of changes) expect(await outcomeOf(change())).toBe('not_administrator')
    })

    test('are given a role by the operator where an organization cannot help itself', async () => {
      const { administration, people, alice } = acme()
      const { operations } = people.world
      expect(await operations.setUserRole({ email: 'ALICE@acme.com', role: 'member' })).toMatchObject({
        role: 'member',
        administrated: false,
      })
      const bob = await operations.setUserRole({ email: 'bob@acme.com', role: 'administrator' })
      expect(bob).toMatchObject({ role: 'administrator', administrated: true, org: 'Acme' })
      expect(await outcomeOf(operations.setUserRole({ email: 'nobody@acme.com', role: 'member' }))).toBe('not_found')
      await expect(async () => operations.setUserRole({ email: 'bob@acme.com', role: 'king' })).rejects.toThrow(
        /role is none of administrator, member/,
      )
      const { records } = await administration.readAudit(alice.person, question({ action: 'user.role_changed' }))
      expect(records.map(({ actor }) => actor)).toEqual(['operator', 'operator'])
    })
  })

  describe('the audit', () => {
    test('comes in pages, latest first, and holds nothing of others', async () => {
      const { administration, alice, eve } = acme()
      await eve()
      for (const index of times(5, (n) => n)) await administration.addDomain(alice, `acme${index}.org`)
      const seen: string[] = []
      let before: string | undefined
      do {
        const page = await administration.readAudit(alice.person, question({ limit: '4', before }))
        expect(page.records.length).toBeLessThanOrEqual(4)
        seen.push(...page.records.map(({ id, action }) => `${id} ${action}`))
        before = page.next ?? undefined
      } while (before !== undefined)
      const ids = seen.map((line) => Number(line.split(' ')[0]))
      expect(ids).toEqual([...ids].sort((a, b) => b - a))
      expect(seen.filter((line) => line.endsWith('domain.added'))).toHaveLength(5)
      expect(seen.filter((line) => line.endsWith('user.created'))).toHaveLength(2)
    })

    test('of an organization that had the name before is not shown', async () => {
      const { administration, people } = acme()
      await people.world.operations.removeOrganization('Acme')
      people.setClock('2030-01-02T12:00:00Z')
      await people.connect()
      const alice = await people.enter({ sub: 'alice', email: 'alice@acme.com' })
      const { records } = await administration.readAudit(alice, question({}))
      expect(records.every(({ at }) => at === '2030-01-02T12:00:00.000Z')).toBe(true)
      expect(records.at(-1)).toMatchObject({ action: 'organization.created', actor: 'operator' })
    })

    test('says what is wrong with a question', async () => {
      const { administration, alice } = acme()
      for (const wrong of [{ limit: '0' }, { limit: '201' }, { before: 'x' }, { action: 'nothing.like_it' }]) {
        expect(await outcomeOf(administration.readAudit(alice.person, question(wrong)))).toBe('invalid_request')
      }
    })
  })

  const issue = (more: Partial<typeof REQUEST> = {}) =>
    acme().administration.issueToken(acme().alice, { ...REQUEST, ...more })

  describe('a token', () => {
    test('is told once, kept as a hash, and good for its scopes until it ends', async () => {
      const { administration, people, alice } = acme()
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
      expect(await administration.listTokens(alice.person)).toEqual([record])
      const stored = JSON.stringify(await people.parts.database.query('select * from access_tokens'))
      expect(stored).not.toContain(token)
      expect(await people.world.releases.identify(token)).toMatchObject({ scopes: ['audit:read'] })
      people.setClock('2030-06-01T00:00:00Z')
      expect(await outcomeOf(people.world.releases.identify(token))).toBe('token_expired')
    })

    test('is known by its last use, to the minute', async () => {
      const { administration, people, alice } = acme()
      const { token } = await issue()
      const used = async (time: string) => {
        people.setClock(time)
        await people.world.releases.identify(token)
        return (await administration.listTokens(alice.person))[0]!.last_used_at
      }
      expect(await used('2030-01-01T12:10:00Z')).toBe('2030-01-01T12:10:00.000Z')
      expect(await used('2030-01-01T12:10:59Z')).toBe('2030-01-01T12:10:00.000Z')
      expect(await used('2030-01-01T12:11:00Z')).toBe('2030-01-01T12:11:00.000Z')
      // The clock was set back.
      expect(await used('2030-01-01T11:00:00Z')).toBe('2030-01-01T11:00:00.000Z')
    })

    test('ends when it is revoked, once, and by nobody else', async () => {
      const { administration, people, alice, eve } = acme()
      const evil = await eve()
      const { token, id } = await issue()
      expect(await outcomeOf(administration.revokeToken(evil, id))).toBe('not_found')
      expect(await outcomesOf(times(5, () => administration.revokeToken(alice, id)))).toEqual({ ok: 1, not_found: 4 })
      expect(await outcomeOf(people.world.releases.identify(token))).toBe('invalid_token')
      expect(await administration.listTokens(alice.person)).toEqual([])
      await issue()
    })

    test('that is asked for in a wrong way is refused', async () => {
      const wrong: Readonly<Record<string, Partial<typeof REQUEST>>> = {
        'a blank name': { name: ' ' },
        'no scope': { scopes: [] },
        'a scope that there is not': { scopes: ['audit:read', 'everything'] },
        'an end that is over': { expires_at: '2030-01-01T12:00:00Z' },
        'an end in more than a year': { expires_at: '2031-01-02T12:00:01Z' },
        'an end without its zone': { expires_at: '2030-06-01T00:00:00' },
        'an end on a day that there is not': { expires_at: '2030-02-30T00:00:00Z' },
        'an end that is no time': { expires_at: 'tomorrow' },
      }
      for (const [what, request] of Object.entries(wrong)) {
        expect({ what, outcome: await outcomeOf(issue(request)) }).toEqual({ what, outcome: 'invalid_request' })
      }
    })

    test('of the operator is listed and revoked, too, and its name is taken', async () => {
      const { administration, people, alice } = acme()
      const { id } = await people.world.operations.issueToken({ org: 'Acme', name: 'fleet' })
      expect(await administration.listTokens(alice.person)).toMatchObject([
        { id, name: 'fleet', created_by: 'operator', expires_at: null, scopes: ['rules:read'] },
      ])
      await expect(issue({ name: 'fleet' })).rejects.toThrow(/name is taken/)
      await administration.revokeToken(alice, id)
      expect(await people.world.operations.listTokens()).toMatchObject([{ id, state: 'revoked' }])
      const issued = await issue()
      const listed = await people.world.operations.listTokens()
      expect(listed.find((token) => token.id === issued.id)).toMatchObject({ state: 'active', expires: '2030-06-01' })
    })

    test('is one of a hundred at most', async () => {
      const { people, alice } = acme()
      await people.parts.database.query(
        `insert into access_tokens (id, organization_id, name, hash, scopes, issued_at)
         select gen_random_uuid(), $1, 'token ' || n, lpad(to_hex(n), 64, '0'), 'rules:read', now()
         from generate_series(1, 98) n`,
        [alice.person.organizationId],
      )
      const all = times(4, (index) => issue({ name: `one more ${index}` }))
      expect(await outcomesOf(all)).toEqual({ ok: 2, too_many_tokens: 2 })
    })
  })
})

function question(asked: Partial<Record<'limit' | 'before' | 'action', string | undefined>>) {
  return { limit: undefined, before: undefined, action: undefined, ...asked }
}
