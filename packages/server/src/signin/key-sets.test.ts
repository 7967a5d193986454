import { describe, expect, test } from 'vitest'
import { type LyingProvider, makeKey, NOW, startLyingProvider } from '../../test/signin/lying-provider.js'
import { SignInFailure } from './sign-in-failure.js'

const codeOf = async (outcome: ReturnType<LyingProvider['signInWith']>) => {
  const found = await outcome
  return found instanceof SignInFailure ? found.code : found.subject
}
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)

describe('a token that names no key', () => {
  test('is accepted when there is one key', async () => {
    await using idp = await startLyingProvider()
    idp.keys = [makeKey('ES256', undefined)]
    expect(await codeOf(idp.signInWith({}, { header: { kid: undefined } }))).toBe('user-1')
  })

  test('is tried with each of several keys', async () => {
    await using idp = await startLyingProvider()
    idp.keys = [makeKey(), makeKey(), makeKey()]
    expect(await codeOf(idp.signInWith({}, { key: idp.keys[2]!, header: { kid: undefined } }))).toBe('user-1')
    const stranger = makeKey()
    expect(await codeOf(idp.signInWith({}, { key: stranger, header: { kid: undefined } }))).toBe('bad_signature')
  })

  test('is not tried with an unlimited number of keys', async () => {
    await using idp = await startLyingProvider()
    const keys = Array.from({ length: 40 }, () => makeKey())
    idp.keys = keys
    expect(await codeOf(idp.signInWith({}, { key: keys[39]!, header: { kid: undefined } }))).toBe('bad_signature')
  })
})

describe('published keys', () => {
  test('are fetched once for many sign-ins', async () => {
    await using idp = await startLyingProvider()
    for (let round = 0; round < 3; round++) expect(await codeOf(idp.signInWith())).toBe('user-1')
    expect(idp.requestCount('/jwks')).toBe(1)
  })

  test('are fetched once more when the provider has just rotated them', async () => {
    await using idp = await startLyingProvider()
    expect(await codeOf(idp.signInWith())).toBe('user-1')
    idp.keys = [makeKey()]
    expect(await codeOf(idp.signInWith())).toBe('user-1')
    expect(idp.requestCount('/jwks')).toBe(2)
  })

  test('are not fetched for each of many unknown keys', async () => {
    await using idp = await startLyingProvider()
    expect(await codeOf(idp.signInWith())).toBe('user-1')
    const flood = Array.from({ length: 30 }, () => codeOf(idp.signInWith({}, { key: makeKey() })))
    for (const code of await Promise.all(flood)) expect(['unknown_key', 'wrong_nonce']).toContain(code)
    for (let round = 0; round < 10; round++)
      expect(await codeOf(idp.signInWith({}, { key: makeKey() }))).toBe('unknown_key')
    expect(idp.requestCount('/jwks')).toBe(2)
    // A minute later a new key is looked for again.
    idp.setClock(later(60))
    idp.keys = [makeKey()]
    expect(await codeOf(idp.signInWith())).toBe('user-1')
    expect(idp.requestCount('/jwks')).toBe(3)
  })

  test('are fetched again after ten minutes, and after the clock was set back', async () => {
    await using idp = await startLyingProvider()
    await idp.signInWith()
    idp.setClock(later(200))
    await idp.signInWith()
    expect(idp.requestCount('/jwks')).toBe(1)
    idp.setClock(later(-3600))
    await idp.signInWith()
    expect(idp.requestCount('/jwks')).toBe(2)
  })

  test.each([
    ['a redirect', { status: 302, headers: { location: '/jwks2' }, body: '' }],
    ['an error response', { status: 500, body: {} }],
    ['not JSON', { body: '<html>' }],
    ['not a list', { body: { keys: 'none' } }],
    ['too large', { body: { keys: [], filler: 'x'.repeat(300_000) } }],
  ])('that are %s make the sign-in fail', async (_, response) => {
    await using idp = await startLyingProvider()
    idp.jwks = () => response
    const outcome = await idp.signInWith()
    expect(outcome).toMatchObject({ code: 'keys_unavailable', message: expect.stringContaining('/jwks') })
    expect(idp.requestCount('/jwks2')).toBe(0)
  })

  test('that are invalid do no harm beside a valid one', async () => {
    await using idp = await startLyingProvider()
    const { jwkOf } = await import('../../test/signin/lying-provider.js')
    idp.published = { keys: [null, 7, [], { kty: 'oct', k: 'x' }, { kty: 'EC' }, jwkOf(idp.keys[0]!)] }
    expect(await codeOf(idp.signInWith())).toBe('user-1')
  })
})
