import { describe, expect, test } from 'vitest'
import { useAcme } from '../../test/administration/acme.js'
import { onPglite } from '../../test/engines.js'
import { outcomeOf, outcomesOf, removeTemporaryFolders, times } from '../../test/world.js'

removeTemporaryFolders()

const REQUEST = { name: 'audit export', scopes: ['audit:read'], expires_at: '2030-06-01T02:00:00+02:00' }

onPglite((database) => {
  const acme = useAcme(database)
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
