import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeKeys } from '../../test/release-service.js'
import { checkSignature, readReleaseKeys, trustedKeys } from './release-keys.js'

const [first, second] = [makeKeys(), makeKeys()]

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'omen-keys-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('public keys', () => {
  it('are read from PEM strings and from files with several keys', () => {
    const path = join(folder, 'keys.pem')
    writeFileSync(path, `mine\n${first.pem}\n${second.pem}`)
    const ids = [first, second].map(({ id }) => id)
    expect(readReleaseKeys([path]).map(({ id }) => id)).toEqual(ids)
    expect(readReleaseKeys([first.pem, second.pem]).map(({ id }) => id)).toEqual(ids)
  })

  it('have the fingerprint of ssh-keygen', () => {
    expect(readReleaseKeys([first.pem])[0]?.fingerprint).toBe(first.fingerprint.replace(/=+$/, ''))
  })

  it('are refused if they are on another curve, of another kind or damaged', () => {
    const publicPem = (key: ReturnType<typeof generateKeyPairSync>['publicKey']) =>
      key.export({ type: 'spki', format: 'pem' }).toString()
    const others = [
      publicPem(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey),
      publicPem(generateKeyPairSync('ed25519').publicKey),
      '-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----',
    ]
    for (const pem of others) expect(() => readReleaseKeys([pem])).toThrow('not a key on the curve P-256')
    expect(() => readReleaseKeys(['-----BEGIN nothing'])).toThrow('contains no public key in PEM format')
    expect(() => readReleaseKeys([join(folder, 'missing.pem')])).toThrow(
      'cannot be read (ENOENT): check updates.publicKeys',
    )
  })

  it('that are missing come from omen updates trust', () => {
    const settings = { publicKeys: [], serviceUrl: 'https://me:secret@omen.example.com/base' }
    expect(() => trustedKeys(settings)).toThrow(
      'no key to verify updates: run omen updates trust https://omen.example.com/base',
    )
  })
})

describe('a signature', () => {
  const keys = readReleaseKeys([first.pem, second.pem])
  const signerOf = (bytes: Uint8Array, signature: Uint8Array) => {
    const check = checkSignature(keys)
    for (const byte of bytes) check.update(Uint8Array.of(byte))
    return check.signer(signature)?.id
  }

  it('identifies the key that made it', () => {
    const bytes = Buffer.from('rules')
    for (const { id, privateKey } of [first, second])
      expect(signerOf(bytes, sign('sha256', bytes, privateKey))).toBe(id)
  })

  it('is not valid with another key, other bytes or another encoding', () => {
    const bytes = Buffer.from('rules')
    expect(signerOf(bytes, sign('sha256', bytes, makeKeys().privateKey))).toBeUndefined()
    expect(signerOf(Buffer.from('rulez'), sign('sha256', bytes, first.privateKey))).toBeUndefined()
    const raw = sign('sha256', bytes, { key: first.privateKey, dsaEncoding: 'ieee-p1363' })
    expect(signerOf(bytes, raw)).toBeUndefined()
  })

  it('is not valid if its bytes are random', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (signature) => {
        expect(signerOf(Buffer.from('rules'), signature)).toBeUndefined()
      }),
      { numRuns: 50 },
    )
  })
})
