import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { base58, sha256 } from './digest.js'

const hex = (text: string) => Buffer.from(sha256(text)).toString('hex')

const texts = fc.array(fc.nat({ max: 0xffff }), { maxLength: 300 }).map((codes) => String.fromCharCode(...codes))

test('SHA-256 gives the digests of FIPS 180-4', () => {
  expect(hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  const long = 'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'
  expect(hex(long)).toBe('248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1')
})

test('SHA-256 agrees with the platform at every length around a block', () => {
  for (let length = 50; length < 140; length++) {
    const text = 'x'.repeat(length)
    expect(hex(text)).toBe(createHash('sha256').update(text).digest('hex'))
  }
})

test('SHA-256 agrees with the platform for any string', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(hex(text)).toBe(createHash('sha256').update(text).digest('hex'))
    }),
    { numRuns: 300 },
  )
})

test('base58 writes bytes as one number', () => {
  expect(base58(new TextEncoder().encode('Hello World!'), 0)).toBe('2NEpo7TZRRrLZSi2U')
  expect(base58(Uint8Array.of(0), 0)).toBe('')
  expect(base58(Uint8Array.of(57), 0)).toBe('z')
})

test('base58 pads on the left', () => {
  expect(base58(Uint8Array.of(1), 4)).toBe('1112')
  expect(base58(new Uint8Array(16).fill(255), 22)).toHaveLength(22)
})
