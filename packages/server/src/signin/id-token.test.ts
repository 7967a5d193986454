import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type LyingProvider,
  makeKey,
  NOW,
  signedWithPublicKey,
  startLyingProvider,
  tokens,
  unsigned,
} from '../../test/signin/lying-provider.js'
import { SignInFailure } from './sign-in-failure.js'

const SECONDS = NOW.getTime() / 1000

let idp: LyingProvider
beforeAll(async () => {
  idp = await startLyingProvider()
})
afterAll(() => idp[Symbol.asyncDispose]())

const codeOf = async (outcome: ReturnType<LyingProvider['signInWith']>) => {
  const found = await outcome
  return found instanceof SignInFailure ? found.code : found.subject
}

describe('an ID token is rejected', () => {
  test.each([
    ['a wrong issuer', { iss: 'https://evil.example' }, 'wrong_issuer'],
    ['no issuer', { iss: undefined }, 'claim_missing'],
    ['a wrong audience', { aud: 'somebody-else' }, 'wrong_audience'],
    ['no audience', { aud: undefined }, 'claim_missing'],
    ['audiences without this service', { aud: ['somebody', 'else'] }, 'wrong_audience'],
    ['a second audience and a foreign authorized party', { aud: ['omen', 'evil'], azp: 'evil' }, 'wrong_audience'],
    ['a second audience and no authorized party', { aud: ['omen', 'evil'] }, 'wrong_audience'],
    ['a foreign authorized party', { azp: 'evil' }, 'wrong_audience'],
    ['no subject', { sub: undefined }, 'claim_missing'],
    ['an empty subject', { sub: '' }, 'claim_missing'],
    ['no time of issue', { iat: undefined }, 'claim_missing'],
    ['no expiry', { exp: undefined }, 'claim_missing'],
    ['an expiry that has passed', { exp: SECONDS - 61 }, 'token_expired'],
    ['a beginning beyond 60 s', { nbf: SECONDS + 61 }, 'token_not_yet_valid'],
    ['a wrong nonce', { nonce: 'of another sign-in' }, 'wrong_nonce'],
    ['no nonce', { nonce: undefined }, 'claim_missing'],
    ['an expiry that is not a number', { exp: 'tomorrow' }, 'id_token_unreadable'],
  ])('with %s', async (_, changes, code) => {
    expect(await codeOf(idp.signInWith(changes))).toBe(code)
  })

  test('with the received and the expected value', async () => {
    const { issuer } = idp.provider
    const wrongIssuer = await idp.signInWith({ iss: 'https://evil.example' })
    expect(wrongIssuer).toMatchObject({ message: expect.stringContaining('"https://evil.example"') })
    expect(wrongIssuer).toMatchObject({ message: expect.stringContaining(`"${issuer}"`) })
    const wrongAudience = await idp.signInWith({ aud: ['a', 'b'] })
    expect(wrongAudience).toMatchObject({ message: expect.stringMatching(/"a b".*"omen"/) })
  })

  test('without a signature', async () => {
    expect(await codeOf(idp.signInWith({}, { token: (begun) => tokens(unsigned(idp.claims(begun))) }))).toBe(
      'wrong_algorithm',
    )
  })

  test('signed with the published key as a shared secret', async () => {
    const token = async (begun: Parameters<LyingProvider['claims']>[0]) =>
      tokens(await signedWithPublicKey(idp.claims(begun), idp.keys[0]!))
    expect(await codeOf(idp.signInWith({}, { token }))).toBe('wrong_algorithm')
  })

  test('signed with an algorithm that is not published', async () => {
    const provider = { signingAlgorithms: ['RS256'] }
    expect(await codeOf(idp.signInWith({}, { provider }))).toBe('wrong_algorithm')
  })

  test('signed with another key under a known key id', async () => {
    const { kid } = idp.keys[0]!
    expect(await codeOf(idp.signInWith({}, { key: makeKey('ES256', kid) }))).toBe('bad_signature')
  })

  test.each([
    ['text', 'not a token'],
    ['empty', ''],
    ['encrypted', 'a.b.c.d.e'],
    ['with a broken header', '!!!.e30.'],
    ['a list', `${Buffer.from('[]').toString('base64url')}.${Buffer.from('[]').toString('base64url')}.x`],
  ])('that is %s', async (_, idToken) => {
    const code = await codeOf(idp.signInWith({}, { token: () => tokens(idToken) }))
    expect(['id_token_unreadable', 'wrong_algorithm', 'no_id_token']).toContain(code)
  })

  test('that is missing', async () => {
    const token = () => ({ body: { access_token: 'a', token_type: 'Bearer' } })
    expect(await codeOf(idp.signInWith({}, { token }))).toBe('no_id_token')
  })
})

describe('an ID token is accepted', () => {
  test.each([
    ['with an audience list that holds only us', { aud: ['omen'] }],
    ['with a second audience, issued to us', { aud: ['omen', 'other'], azp: 'omen' }],
    ['that expired within the tolerance', { exp: SECONDS - 59 }],
    ['that begins within the tolerance', { nbf: SECONDS + 59 }],
  ])('%s', async (_, changes) => {
    expect(await codeOf(idp.signInWith(changes))).toBe('user-1')
  })

  test.each(['RS256', 'ES256', 'EdDSA'] as const)('signed with %s', async (alg) => {
    await using other = await startLyingProvider()
    other.keys = [makeKey(alg)]
    expect(await codeOf(other.signInWith())).toBe('user-1')
  })
})
