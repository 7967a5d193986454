import { describe, expect, test } from 'vitest'
import { isSameIssuer, issuerOf, wellKnownUrlOf } from './well-known-url.js'

describe('the issuer of a well-known URL', () => {
  test.each([
    ['https://accounts.google.com/.well-known/openid-configuration', 'https://accounts.google.com'],
    ['https://acme.okta.com/.well-known/openid-configuration', 'https://acme.okta.com'],
    ['https://acme.okta.com/oauth2/default/.well-known/openid-configuration', 'https://acme.okta.com/oauth2/default'],
    [
      'https://acme.okta.com/oauth2/default/.well-known/oauth-authorization-server',
      'https://acme.okta.com/oauth2/default',
    ],
    [
      'https://acme.okta.com/.well-known/oauth-authorization-server/oauth2/default',
      'https://acme.okta.com/oauth2/default',
    ],
    [
      'https://login.microsoftonline.com/6f1/v2.0/.well-known/openid-configuration?appid=1',
      'https://login.microsoftonline.com/6f1/v2.0',
    ],
    ['https://idp.acme.com:9031/.well-known/openid-configuration/', 'https://idp.acme.com:9031'],
    ['https://idp.acme.com/.well-known/openid-configuration/realms/a/', 'https://idp.acme.com/realms/a'],
    ['https://idp.acme.com/.well-known/oauth-authorization-server', 'https://idp.acme.com'],
  ])('%s is %s', (url, issuer) => {
    expect(issuerOf(new URL(url))).toBe(issuer)
  })

  test.each([
    'https://idp.acme.com/',
    'https://idp.acme.com/a/.well-known/openid-configuration/b',
    'https://idp.acme.com/.well-known/jwks.json',
    'https://idp.acme.com/.well-known/openid-configuration.json',
    'https://idp.acme.com/x.well-known/openid-configuration',
    'https://idp.acme.com/?/.well-known/openid-configuration',
  ])('%s has none', (url) => {
    expect(issuerOf(new URL(url))).toBeUndefined()
  })
})

test.each([
  ['https://idp.acme.com', true],
  ['https://idp.acme.com/', true],
  ['https://IDP.acme.com:443/', true],
  ['https://idp.acme.com//', false],
  ['https://idp.acme.com/a', false],
  ['https://idp.acme.com:8443', false],
  ['http://idp.acme.com', false],
  ['https://idp.acme.com.evil.com', false],
])('the published issuer %s is https://idp.acme.com: %s', (published, isSame) => {
  expect(isSameIssuer(new URL(published), 'https://idp.acme.com')).toBe(isSame)
})

test('the configuration of an issuer stands at its end, with one slash', () => {
  const url = 'https://idp.acme.com/a/.well-known/openid-configuration'
  expect([wellKnownUrlOf('https://idp.acme.com/a'), wellKnownUrlOf('https://idp.acme.com/a/')]).toEqual([url, url])
})
