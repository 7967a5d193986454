import { decodeProtectedHeader } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { onBothEngines } from '../../test/engines.js'
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
import { loadKeys } from '../keys/keys.js'
import { decryptSecret, keyIdOf } from '../keys/secrets.js'
import { verifyToken } from '../keys/tokens.js'
import { ONBOARDING_AUDIENCE } from '../onboarding/exchange-code.js'
import { prepareDatabase } from '../onboarding/prepare-database.js'
import { clientSecretContext } from '../organizations/secrets.js'
import { createOperations } from './create-operations.js'
import { dropSpentSigningKeys } from './rotate-signing-key.js'

removeTemporaryFolders()

onBothEngines((database) => {
  let world: World
  beforeEach(async () => {
    world = await makeWorld(database.current())
  })

  const begin = async (org: string, expires = '2030-01-10') => {
    const { code, id } = await world.operations.issueCode({ org, expires })
    const { token } = await world.onboarding.exchangeCode(code, REQUESTER)
    return { code, id, token }
  }
  const open = (token: string, domain: string) =>
    world.onboarding.openTransaction(token, { ...REQUEST, domain }, REQUESTER)
  const connect = async (org = 'Acme', domain = 'acme.com') => {
    const { token } = await begin(org)
    const { transaction_id } = await open(token, domain)
    await world.onboarding.complete(token, transaction_id, CLIENT, REQUESTER)
  }

  describe('encryption keys', () => {
    const secretsNow = () =>
      database
        .current()
        .query<{ organization_id: string; client_secret: string; secret_key_id: string }>(
          'select organization_id, client_secret, secret_key_id from connections',
        )

    test('are rotated: every secret is encrypted again, and can still be decrypted', async () => {
      await connect('A', 'a.com')
      await connect('B', 'b.com')
      const [before] = world.keys.ring().encryption
      const { keyId, reencrypted } = await world.operations.rotateKeys()
      expect(reencrypted).toBe(2)
      expect(keyId).not.toBe(before!.id)
      for (const { organization_id, client_secret, secret_key_id } of await secretsNow()) {
        expect([keyIdOf(client_secret), secret_key_id]).toEqual([keyId, keyId])
        const opened = decryptSecret(world.keys.ring().encryption, client_secret, clientSecretContext(organization_id))
        expect(opened).toBe(CLIENT.client_secret)
      }
      expect(await world.operations.audit({ action: 'keys.rotated' })).toMatchObject([{ detail: { key: keyId } }])
      await connect('C', 'c.com')
      expect((await secretsNow()).every((row) => row.secret_key_id === keyId)).toBe(true)
    })

    test('are rotated for more organizations than fit in a batch', async () => {
      await connect('A', 'a.com')
      const { client_secret } = (await secretsNow())[0]!
      // These secrets were moved from another row: they cannot be decrypted, which must not prevent the rotation of the others.
      await database.current().query(
        `insert into organizations
           select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Broken ' || n, now(), null
           from generate_series(1, 250) n`,
      )
      await database.current().query(
        `insert into connections
           select o.id, gen_random_uuid(), 'x', c.issuer, c.provider, c.client_id, $1, c.secret_key_id, c.auth_method, now()
           from organizations o, connections c where o.name like 'Broken %'`,
        [client_secret],
      )
      await expect(world.operations.rotateKeys()).rejects.toThrow(
        /^1 secret was re-encrypted, but no key .* and 240 more\./,
      )
    })

    test('of the environment are rotated to the first one if every process has both', async () => {
      await connect()
      const [old] = world.keys.ring().encryption
      const fresh = Buffer.alloc(32, 7).toString('base64')
      const environment = { OMEN_ENCRYPTION_KEY: `${fresh},${old!.key.export().toString('base64')}` }
      const keys = loadKeys({ dataDir: world.dataDir, environment })
      const clock = () => new Date('2030-01-01')
      await prepareDatabase({ database: database.current(), keys, clock })
      expect((await secretsNow())[0]!.secret_key_id).toBe(old!.id)
      const operations = createOperations({ database: database.current(), keys, clock, urls: URLS })
      expect(await operations.rotateKeys()).toEqual({ keyId: keys.ring().encryption[0]!.id, reencrypted: 1 })
      expect((await secretsNow())[0]!.secret_key_id).toBe(keys.ring().encryption[0]!.id)
    })

    test.each(['signing', 'encryption'] as const)(
      'for %s that do not match the database are rejected at the start',
      async (purpose) => {
        const stranger = loadKeys({ dataDir: `${world.dataDir}/other`, environment: {} })
        const mixed = { ...world.keys.ring(), [purpose]: stranger.ring()[purpose] }
        const keys = {
          ring: () => mixed,
          signingKey: async (id?: string) => mixed.signing.find((key) => key.id === id),
          encryptionKey: async (id: string) => mixed.encryption.find((key) => key.id === id),
          nextEncryptionKey: async () => mixed.encryption[0]!,
          ownsSigningKeys: false,
          changeSigningKeys: () => undefined,
        }
        await expect(
          prepareDatabase({ database: database.current(), keys, clock: () => new Date() }),
        ).rejects.toMatchObject({
          name: 'Failure',
          message: `the ${purpose} key of this process (${mixed[purpose][0]!.id}) differs from the key recorded in the database (${world.keys.ring()[purpose][0]!.id})`,
        })
      },
    )
  })

  describe('signing keys', () => {
    const signing = () => world.keys.ring().signing.map(({ id }) => id)
    const drop = () => dropSpentSigningKeys(world)

    /** The result of verifying a token in another process on the same data directory. */
    const otherProcess = () => {
      const keys = loadKeys({ dataDir: world.dataDir, environment: {} })
      return async (token: string) => {
        // The keys are read again once per turn of the event loop; a request always has its own turn, but a test may not.
        await new Promise(setImmediate)
        return verifyToken(keys, token, ONBOARDING_AUDIENCE, world.clock())
      }
    }

    test('are rotated: new tokens use the new key, and older tokens stay valid, also in other processes', async () => {
      const verify = otherProcess()
      const { code, id, token } = await begin('Acme')
      const [before] = signing()
      const { keyId, kept, dropped } = await world.operations.rotateSigningKey({ endTokens: false })
      expect([kept, dropped]).toEqual([1, 0])
      expect(signing()).toEqual([keyId, before])
      const fresh = await world.onboarding.exchangeCode(code, REQUESTER)
      expect(decodeProtectedHeader(fresh.token).kid).toBe(keyId)
      for (const good of [token, fresh.token]) {
        expect(await verify(good)).toEqual({ subject: id })
        expect(await outcomeOf(open(good, 'acme.com'))).toBe('ok')
      }
      const restarted = loadKeys({ dataDir: world.dataDir, environment: {} })
      await prepareDatabase({ database: database.current(), keys: restarted, clock: world.clock })
      expect(await world.operations.audit({ action: 'keys.rotated' })).toMatchObject([
        { actor: 'operator', detail: { signing_key: keyId, ended_tokens: false } },
      ])
    })

    test('are rotated after a leak: no process accepts older tokens, and codes are exchanged again', async () => {
      const verify = otherProcess()
      const { code, id, token } = await begin('Acme')
      expect(await verify(token)).toEqual({ subject: id })
      const { keyId, kept, dropped } = await world.operations.rotateSigningKey({ endTokens: true })
      expect([kept, dropped]).toEqual([0, 1])
      expect(signing()).toEqual([keyId])
      expect(await verify(token)).toBe('invalid')
      expect(await outcomeOf(open(token, 'acme.com'))).toBe('invalid_token')
      const again = await world.onboarding.exchangeCode(code, REQUESTER)
      expect(await verify(again.token)).toEqual({ subject: id })
      expect(await outcomeOf(open(again.token, 'acme.com'))).toBe('ok')
    })

    test('that were replaced are kept as long as a token may need them, and then removed', async () => {
      const { token } = await begin('Acme', '2030-01-20')
      const [first] = signing()
      const second = await world.operations.rotateSigningKey({ endTokens: false })
      world.setClock('2030-01-20T23:00:00Z')
      expect(await drop()).toEqual([])
      expect(await outcomeOf(open(token, 'acme.com'))).toBe('ok')
      world.setClock('2030-01-23T00:00:00Z')
      expect(await drop()).toEqual([first])
      expect(signing()).toEqual([second.keyId])
      expect(await drop()).toEqual([])
      expect(await world.operations.audit({ action: 'keys.dropped' })).toMatchObject([
        { actor: 'server', detail: { signing_keys: [first] } },
      ])
    })

    test('that no token needs are removed by the next rotation, but never the previous one', async () => {
      const second = await world.operations.rotateSigningKey({ endTokens: false })
      const third = await world.operations.rotateSigningKey({ endTokens: false })
      expect(third).toMatchObject({ kept: 1, dropped: 1 })
      expect(signing()).toEqual([third.keyId, second.keyId])
    })

    test('are rotated one after the other by two concurrent operators', async () => {
      await begin('Acme')
      const two = await Promise.all([false, false].map((endTokens) => world.operations.rotateSigningKey({ endTokens })))
      expect(signing()).toHaveLength(3)
      expect(signing()).toEqual(expect.arrayContaining(two.map(({ keyId }) => keyId)))
    })

    test('of the environment cannot be rotated, which is reported, and nothing changes', async () => {
      const { privateKey } = world.keys.ring().signing[0]!
      const OMEN_SIGNING_KEY = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
      const keys = loadKeys({ dataDir: world.dataDir, environment: { OMEN_SIGNING_KEY } })
      const operations = createOperations({ database: database.current(), keys, clock: world.clock, urls: URLS })
      await expect(operations.rotateSigningKey({ endTokens: false })).rejects.toThrow(
        /OMEN_SIGNING_KEY, which only you/,
      )
      expect(signing()).toHaveLength(1)
      expect(await world.operations.audit({ action: 'keys.rotated' })).toEqual([])
    })
  })
})
