import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newEncryptionKey } from './key-file.js'
import { decryptSecret, encryptSecret, keyIdOf } from './secrets.js'

const key = newEncryptionKey()
const other = newEncryptionKey()
const place = { table: 'connections', row: 'a', column: 'client_secret' }

test('any string is decrypted unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(decryptSecret([other, key], encryptSecret(key, text, place), place)).toBe(text)
    }),
  )
})

test('the same string is encrypted differently each time, and names its key', () => {
  const encrypted = encryptSecret(key, 'secret', place)
  expect(encrypted).not.toBe(encryptSecret(key, 'secret', place))
  expect(encrypted).not.toContain('secret')
  expect(keyIdOf(encrypted)).toBe(key.id)
})

test.each([
  { ...place, row: 'b' },
  { ...place, table: 'sessions' },
  { ...place, column: 'refresh_token' },
])('a value that was moved to another row cannot be decrypted', (elsewhere) => {
  expect(() => decryptSecret([key], encryptSecret(key, 'secret', place), elsewhere)).toThrow('cannot be decrypted')
})

test('a changed value cannot be decrypted, and the error does not quote it', () => {
  const encrypted = encryptSecret(key, 'secret', place)
  const start = encrypted.indexOf('.') + 1
  for (let index = start; index < encrypted.length; index++) {
    const letter = encrypted[index] === 'A' ? 'B' : 'A'
    const changed = encrypted.slice(0, index) + letter + encrypted.slice(index + 1)
    // The last character of a base64 string has unused bits.
    if (
      Buffer.from(changed.split('.').at(-1)!, 'base64url').equals(
        Buffer.from(encrypted.split('.').at(-1)!, 'base64url'),
      )
    ) {
      if (changed.split('.')[1] === encrypted.split('.')[1]) continue
    }
    expect(() => decryptSecret([key], changed, place)).toThrow(/^client_secret of connections a cannot be decrypted/)
  }
})

test.each(['', 'x', '..', `${key.id}`, `${key.id}..`, `${key.id}.AAAA.AAAA`, `${key.id}.${'A'.repeat(16)}.AAAA`])(
  '%j cannot be decrypted',
  (text) => expect(() => decryptSecret([key], text, place)).toThrow(),
)

test('the error names a missing key', () => {
  expect(() => decryptSecret([other], encryptSecret(key, 'secret', place), place)).toThrow(
    `no encryption key ${key.id}`,
  )
})
