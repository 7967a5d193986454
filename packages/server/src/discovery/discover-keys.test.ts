import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Page, type PublishedProvider, RSA_KEY, startProvider } from '../../test/discovery/stage.js'

let idp: PublishedProvider
beforeAll(async () => {
  idp = await startProvider()
})
afterAll(() => idp[Symbol.asyncDispose]())

const detailOf = async (given: string) => (await idp.problemOf(given)).message

/** Replaces `$` by the address of this run. */
const here = (text: string) => text.replaceAll('$', idp.issuer)

const CORRECT = 'Correct this at the identity provider, or send the URL of another identity provider.'

const shortPair = generateKeyPairSync('rsa', { modulusLength: 1024 })
const ecPair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const EC = { ...ecPair.publicKey.export({ format: 'jwk' }), kid: 'e' }

describe('unusable keys are reported one by one', () => {
  const none = (list: string) => `it contains no key that can be used for RS256: ${list}`
  test.each<[string, unknown, string]>([
    ['no key', { keys: [] }, 'it contains no key'],
    ['no list', {}, 'it contains no list of keys: "keys" is nothing'],
    ['another list', { keys: 'x' }, 'it contains no list of keys: "keys" is "x"'],
    ['keys for encryption', { keys: [{ ...RSA_KEY, use: 'enc' }] }, none('the key "r" has the use "enc"')],
    [
      'keys for signing',
      { keys: [{ ...RSA_KEY, key_ops: ['sign'] }] },
      none('the key "r" is not for the operation "verify"'),
    ],
    ['shared secrets', { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] }, none('a key without an id is of the type "oct"')],
    ['another type', { keys: [EC] }, none('the key "e" is of the type "EC" "P-256"')],
    ['another algorithm', { keys: [{ ...RSA_KEY, alg: 'RS512' }] }, none('the key "r" is of the type "RSA" "RS512"')],
    [
      'short keys',
      { keys: [{ ...shortPair.publicKey.export({ format: 'jwk' }), kid: 's' }] },
      none('the key "s" has 1024 bits'),
    ],
    ['broken keys', { keys: [{ kty: 'RSA', kid: 'b', n: '!', e: 7 }] }, none('the key "b" is not a valid key')],
    ['no objects', { keys: [null, 'x'] }, none('a key without an id has no type, a key without an id has no type')],
    [
      'private keys',
      { keys: [RSA_KEY, { ...ecPair.privateKey.export({ format: 'jwk' }), kid: 'p' }] },
      'it publishes the private part of the key "p"; replace that key immediately',
    ],
  ])('%s', async (_, keys, finding) => {
    idp.publish({}, keys)
    expect(await detailOf(idp.wellKnownUrl)).toBe(
      here(
        `The configuration at "$/.well-known/openid-configuration" cannot be used: jwks_uri is "$/jwks": ${finding}. ${CORRECT}`,
      ),
    )
  })

  test.each<[string, Page, string]>([
    [
      'elsewhere',
      { status: 307, headers: { location: 'https://b.test/' }, body: '' },
      'it redirects to "https://b.test/", but redirects are not followed',
    ],
    ['too large', { body: ' '.repeat(256 * 1024 + 1) }, 'its response is larger than 256 KiB'],
    ['no JSON', { body: '<html>' }, 'its response is a web page, not JSON'],
    ['no object', { body: '[]' }, 'its response is a list, not a JSON object'],
  ])('%s', async (_, page, finding) => {
    idp.publish({})
    idp.pages.set('/jwks', page)
    expect(await detailOf(idp.wellKnownUrl)).toBe(
      here(
        `The configuration at "$/.well-known/openid-configuration" cannot be used: jwks_uri is "$/jwks": ${finding}. ${CORRECT}`,
      ),
    )
  })
})
