import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { makePair, signatureOf } from '../../test/releases/stage.js'
import { checkSignature, readPrivateKey, readPublicKey } from './release-key.js'

const pair = makePair()

test('a key is identified by its hash, in every notation', () => {
  const { id, fingerprint, pem } = pair.publicKey
  expect(id).toMatch(/^[0-9a-f]{16}$/)
  expect(fingerprint).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/)
  expect(readPublicKey(`\n${pem.replaceAll('\n', '\r\n')}`)).toMatchObject({ id, fingerprint, pem })
  expect(readPrivateKey(pair.privatePem)?.publicKey).toMatchObject({ id })
})

test('a private key, another curve and another type are rejected as a public key', () => {
  const pemOf = (key: { export(options: { type: 'spki'; format: 'pem' }): string | Buffer }) =>
    String(key.export({ type: 'spki', format: 'pem' }))
  expect(readPublicKey(pair.privatePem)).toBeUndefined()
  expect(readPublicKey(pemOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey))).toBeUndefined()
  expect(readPublicKey(pemOf(generateKeyPairSync('ed25519').publicKey))).toBeUndefined()
  expect(readPublicKey('')).toBeUndefined()
  expect(readPrivateKey(pair.publicKey.pem)).toBeUndefined()
})

test('the key of a signature is found among several; a changed file, a changed signature and garbage match no key', () => {
  const bytes = Buffer.from('a file in two pieces')
  const signature = signatureOf(pair, bytes)
  const signer = (given: Uint8Array, pieces: readonly Uint8Array[]) => {
    const check = checkSignature([makePair().publicKey, pair.publicKey])
    for (const piece of pieces) check.update(piece)
    return check.signer(given)?.id
  }
  const pieces = [bytes.subarray(0, 7), bytes.subarray(7)]
  expect(signer(signature, pieces)).toBe(pair.publicKey.id)
  expect(signer(signature, [bytes, Buffer.from('!')])).toBeUndefined()
  expect(signer(Buffer.concat([signature, Buffer.from([0])]), pieces)).toBeUndefined()
  expect(signer(signature.subarray(1), pieces)).toBeUndefined()
  expect(signer(Buffer.alloc(0), pieces)).toBeUndefined()
})
