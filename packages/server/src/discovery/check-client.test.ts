import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { startServer } from '../../test/discovery/local-server.js'
import {
  BOTH,
  CLIENT,
  CLIENT_ERROR,
  check,
  GRANT,
  providerAt,
  type TokenEndpointResponse,
} from '../../test/discovery/token-endpoint.js'
import { basicAuthorization } from './check-client.js'
import { createDiscovery } from './discover.js'
import type { ClientAuthMethod } from './provider.js'

describe('the request', () => {
  test('is a token request with a code that does not exist', async () => {
    const { requests } = await check([CLIENT_ERROR, GRANT])
    const [basic, post] = requests
    const form = {
      grant_type: 'authorization_code',
      code: 'omen-connection-check',
      redirect_uri: CLIENT.redirectUri,
      code_verifier: 'omen-connection-check-'.padEnd(64, '0'),
    }
    expect(basic).toMatchObject({ method: 'POST', url: '/token' })
    expect(basic?.headers).toMatchObject({
      authorization: `Basic ${btoa('acme-app:hunter2-Sehr~geheim')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    })
    expect(Object.fromEntries(new URLSearchParams(basic?.body))).toEqual(form)
    expect(post?.headers.authorization).toBeUndefined()
    expect(Object.fromEntries(new URLSearchParams(post?.body))).toEqual({
      ...form,
      client_id: CLIENT.clientId,
      client_secret: CLIENT.clientSecret,
    })
  })

  test('sends every id and secret unchanged, with both methods', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        async (clientId, clientSecret) => {
          const { requests } = await check([CLIENT_ERROR, GRANT], { client: { ...CLIENT, clientId, clientSecret } })
          const [basic, post] = requests
          const decoded = Buffer.from(`${basic?.headers.authorization}`.slice(6), 'base64').toString()
          const decode = (text = '') => decodeURIComponent(text.replaceAll('+', ' '))
          expect(decoded.split(':').map(decode)).toEqual([clientId, clientSecret])
          const form = new URLSearchParams(post?.body)
          expect([form.get('client_id'), form.get('client_secret')]).toEqual([clientId, clientSecret])
        },
      ),
      { numRuns: 30 },
    )
  })

  test.each([
    ['a-b._~9', 'a-b._~9', 'YS1iLl9+OTphLWIuX345'],
    ['a b', 'c:d', btoa('a+b:c%3Ad')],
    ['ü', '%+&=', btoa('%C3%BC:%25%2B%26%3D')],
    ["!'()*", '\ud800', btoa('%21%27%28%29%2A:%EF%BF%BD')],
  ])('encodes %j and %j for Basic', (id, secret, encoded) => {
    expect(basicAuthorization(id, secret)).toBe(`Basic ${encoded}`)
  })
})

describe('the authentication method', () => {
  test.each<[string, readonly TokenEndpointResponse[], readonly ClientAuthMethod[], ClientAuthMethod]>([
    ['is the first that works', [GRANT], BOTH, 'client_secret_basic'],
    ['is the second one if the first is rejected', [CLIENT_ERROR, GRANT], BOTH, 'client_secret_post'],
    [
      'is the second one if the first is not supported',
      [[400, { error: 'invalid_request' }], GRANT],
      BOTH,
      'client_secret_post',
    ],
    ['is the only one that is offered', [GRANT], ['client_secret_post'], 'client_secret_post'],
  ])('%s', async (_, responses, methods, method) => {
    const outcome = await check(responses, { methods })
    expect(outcome.problem).toBeUndefined()
    expect(outcome.method).toBe(method)
    expect(outcome.requests).toHaveLength(responses.length)
  })
})

describe('without a response there is no verdict', () => {
  const AGAIN = 'Try again in a minute.'
  const PUBLISHED = 'Check the token_endpoint that the identity provider publishes.'
  const CHECK = 'Check the application at the identity provider and try again.'
  test.each<[string, readonly TokenEndpointResponse[], string, string]>([
    ['broken', [[500, 'oops']], 'it returned status 500', AGAIN],
    [
      'an outage with an error code of a valid client',
      [[500, { error: 'invalid_grant' }]],
      'it returned "invalid_grant" (status 500)',
      AGAIN,
    ],
    [
      'away',
      [[503, { error: 'temporarily_unavailable' }]],
      'it returned "temporarily_unavailable" (status 503)',
      AGAIN,
    ],
    ['a web page', [[200, '<html>Sign in</html>']], 'it returned status 200', AGAIN],
    ['a firewall', [[403, '<html>Access denied</html>']], 'it returned status 403', AGAIN],
    ['tokens for a made-up code', [[200, { access_token: 'x' }]], 'it returned status 200', AGAIN],
    [
      'moved',
      [[302, '', { location: 'https://evil.test/' }]],
      'it redirects to "https://evil.test/", but redirects are not followed',
      PUBLISHED,
    ],
    ['too large', [[400, 'x'.repeat(256 * 1024 + 1)]], 'its response is larger than 256 KiB', AGAIN],
    [
      'another error',
      [
        [400, { error: 'invalid_request' }],
        [400, { error: 'invalid_request' }],
      ],
      'it returned "invalid_request" (status 400)',
      CHECK,
    ],
    [
      'its own error code',
      [
        [400, { error: 'hunter2-Sehr~geheim' }],
        [400, { error: 7 }],
      ],
      'it returned status 400',
      CHECK,
    ],
    [
      'another redirect URI',
      [
        [400, { error: 'redirect_uri_mismatch' }],
        [400, {}],
      ],
      'it returned "redirect_uri_mismatch" (status 400)',
      'Enter the sign_in_uri of this transaction as the redirect URI of the application, exactly as it is.',
    ],
    [
      'no such grant',
      [
        [400, { error: 'unsupported_grant_type' }],
        [400, {}],
      ],
      'it returned "unsupported_grant_type" (status 400)',
      'Allow the authorization code grant (and refresh tokens) in the application at the identity provider.',
    ],
    ['a rejection, then an outage', [CLIENT_ERROR, [502, '']], 'it returned status 502', AGAIN],
  ])('%s', async (_, responses, reason, advice) => {
    const { problem, requests } = await check(responses)
    expect(problem?.code).toBe('idp_unavailable')
    expect(problem?.status).toBe(502)
    const shown = problem?.message.replace(/:\d+\/token/, '/token')
    expect(shown).toBe(
      `The client could not be checked at "http://127.0.0.1/token": ${reason}. Nothing was changed. ${advice}`,
    )
    expect(requests).toHaveLength(responses.length)
  })

  test("a busy provider's Retry-After is passed on", async () => {
    const { problem } = await check([[429, '', { 'retry-after': '30' }]])
    expect([problem?.code, problem?.retryAfter]).toEqual(['idp_unavailable', 30])
    expect((await check([[429, '', { 'retry-after': '999999' }]])).problem?.retryAfter).toBe(3600)
    expect((await check([[429, '', { 'retry-after': 'later' }]])).problem?.retryAfter).toBeUndefined()
  })

  test('a provider that does not respond times out', async () => {
    await using server = await startServer(() => undefined)
    const discovery = createDiscovery({ allowInsecure: true, timeout: 50 })
    await expect(discovery.checkClient(providerAt(server.port, BOTH), CLIENT)).rejects.toMatchObject({
      code: 'idp_unavailable',
      message: `The client could not be checked at "http://127.0.0.1:${server.port}/token": there was no complete response within 0.05 s. Nothing was changed. Try again in a minute.`,
    })
    expect(server.requests).toHaveLength(1)
  })

  test('an address that has become private is not contacted', async () => {
    const discovery = createDiscovery({ allowInsecure: false, resolve: async () => ['10.0.0.1'] })
    const provider = { ...providerAt(1, BOTH), tokenEndpoint: 'https://idp.test/token' }
    await expect(discovery.checkClient(provider, CLIENT)).rejects.toMatchObject({
      code: 'idp_unavailable',
      message:
        'The client could not be checked at "https://idp.test/token": "idp.test" resolves to a private address; only public addresses are allowed. Nothing was changed. Check the token_endpoint that the identity provider publishes.',
    })
  })
})

test('no error contains the secret, even if the provider repeats it', async () => {
  const secret = CLIENT.clientSecret
  const echo = {
    error: secret,
    error_description: secret,
    error_uri: `https://idp.test/${secret}`,
    errorSummary: secret,
  }
  const responses: readonly TokenEndpointResponse[] = [
    [401, echo],
    [401, { ...echo, error: 'invalid_client' }],
    [400, echo],
    [500, echo],
    [403, secret],
    [401, secret],
    [200, echo],
    [302, '', { location: 'https://idp.test/' }],
  ]
  for (const response of responses) {
    const { problem } = await check([response, response])
    const reported = [problem?.message, problem?.stack, JSON.stringify(problem?.errors), String(problem?.cause)].join()
    for (const form of [secret, encodeURIComponent(secret), btoa(`${CLIENT.clientId}:${secret}`)]) {
      expect(reported).not.toContain(form)
    }
  }
})
