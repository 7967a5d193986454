import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, type PublishedProvider, startProvider } from '../../test/discovery/stage.js'

let idp: PublishedProvider
beforeAll(async () => {
  idp = await startProvider()
})
afterAll(() => idp[Symbol.asyncDispose]())

const detailOf = async (given: string) => (await idp.problemOf(given)).message

/** Replaces `$` by the address of this run. */
const here = (text: string) => text.replaceAll('$', idp.issuer)

const CORRECT = 'Correct this at the identity provider, or send the URL of another identity provider.'

describe('a configuration that cannot be used says why', () => {
  const PUBLIC = 'only public addresses are allowed'
  test.each<[string, Json, string]>([
    [
      'another issuer',
      { issuer: 'https://evil.test' },
      'issuer is "https://evil.test", but the URL belongs to the issuer "$"; if that is your issuer, use "https://evil.test/.well-known/openid-configuration"',
    ],
    [
      'an issuer with a query',
      { issuer: 'https://idp.test?x' },
      'issuer is "https://idp.test?x", but the URL belongs to the issuer "$"',
    ],
    ['an issuer that is not a URL', { issuer: 'idp' }, 'issuer is "idp", but the URL belongs to the issuer "$"'],
    [
      'the old issuer of Entra ID',
      { issuer: 'https://sts.windows.net/6f1e/' },
      'issuer is "https://sts.windows.net/6f1e/", but the URL belongs to the issuer "$"; if that is your issuer, use "https://login.microsoftonline.com/6f1e/v2.0/.well-known/openid-configuration"',
    ],
    [
      'an issuer for many tenants',
      { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' },
      'issuer is "https://login.microsoftonline.com/{tenantid}/v2.0", a template for many tenants; use the URL of your own tenant: "https://login.microsoftonline.com/<tenant id>/v2.0/.well-known/openid-configuration"',
    ],
    ['no issuer', { issuer: undefined }, 'issuer is missing'],
    ['an issuer that is not a string', { issuer: ['x'] }, 'issuer is a list, not a URL'],
    ['no authorization endpoint', { authorization_endpoint: undefined }, 'authorization_endpoint is missing'],
    ['no token endpoint', { token_endpoint: '' }, 'token_endpoint is missing'],
    ['no keys', { jwks_uri: null }, 'jwks_uri is missing'],
    ['a number for an endpoint', { token_endpoint: 7 }, 'token_endpoint is a number, not a URL'],
    [
      'an endpoint without HTTPS',
      { authorization_endpoint: 'http://idp.test/a' },
      'authorization_endpoint is "http://idp.test/a": it does not start with https://',
    ],
    [
      'a script for an endpoint',
      { end_session_endpoint: 'javascript:alert(1)' },
      'end_session_endpoint is "javascript:alert(1)": it does not start with https://',
    ],
    [
      'keys on loopback',
      { jwks_uri: 'https://localhost/jwks' },
      'jwks_uri is "https://localhost/jwks": "localhost" is a name in a private network; only public hosts are allowed',
    ],
    [
      'keys at a private address',
      { jwks_uri: 'https://inside.test/jwks' },
      `jwks_uri is "https://inside.test/jwks": "inside.test" resolves to a private address; ${PUBLIC}`,
    ],
    [
      'a token endpoint at a private address',
      { token_endpoint: 'https://inside.test/t' },
      `token_endpoint is "https://inside.test/t": "inside.test" resolves to a private address; ${PUBLIC}`,
    ],
    [
      'a token endpoint in the cloud',
      { token_endpoint: 'https://0xa9fea9fe/' },
      `token_endpoint is "https://0xa9fea9fe/": 169.254.169.254 is the address of a metadata service; ${PUBLIC}`,
    ],
    [
      'a userinfo endpoint in the cloud',
      { userinfo_endpoint: 'https://cloud.test/' },
      `userinfo_endpoint is "https://cloud.test/": "cloud.test" resolves to the address of a metadata service; ${PUBLIC}`,
    ],
    [
      'no code flow',
      { response_types_supported: ['id_token', 'code id_token'] },
      'response_types_supported is "id_token", "code id_token", without "code": the authorization code flow is required',
    ],
    [
      'no grant for codes',
      { grant_types_supported: ['implicit'] },
      'grant_types_supported is "implicit", without "authorization_code": the authorization code flow is required',
    ],
    ['a text for a list', { response_types_supported: 'code' }, 'response_types_supported is "code", not a list'],
    [
      'no PKCE',
      { code_challenge_methods_supported: ['plain'] },
      'code_challenge_methods_supported is "plain", without "S256": PKCE with S256 is required',
    ],
    [
      'no signature',
      { id_token_signing_alg_values_supported: ['none'] },
      'id_token_signing_alg_values_supported is "none", without a supported algorithm such as "RS256"',
    ],
    [
      'shared secrets for signatures',
      { id_token_signing_alg_values_supported: ['HS256', 'none'] },
      'id_token_signing_alg_values_supported is "HS256", "none", without a supported algorithm such as "RS256"',
    ],
    [
      'no method for secrets',
      { token_endpoint_auth_methods_supported: ['private_key_jwt'] },
      'token_endpoint_auth_methods_supported is "private_key_jwt", without any of "client_secret_basic", "client_secret_post"',
    ],
  ])('%s', async (_, changes, finding) => {
    idp.publish(changes)
    const problem = await idp.problemOf(idp.wellKnownUrl)
    expect(problem.message).toBe(
      here(`The configuration at "$/.well-known/openid-configuration" cannot be used: ${finding}. ${CORRECT}`),
    )
    expect(problem.errors).toEqual([{ field: 'well_known_url', message: here(finding) }])
  })

  test('with all findings at once', async () => {
    idp.publish({
      issuer: 'https://evil.test',
      authorization_endpoint: undefined,
      token_endpoint: 'https://inside.test/t',
      jwks_uri: `${idp.issuer}/away`,
      response_types_supported: ['token'],
    })
    const problem = await idp.problemOf(idp.wellKnownUrl)
    const findings = [
      'issuer is "https://evil.test", but the URL belongs to the issuer "$"; if that is your issuer, use "https://evil.test/.well-known/openid-configuration"',
      'authorization_endpoint is missing',
      'response_types_supported is "token", without "code": the authorization code flow is required',
      'token_endpoint is "https://inside.test/t": "inside.test" resolves to a private address; only public addresses are allowed',
      'jwks_uri is "$/away": it returned status 404',
    ].map(here)
    expect(problem.message).toBe(
      `The configuration at "${idp.wellKnownUrl}" has 5 problems: ${findings.join('; ')}. ${CORRECT}`,
    )
    expect(problem.errors?.map(({ message }) => message)).toEqual(findings)
  })

  test('in a short message, however much is wrong', async () => {
    const long = 'x'.repeat(100_000)
    idp.publish({ issuer: `https://${long}`, response_types_supported: Array(1000).fill(long) })
    expect((await detailOf(idp.wellKnownUrl)).length).toBeLessThan(3000)
  })
})
