import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PublishedProvider, RSA_KEY, startProvider } from '../../test/discovery/stage.js'

let idp: PublishedProvider
beforeAll(async () => {
  idp = await startProvider()
})
afterAll(() => idp[Symbol.asyncDispose]())

/** Replaces `$` by the address of this run. */
const here = (text: string) => text.replaceAll('$', idp.issuer)

const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
const ED = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })

describe('a configuration is read', () => {
  test('with all members that are used', async () => {
    idp.publish({
      userinfo_endpoint: `${idp.issuer}/me`,
      end_session_endpoint: `${idp.issuer}/bye`,
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_post', 'client_secret_basic'],
      id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256', 'ES256', 'RS256', '__proto__'],
      scopes_supported: ['openid', 'email'],
      authorization_response_iss_parameter_supported: true,
      code_challenge_methods_supported: ['plain', 'S256'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
    })
    expect(await idp.discovery.discover(` ${idp.wellKnownUrl}#top\n`)).toEqual({
      issuer: idp.issuer,
      authorizationEndpoint: `${idp.issuer}/authorize`,
      tokenEndpoint: `${idp.issuer}/token`,
      jwksUri: `${idp.issuer}/jwks`,
      userinfoEndpoint: `${idp.issuer}/me`,
      endSessionEndpoint: `${idp.issuer}/bye`,
      clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
      signingAlgorithms: ['RS256', 'ES256'],
      scopes: ['openid', 'email'],
      sendsIssuer: true,
      wellKnownUrl: idp.wellKnownUrl,
    })
  })

  test('with the defaults of the standard for what is absent, null or empty', async () => {
    idp.publish({
      response_types_supported: undefined,
      id_token_signing_alg_values_supported: null,
      code_challenge_methods_supported: [],
      userinfo_endpoint: null,
      end_session_endpoint: '',
    })
    expect(await idp.discovery.discover(idp.wellKnownUrl)).toEqual({
      issuer: idp.issuer,
      authorizationEndpoint: `${idp.issuer}/authorize`,
      tokenEndpoint: `${idp.issuer}/token`,
      jwksUri: `${idp.issuer}/jwks`,
      clientAuthMethods: ['client_secret_basic'],
      signingAlgorithms: ['RS256'],
      sendsIssuer: false,
      wellKnownUrl: idp.wellKnownUrl,
    })
  })

  test.each([
    ['$/.well-known/openid-configuration', '$'],
    ['$/.well-known/openid-configuration', '$/'],
    ['$/realms/a/.well-known/openid-configuration', '$/realms/a'],
    ['$/realms/a/.well-known/openid-configuration', '$/realms/a/'],
    ['$/.well-known/oauth-authorization-server', '$'],
    ['$/.well-known/oauth-authorization-server/oauth2/x', '$/oauth2/x'],
    ['$/oauth2/x/.well-known/oauth-authorization-server', '$/oauth2/x'],
    ['$/t/v2.0/.well-known/openid-configuration?appid=7', '$/t/v2.0'],
  ])('at %s for the issuer %s', async (given, published) => {
    const target = new URL(here(given))
    idp.publish({ issuer: here(published) }, { keys: [RSA_KEY] }, `${target.pathname}${target.search}`)
    expect((await idp.discovery.discover(target.href)).issuer).toBe(here(published))
  })

  test('whatever its Content-Type, and with a byte order mark', async () => {
    idp.publish({})
    const { body = '' } = idp.pages.get('/.well-known/openid-configuration') ?? {}
    idp.pages.set('/.well-known/openid-configuration', {
      headers: { 'content-type': 'text/html' },
      body: `\ufeff${body}`,
    })
    expect((await idp.discovery.discover(idp.wellKnownUrl)).issuer).toBe(idp.issuer)
  })

  test.each([
    ['of RSA', ['RS256'], [RSA_KEY]],
    ['without use, alg and kid', ['PS256'], [{ ...RSA_KEY, use: undefined, alg: undefined, kid: undefined }]],
    ['of an elliptic curve', ['ES256'], [EC]],
    ['of Edwards', ['EdDSA'], [ED]],
    [
      'among others',
      ['RS256'],
      [{ kty: 'oct', k: 'c2VjcmV0', d: 'x' }, null, 7, { ...RSA_KEY, use: 'enc' }, { kty: 'XX' }, RSA_KEY],
    ],
  ])('with a key %s', async (_, algorithms, keys) => {
    idp.publish({ id_token_signing_alg_values_supported: algorithms }, { keys })
    expect((await idp.discovery.discover(idp.wellKnownUrl)).signingAlgorithms).toEqual(algorithms)
  })

  test('fifty times concurrently', async () => {
    idp.publish({})
    const found = await Promise.all(Array.from({ length: 50 }, () => idp.discovery.discover(idp.wellKnownUrl)))
    expect(new Set(found.map((provider) => provider.issuer))).toEqual(new Set([idp.issuer]))
  })
})
