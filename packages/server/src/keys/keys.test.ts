import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { build } from 'rolldown'
import { beforeEach, describe, expect, test } from 'vitest'
import { removeTemporaryFolders, temporaryFolder } from '../../test/world.js'
import { loadKeys } from './keys.js'
import { signToken, verifyToken } from './tokens.js'

removeTemporaryFolders()

let dataDir = ''
beforeEach(() => {
  dataDir = join(temporaryFolder(), 'data')
})
const load = (environment: Record<string, string> = {}) => loadKeys({ dataDir, environment })
const idsOf = ({ ring }: ReturnType<typeof load>) => ({
  signing: ring().signing.map(({ id }) => id),
  encryption: ring().encryption.map(({ id }) => id),
})
const pem = (namedCurve = 'P-256') =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()

describe('keys in the data directory', () => {
  test('are created at the first start, for their owner only, and used again', () => {
    const first = idsOf(load())
    expect(statSync(join(dataDir, 'keys.json')).mode & 0o777).toBe(0o600)
    expect(readdirSync(dataDir)).toEqual(['keys.json'])
    expect(idsOf(load())).toEqual(first)
  })

  test('are the same for threads that start at the same time', async () => {
    const bundle = join(temporaryFolder(), 'keys.mjs')
    const input = new URL('keys.ts', import.meta.url).pathname
    await build({ input, platform: 'node', output: { file: bundle, format: 'esm' } })
    const code = `const { parentPort, workerData } = require('node:worker_threads')
      import(workerData.bundle).then(({ loadKeys }) => {
        parentPort.once('message', () =>
          parentPort.postMessage(loadKeys({ dataDir: workerData.dataDir, environment: {} }).ring().encryption[0].id))
        parentPort.postMessage('ready')
      })`
    const workers = Array.from({ length: 6 }, () => new Worker(code, { eval: true, workerData: { bundle, dataDir } }))
    const next = (worker: Worker) => new Promise<string>((resolve) => worker.once('message', resolve))
    await Promise.all(workers.map(next))
    const ids = workers.map(next)
    for (const worker of workers) worker.postMessage('go')
    expect(new Set(await Promise.all(ids)).size).toBe(1)
    await Promise.all(workers.map((worker) => worker.terminate()))
    expect(readdirSync(dataDir)).toEqual(['keys.json'])
  })

  test('that other users may read are made private', () => {
    load()
    chmodSync(join(dataDir, 'keys.json'), 0o644)
    load()
    expect(statSync(join(dataDir, 'keys.json')).mode & 0o777).toBe(0o600)
  })

  test.each(['', '{', '[]', 'null', '{"signing":[],"encryption":[]}', '{"signing":["x"],"encryption":["eA=="]}', '\0'])(
    'that are damaged are not used, replaced or quoted: %j',
    (text) => {
      mkdirSync(dataDir)
      writeFileSync(join(dataDir, 'keys.json'), text)
      expect(() => load()).toThrow(`${join(dataDir, 'keys.json')}: does not contain the keys of omen-server`)
      expect(readFileSync(join(dataDir, 'keys.json'), 'utf8')).toBe(text)
    },
  )

  test('that cannot be written are reported', () => {
    writeFileSync(dataDir, '')
    expect(() => load()).toThrow(/keys\.json: cannot (read|write): /)
  })

  test('get a new key by a rotation, which another process reads when it needs it', async () => {
    const server = load()
    const operator = load()
    const before = idsOf(server)
    const next = await operator.nextEncryptionKey()
    expect(idsOf(operator).encryption).toEqual([next.id, ...before.encryption])
    expect(await server.encryptionKey('unknown')).toBeUndefined()
    expect((await server.encryptionKey(next.id))?.id).toBe(next.id)
    expect(idsOf(server)).toEqual(idsOf(operator))
    expect(statSync(join(dataDir, 'keys.json')).mode & 0o777).toBe(0o600)
  })

  test('stay in use from memory while their file is damaged', async () => {
    const keys = load()
    const before = idsOf(keys)
    writeFileSync(join(dataDir, 'keys.json'), 'broken')
    expect(await keys.encryptionKey('unknown')).toBeUndefined()
    expect(idsOf(keys)).toEqual(before)
  })
})

describe('keys in the environment', () => {
  test('need no data directory', () => {
    const OMEN_ENCRYPTION_KEY = `${randomBytes(32).toString('base64')}, ${randomBytes(32).toString('hex')}`
    const keys = load({ OMEN_SIGNING_KEY: pem() + pem(), OMEN_ENCRYPTION_KEY })
    expect(idsOf(keys).signing).toHaveLength(2)
    expect(idsOf(keys).encryption).toHaveLength(2)
    expect(() => readdirSync(dataDir)).toThrow('ENOENT')
  })

  test('are the same in every notation', () => {
    const key = randomBytes(32)
    const signing = pem()
    const spellings = [
      key.toString('base64'),
      key.toString('base64url'),
      key.toString('hex'),
      ` ${key.toString('hex').toUpperCase()}\n`,
    ]
    const ids = spellings.map((OMEN_ENCRYPTION_KEY, index) =>
      idsOf(load({ OMEN_ENCRYPTION_KEY, OMEN_SIGNING_KEY: index % 2 ? signing : signing.replaceAll('\n', '\\n') })),
    )
    expect(new Set(ids.map((id) => JSON.stringify(id))).size).toBe(1)
  })

  test('are used with keys of the data directory for the other purpose', () => {
    const inFile = idsOf(load())
    const mixed = idsOf(load({ OMEN_SIGNING_KEY: pem() }))
    expect(mixed.encryption).toEqual(inFile.encryption)
    expect(mixed.signing).not.toEqual(inFile.signing)
  })

  test.each([
    { OMEN_SIGNING_KEY: 'nonsense' },
    { OMEN_SIGNING_KEY: pem('P-384') },
    { OMEN_SIGNING_KEY: `${pem()}-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----` },
    { OMEN_ENCRYPTION_KEY: 'nonsense' },
    { OMEN_ENCRYPTION_KEY: randomBytes(16).toString('base64') },
    { OMEN_ENCRYPTION_KEY: `${randomBytes(32).toString('base64')},x` },
  ])('that are not valid are rejected without being quoted (%#)', (environment) => {
    const [[name, value]] = Object.entries(environment) as [[string, string]]
    let message = ''
    try {
      load(environment)
    } catch (error) {
      message = (error as Error).message
    }
    expect(message).toMatch(new RegExp(`^${name}: not `))
    expect(message).not.toContain(value)
  })
})

describe('tokens', () => {
  const now = new Date('2030-01-01T00:00:00Z')
  const claims = { audience: 'a', subject: 's', issuedAt: now, expiresAt: new Date('2030-01-02T00:00:00Z') }

  test('of an older signing key stay valid while it is among the keys', async () => {
    const [older, newer] = [pem(), pem()]
    const token = await signToken(load({ OMEN_SIGNING_KEY: older }), claims)
    expect(await verifyToken(load({ OMEN_SIGNING_KEY: newer + older }), token, 'a', now)).toEqual({ subject: 's' })
    expect(await verifyToken(load({ OMEN_SIGNING_KEY: newer }), token, 'a', now)).toBe('invalid')
  })

  test('expire to the second, and have an audience', async () => {
    const keys = load()
    const token = await signToken(keys, claims)
    expect(await verifyToken(keys, token, 'a', new Date('2030-01-01T23:59:59.999Z'))).toEqual({ subject: 's' })
    expect(await verifyToken(keys, token, 'a', new Date('2030-01-02T00:00:00.000Z'))).toBe('expired')
    expect(await verifyToken(keys, token, 'b', now)).toBe('invalid')
    expect(await verifyToken(keys, `${token.slice(0, -4)}AAAA`, 'a', now)).toBe('invalid')
  })
})
