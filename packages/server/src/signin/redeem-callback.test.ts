import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type LyingProvider,
  type ProviderResponse,
  startLyingProvider,
  tokens,
} from '../../test/signin/lying-provider.js'
import { beginAuthorization } from './begin-authorization.js'
import { SignInFailure } from './sign-in-failure.js'

let idp: LyingProvider
beforeAll(async () => {
  idp = await startLyingProvider()
})
afterAll(() => idp[Symbol.asyncDispose]())

const failureOf = async (outcome: ReturnType<LyingProvider['signInWith']>) => {
  const found = await outcome
  if (!(found instanceof SignInFailure)) expect.fail(`${found.subject} signed in`)
  return found
}

describe('an authorization request', () => {
  test('is for a code, with PKCE, state, nonce and the scopes that are offered', () => {
    const { url, state, nonce, verifier } = beginAuthorization(
      { ...idp.provider, scopes: ['openid', 'email'] },
      idp.client,
    )
    const { origin, pathname, searchParams } = new URL(url)
    expect(`${origin}${pathname}`).toBe(`${idp.provider.issuer}/authorize`)
    expect(Object.fromEntries(searchParams)).toEqual({
      brand: 'acme',
      response_type: 'code',
      client_id: 'omen',
      redirect_uri: idp.client.redirectUri,
      scope: 'openid email',
      state,
      nonce,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
  })

  test('shares no random value with the previous one', () => {
    const [a, b] = [beginAuthorization(idp.provider, idp.client), beginAuthorization(idp.provider, idp.client)]
    expect(new Set([a.state, a.nonce, a.verifier, b.state, b.nonce, b.verifier]).size).toBe(6)
    expect(new URL(a.url).searchParams.get('scope')).toBe('openid email profile offline_access')
  })
})

describe('a callback', () => {
  test('gives the identity, and sends verifier and client only to the token endpoint', async () => {
    const before = idp.requests.length
    const found = await idp.signInWith({ name: 'Alice', email_verified: true })
    expect(found).toEqual({
      issuer: idp.provider.issuer,
      subject: 'user-1',
      email: 'alice@acme.com',
      email_verified: true,
      name: 'Alice',
      refreshToken: 'refresh-1',
      idToken: expect.stringMatching(/^eyJ/),
    })
    const [tokenRequest] = idp.requests.slice(before).filter(({ url }) => url === '/token')
    expect(tokenRequest!.headers.authorization).toBe(
      `Basic ${Buffer.from('omen:a+secret%3A+100%25').toString('base64')}`,
    )
    const body = Object.fromEntries(new URLSearchParams(tokenRequest!.body))
    expect(body).toEqual({
      grant_type: 'authorization_code',
      code: 'c0de',
      redirect_uri: idp.client.redirectUri,
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    })
  })

  test('of a client that authenticates in the body', async () => {
    const begun = idp.signIn.begin(idp.provider, idp.client)
    idp.token = async () => tokens(await idp.sign(idp.claims(begun)))
    const client = { ...idp.client, authMethod: 'client_secret_post' as const }
    const query = new URLSearchParams({ code: 'c', state: begun.state })
    expect(await idp.signIn.redeem({ provider: idp.provider, client, expected: begun, query })).toMatchObject({
      subject: 'user-1',
    })
    const tokenRequest = idp.requests.filter(({ url }) => url === '/token').at(-1)!
    expect(tokenRequest.headers.authorization).toBeUndefined()
    expect(new URLSearchParams(tokenRequest.body).get('client_secret')).toBe(idp.client.clientSecret)
  })

  test.each([
    ['without a state', { state: [] }, 'wrong_state'],
    ['with another state', { state: 'x' }, 'wrong_state'],
    ['with two states', { state: ['a', 'b'] }, 'wrong_state'],
    ['without a code', { code: [] }, 'no_code'],
    ['with two codes', { code: ['a', 'b'] }, 'no_code'],
    ['with another issuer', { iss: 'https://evil.example' }, 'wrong_response_issuer'],
    ['with an error', { error: 'access_denied', code: [] }, 'access_denied'],
    ['with an unknown error', { error: 'Pay <b>now</b>', code: [] }, 'provider_error'],
    ['with a token instead of a code', { id_token: 'x', code: [] }, 'no_code'],
  ])('%s is rejected before any token request', async (_, query, code) => {
    const before = idp.requestCount('/token')
    expect((await failureOf(idp.signInWith({}, { query }))).code).toBe(code)
    expect(idp.requestCount('/token')).toBe(before)
  })

  test('without the announced issuer is rejected before any token request', async () => {
    const before = idp.requestCount('/token')
    const failure = await failureOf(idp.signInWith({}, { provider: { sendsIssuer: true } }))
    expect(failure.code).toBe('wrong_response_issuer')
    expect(failure.message).toContain(idp.provider.issuer)
    expect(idp.requestCount('/token')).toBe(before)
    const good = await idp.signInWith({}, { provider: { sendsIssuer: true }, query: { iss: idp.provider.issuer } })
    expect(good).toMatchObject({ subject: 'user-1' })
  })

  test("of a user who is not assigned shows the provider's description and advice", async () => {
    const query = { error: 'access_denied', error_description: 'User is not assigned.\u202e', code: [] }
    const { message } = await failureOf(idp.signInWith({}, { query }))
    expect(message).toContain('access_denied and says "User is not assigned.\\u{202e}"')
    expect(message).toContain('Assign the user')
  })
})

describe('a token endpoint', () => {
  test.each<[string, ProviderResponse, string]>([
    [
      'that rejects the code (no matching verifier)',
      { status: 400, body: { error: 'invalid_grant' } },
      'code_rejected',
    ],
    ['that rejects the client', { status: 401, body: { error: 'invalid_client' } }, 'client_rejected'],
    [
      'that challenges the client',
      { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' }, body: { error: 'invalid_client' } },
      'client_rejected',
    ],
    [
      'that knows another redirect URI',
      { status: 400, body: { error: 'redirect_uri_mismatch' } },
      'redirect_uri_rejected',
    ],
    ['that says something else', { status: 400, body: { error: 'Please pay' } }, 'token_answer_unreadable'],
    ['that is broken', { status: 500, body: 'oh no' }, 'provider_unavailable'],
    ['that is out of order', { status: 503, body: { error: 'unavailable' } }, 'provider_unavailable'],
    ['that redirects', { status: 307, headers: { location: '/elsewhere' }, body: '' }, 'provider_unavailable'],
    ['that responds with a page', { body: '<html>' }, 'token_answer_unreadable'],
    ['that responds without end', { body: `"${'x'.repeat(300_000)}"` }, 'provider_unavailable'],
    ['that responds with nothing', { status: 204, body: '' }, 'token_answer_unreadable'],
    ['that responds with a list', { body: [] }, 'token_answer_unreadable'],
    [
      'that gives another kind of token',
      { body: { access_token: 'a', token_type: 'mac', id_token: 'x' } },
      'id_token_unreadable',
    ],
  ])('%s', async (_, response, code) => {
    const failure = await failureOf(idp.signInWith({}, { token: () => response }))
    expect(failure.code).toBe(code)
    expect(failure.message).not.toContain('Please pay')
    expect(idp.requestCount('/elsewhere')).toBe(0)
  })

  test('that cannot be reached', async () => {
    const failure = await failureOf(idp.signInWith({}, { provider: { tokenEndpoint: 'http://127.0.0.1:1/token' } }))
    expect(failure).toMatchObject({
      code: 'provider_unavailable',
      message: '"http://127.0.0.1:1/token" cannot be used: the connection was refused. Try again in a minute.',
    })
  })

  test('that rejects the redirect URI gives a message with the correct one', async () => {
    const token = () => ({ status: 400, body: { error: 'redirect_uri_mismatch' } })
    const { message } = await failureOf(idp.signInWith({}, { token }))
    expect(message).toContain(`"${idp.client.redirectUri}"`)
  })
})

describe('userinfo', () => {
  test('provides the address if the ID token does not', async () => {
    idp.userinfo = ({ headers }) => ({
      body: { sub: 'user-1', email: 'a@acme.com', email_verified: false, name: headers.authorization },
    })
    expect(await idp.signInWith({ email: undefined })).toMatchObject({
      email: 'a@acme.com',
      email_verified: false,
      name: 'Bearer access-1',
    })
  })

  test.each<[string, ProviderResponse, string]>([
    ['about another user', { body: { sub: 'user-2', email: 'a@acme.com' } }, 'wrong_userinfo_subject'],
    ['without a user', { body: { email: 'a@acme.com' } }, 'userinfo_unavailable'],
    ['that redirects', { status: 302, headers: { location: '/elsewhere' }, body: '' }, 'userinfo_unavailable'],
    ['that refuses', { status: 403, body: {} }, 'userinfo_unavailable'],
    ['that is not JSON', { body: '<html>' }, 'userinfo_unavailable'],
  ])('%s makes the sign-in fail', async (_, response, code) => {
    idp.userinfo = () => response
    expect((await failureOf(idp.signInWith({ email: undefined }))).code).toBe(code)
    expect(idp.requestCount('/elsewhere')).toBe(0)
  })

  test('is not requested if the ID token has an address', async () => {
    const before = idp.requestCount('/userinfo')
    await idp.signInWith()
    expect(idp.requestCount('/userinfo')).toBe(before)
  })
})
