import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newEncryptionKey } from './key-file.js'
import { decryptSecret, encryptSecret, keyIdOf } from './secrets.js'

const key = newEncryptionKey()
const other = newEncryptionKey()
const place = { table: 'connections', row: 'a', column: 'client_secret' }

test('any text comes back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(decryptSecret([other, key], encryptSecret(key, text, place), place)).toBe(text)
    }),
  )
})

test('the same text is never encrypted the same way, and its key is named', () => {
  const encrypted = encryptSecret(key, 'secret', place)
  expect(encrypted).not.toBe(encryptSecret(key, 'secret', place))
  expect(encrypted).not.toContain('secret')
  expect(keyIdOf(encrypted)).toBe(key.id)
})

test.each([
  { ...place, row: 'b' },
  { ...place, table: 'sessions' },
  { ...place, column: 'refresh_token' },
])('what was moved to another place does not open', (elsewhere) => {
  expect(() => decryptSecret([key], encryptSecret(key, 'secret', place), elsewhere)).toThrow('cannot be decrypted')
})

test('what was changed anywhere does not open, and the error holds nothing of it', () => {
  const encrypted = encryptSecret(key, 'secret', place)
  const start = encrypted.indexOf('.') + 1
  for (let index = start; index < encrypted.length; index++) {
    const letter = encrypted[index] === 'A' ? 'B' : 'A'
    const changed = encrypted.slice(0, index) + letter + encrypted.slice(index + 1)
    // The last letter of a base64 text has bits that mean nothing.
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
  '%j does not open',
  (text) => expect(() => decryptSecret([key], text, place)).toThrow(),
)

test('a missing key is named', () => {
  expect(() => decryptSecret([other], encryptSecret(key, 'secret', place), place)).toThrow(
    `no encryption key ${key.id}`,
  )
})
