import { describe, expect, test } from 'vitest'
import { useAcme } from '../../test/administration/acme.js'
import { onPglite } from '../../test/engines.js'
import { CALLER, outcomeOf, removeTemporaryFolders, times } from '../../test/world.js'

removeTemporaryFolders()

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
})

function question(asked: Partial<Record<'limit' | 'before' | 'action', string | undefined>>) {
  return { limit: undefined, before: undefined, action: undefined, ...asked }
}
