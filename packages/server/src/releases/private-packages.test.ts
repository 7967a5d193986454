import { beforeEach, describe, expect, test } from 'vitest'
import { onBothEngines } from '../../test/engines.js'
import { makePackage, makePair, publishPackage, signatureOf } from '../../test/releases/stage.js'
import { makeWorld, outcomeOf, removeTemporaryFolders, type World } from '../../test/world.js'

removeTemporaryFolders()

const pair = makePair()
const acmePair = makePair()

onBothEngines((database) => {
  let world: World
  beforeEach(async () => {
    world = await makeWorld(database.current())
    await world.operations.addReleaseKey({ pem: pair.publicKey.pem })
  })
  const actions = async () => (await world.operations.audit({})).map(({ action }) => action)
  const blobs = async () => (await database.current().query('select id from release_blobs')).length

  describe('private packages', () => {
    const privatePackage = () => makePackage('3.0.0', { channel: 'private' })
    const issue = async (org: string, scope: string) =>
      (await world.operations.issueToken({ org, name: `${scope} ${Math.random()}`, scope })).token
    const send = async (token: string, packed: Awaited<ReturnType<typeof makePackage>>, key = acmePair) =>
      world.releases.publish(await world.releases.identify(token), {
        name: packed.name,
        signature: signatureOf(key, packed.bytes),
        body: pieces(packed.bytes),
        detail: { address: '192.0.2.7' },
      })

    test('are visible to tokens of their organization, and do not exist for other requesters', async () => {
      const acme = await issue('Acme', 'rules:read')
      const bolt = await issue('Bolt', 'rules:read')
      const blind = await issue('Acme', 'rules:publish')
      await world.operations.addReleaseKey({ pem: acmePair.publicKey.pem, org: 'Acme' })
      const packed = await privatePackage()
      await publishPackage(world.operations, packed, acmePair, { org: 'Acme' })
      const see = async (token: string | undefined) => {
        const requester = token === undefined ? undefined : await world.releases.identify(token)
        return {
          latest: (await world.releases.latest(requester)).private?.version,
          file: (await world.releases.find('rules', packed.name, requester))?.isPrivate,
          sig: (await world.releases.find('rules', `${packed.name}.sig`, requester))?.isPrivate,
          history: (await world.releases.history(requester, { before: undefined, limit: 5 })).releases.length,
          keys: (await world.releases.keys(requester)).keys.length,
        }
      }
      const nothing = { latest: undefined, file: undefined, sig: undefined, history: 0, keys: 1 }
      expect(await see(acme)).toEqual({ latest: '3.0.0', file: true, sig: true, history: 1, keys: 2 })
      for (const token of [undefined, bolt, blind]) expect(await see(token)).toEqual(nothing)
      expect((await world.releases.latest(undefined)).rules).toBeUndefined()
    })

    test('are published by their organization, signed with its own key or the key of the operator, and with no other', async () => {
      const token = await issue('Acme', 'rules:read,rules:publish')
      const packed = await privatePackage()
      expect(await outcomeOf(send(token, packed))).toBe('signature_rejected')
      await world.operations.addReleaseKey({ pem: acmePair.publicKey.pem, org: 'Acme' })
      expect(await send(token, packed)).toMatchObject({ outcome: 'published', announced: { version: '3.0.0' } })
      expect(await send(token, packed)).toMatchObject({ outcome: 'unchanged' })
      const later = await makePackage('3.1.0', { channel: 'private' })
      expect(await send(token, later, pair)).toMatchObject({ outcome: 'published' })
      expect(await outcomeOf(send(token, await makePackage('4.0.0')))).toBe('invalid_package')
      expect(await outcomeOf(send(await issue('Acme', 'rules:read'), packed))).toBe('missing_scope')
      expect(await outcomeOf(send(await issue('Bolt', 'rules:publish'), packed))).toBe('signature_rejected')
      // The key of an organization is not accepted for other organizations.
      expect(await outcomeOf(publishPackage(world.operations, await makePackage('1.0.0'), acmePair))).toBe(
        'signature_rejected',
      )
      const records = await world.operations.audit({ action: 'rules.published', org: 'Acme' })
      expect(records.map(({ actor, detail }) => [actor.split(' ')[0], detail.version, detail.address])).toEqual([
        ['token', '3.0.0', '192.0.2.7'],
        ['token', '3.1.0', '192.0.2.7'],
      ])
      expect(await blobs()).toBe(2)
    })

    test('can be identical for two organizations', async () => {
      const packed = await privatePackage()
      for (const org of ['Acme', 'Bolt']) {
        await issue(org, 'rules:read')
        expect(await publishPackage(world.operations, packed, pair, { org })).toMatchObject({
          outcome: 'published',
          org,
        })
      }
      await world.operations.withdrawRelease({ kind: 'rules', version: '3.0.0', org: 'Bolt' })
      const states = (await world.operations.listReleases({ kind: 'rules' })).map(({ org, state }) => [org, state])
      expect(states).toEqual([
        ['Acme', 'published'],
        ['Bolt', 'withdrawn'],
      ])
    })

    test('are removed with their organization, together with its tokens and keys', async () => {
      const token = await issue('Acme', 'rules:read')
      await world.operations.addReleaseKey({ pem: acmePair.publicKey.pem, org: 'Acme' })
      await publishPackage(world.operations, await privatePackage(), acmePair, { org: 'Acme' })
      await world.operations.removeOrganization('Acme')
      expect(await outcomeOf(world.releases.identify(token))).toBe('invalid_token')
      expect(await blobs()).toBe(0)
      const keys = await world.operations.listReleaseKeys()
      expect(keys.find(({ id }) => id === acmePair.publicKey.id)?.state).toBe('retired')
      // A new organization with that name has none of them.
      const fresh = await world.releases.identify(await issue('Acme', 'rules:read'))
      expect(await world.releases.latest(fresh)).toEqual({})
    })
  })

  describe('tokens', () => {
    test('are valid until they are revoked or their expiry date begins', async () => {
      const { token, id } = await world.operations.issueToken({ org: 'Acme', name: 'ci', expires: '2030-01-03' })
      expect(await world.releases.identify(token)).toMatchObject({ organization: 'Acme', scopes: ['rules:read'] })
      world.setClock('2030-01-02T23:59:59Z')
      expect(await outcomeOf(world.releases.identify(token))).toBe('ok')
      world.setClock('2030-01-03T00:00:00Z')
      expect(await outcomeOf(world.releases.identify(token))).toBe('token_expired')
      expect(await world.operations.listTokens()).toMatchObject([{ id, state: 'expired', name: 'ci' }])
      await world.operations.revokeToken(token)
      expect(await outcomeOf(world.releases.identify(token))).toBe('invalid_token')
      expect(await outcomeOf(world.releases.identify(`omen_${'1'.repeat(44)}`))).toBe('invalid_token')
      expect(await actions()).toEqual(expect.arrayContaining(['organization.created', 'token.issued', 'token.revoked']))
      expect(JSON.stringify(await world.operations.audit({}))).not.toContain(token)
    })

    test('have a unique name, and only scopes that exist', async () => {
      const issue = (request: object) => outcomeOf(world.operations.issueToken({ org: 'Acme', name: 'ci', ...request }))
      expect(await issue({})).toBe('ok')
      expect(await issue({})).toBe('invalid_request')
      expect(await issue({ name: 'x', scope: 'rules:read,admin' })).toBe('invalid_request')
      expect(await issue({ name: 'x', scope: ',' })).toBe('invalid_request')
      expect(await issue({ name: 'x', expires: '2030-01-01' })).toBe('invalid_request')
      expect(await issue({ name: '' })).toBe('invalid_request')
      const [{ id } = { id: '' }] = await world.operations.listTokens()
      await world.operations.revokeToken(id)
      expect(await issue({})).toBe('ok')
      expect(await outcomeOf(world.operations.revokeToken('nothing'))).toBe('not_found')
    })
  })
})

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100)
}
