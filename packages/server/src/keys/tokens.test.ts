import { generateKeyPairSync } from 'node:crypto'
import { createLocalJWKSet, decodeJwt, exportJWK, jwtVerify, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { loadKeys } from './keys.js'
import { signToken, verifyToken } from './tokens.js'

const NOW = new Date('2030-01-01T10:20:30.999Z')
const claims = { audience: 'a', subject: 's', issuedAt: NOW, expiresAt: new Date('2030-01-02T00:00:00Z') }

const pem = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

const load = (signing = pem()) =>
  loadKeys({
    dataDir: '/nowhere',
    environment: { OMEN_SIGNING_KEY: signing, OMEN_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') },
  })

test('a token is a JWT that other implementations verify', async () => {
  const keys = load()
  const [key] = keys.ring().signing
  const set = createLocalJWKSet({ keys: [{ ...(await exportJWK(key!.publicKey)), kid: key!.id, alg: 'ES256' }] })
  const { payload, protectedHeader } = await jwtVerify(await signToken(keys, claims), set, {
    audience: 'a',
    issuer: 'omen-server',
    subject: 's',
    algorithms: ['ES256'],
    currentDate: NOW,
    maxTokenAge: 1,
  })
  expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'JWT', kid: key!.id })
  expect(payload).toMatchObject({ iat: Math.floor(NOW.getTime() / 1000), exp: claims.expiresAt.getTime() / 1000 })
})

test('no two tokens are equal', async () => {
  const keys = load()
  const tokens = await Promise.all(Array.from({ length: 100 }, () => signToken(keys, claims)))
  expect(new Set(tokens).size).toBe(100)
  expect(new Set(tokens.map((token) => decodeJwt(token).jti)).size).toBe(100)
})

test('a token that was verified before still expires, and is invalid for another audience', async () => {
  const keys = load()
  const token = await signToken(keys, claims)
  for (let i = 0; i < 3; i++) expect(await verifyToken(keys, token, 'a', NOW)).toEqual({ subject: 's' })
  expect(await verifyToken(keys, token, 'a', new Date('2030-01-01T23:59:59.999Z'))).toEqual({ subject: 's' })
  expect(await verifyToken(keys, token, 'a', claims.expiresAt)).toBe('expired')
  expect(await verifyToken(keys, token, 'b', NOW)).toBe('invalid')
  expect(await verifyToken(keys, token, 'a', NOW)).toEqual({ subject: 's' })
})

test('a token that was verified before is invalid once its key is gone', async () => {
  const fixed = load()
  let ring = fixed.ring()
  const keys = {
    ...fixed,
    ring: () => ring,
    signingKey: async (id: string | undefined) => ring.signing.find((key) => key.id === id),
  }
  const token = await signToken(keys, claims)
  expect(await verifyToken(keys, token, 'a', NOW)).toEqual({ subject: 's' })
  ring = load().ring()
  expect(await verifyToken(keys, token, 'a', NOW)).toBe('invalid')
})

test('a changed token is invalid, also after the original was verified', async () => {
  const keys = load()
  const token = await signToken(keys, claims)
  await verifyToken(keys, token, 'a', NOW)
  const [header, payload, signature] = token.split('.') as [string, string, string]
  const forged = Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: 'another' })).toString('base64url')
  for (const other of [`${header}.${forged}.${signature}`, `${header}.${payload}.`, `${token}x`, token.slice(1), '']) {
    expect(await verifyToken(keys, other, 'a', NOW)).toBe('invalid')
  }
})

test('a token with a start time is invalid before that time', async () => {
  const keys = load()
  const [key] = keys.ring().signing
  const token = await new SignJWT({ nbf: NOW.getTime() / 1000 })
    .setProtectedHeader({ alg: 'ES256', kid: key!.id })
    .setIssuer('omen-server')
    .setAudience('a')
    .setSubject('s')
    .setExpirationTime(claims.expiresAt)
    .sign(key!.privateKey)
  expect(await verifyToken(keys, token, 'a', claims.expiresAt)).toBe('expired')
  expect(await verifyToken(keys, token, 'a', new Date(NOW.getTime() + 1000))).toEqual({ subject: 's' })
  expect(await verifyToken(keys, token, 'a', new Date(NOW.getTime() - 2000))).toBe('invalid')
})
