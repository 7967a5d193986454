import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSameIssuer, issuerOf, suggestForIssuer, suggestUrl, wellKnownUrlOf } from './well-known-url.js'

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

test('the well-known URL is the issuer with the suffix and one slash', () => {
  const url = 'https://idp.acme.com/a/.well-known/openid-configuration'
  expect([wellKnownUrlOf('https://idp.acme.com/a'), wellKnownUrlOf('https://idp.acme.com/a/')]).toEqual([url, url])
})

const END = '/.well-known/openid-configuration'

describe('the suggestion for', () => {
  test.each([
    ['https://acme.okta.com/', 'https://acme.okta.com'],
    ['https://acme-admin.okta.com/admin/app/oidc_client/instance/0oa1/', 'https://acme.okta.com'],
    ['https://acme.okta.com/oauth2/default', 'https://acme.okta.com/oauth2/default'],
    ['https://acme.okta.com/oauth2/default/v1/authorize', 'https://acme.okta.com/oauth2/default'],
    ['https://acme.okta.com/oauth2/v1/token', 'https://acme.okta.com'],
    ['https://login.microsoftonline.com/6f1e-22/v2.0', 'https://login.microsoftonline.com/6f1e-22/v2.0'],
    ['https://login.microsoftonline.com/6f1e-22/', 'https://login.microsoftonline.com/6f1e-22/v2.0'],
    [
      'https://login.microsoftonline.com/6f1e-22/oauth2/v2.0/authorize',
      'https://login.microsoftonline.com/6f1e-22/v2.0',
    ],
    [
      'https://login.microsoftonline.com/6f1e-22/federationmetadata/2007-06/x.xml',
      'https://login.microsoftonline.com/6f1e-22/v2.0',
    ],
    ['https://admin.google.com/ac/apps/unified', 'https://accounts.google.com'],
    ['https://console.cloud.google.com/apis/credentials', 'https://accounts.google.com'],
    ['https://kc.acme.com/realms/a', 'https://kc.acme.com/realms/a'],
    ['https://kc.acme.com/auth/realms/a/protocol/openid-connect/auth', 'https://kc.acme.com/auth/realms/a'],
    ['https://kc.acme.com/admin/master/console/#/a/clients', 'https://kc.acme.com/realms/a'],
    ['https://kc.acme.com/auth/admin/master/console/#/realms/a/clients', 'https://kc.acme.com/auth/realms/a'],
    ['https://manage.auth0.com/dashboard/eu/acme/applications', 'https://acme.eu.auth0.com'],
    ['https://acme.eu.auth0.com/authorize', 'https://acme.eu.auth0.com'],
    ['https://auth.pingone.eu/b5f0-1/as/authorize', 'https://auth.pingone.eu/b5f0-1/as'],
    ['https://console.jumpcloud.com/#/sso', 'https://oauth.id.jumpcloud.com'],
    ['https://acme.onelogin.com/apps/12/edit', 'https://acme.onelogin.com/oidc/2'],
    ['https://idp.acme.com/.well-known/jwks.json', 'https://idp.acme.com'],
    ['https://idp.acme.com/x/.wellknown/openid-config', 'https://idp.acme.com/x'],
    ['https://idp.acme.com/x/?a=b#c', 'https://idp.acme.com/x'],
  ])('%s is the configuration of %s', (text, issuer) => {
    expect(suggestUrl(text)).toEqual({ url: `${issuer}${END}`, isComplete: true })
  })

  test.each([
    ['https://entra.microsoft.com/#view/Microsoft_AAD', 'https://login.microsoftonline.com/<tenant id>/v2.0'],
    ['https://portal.azure.com/#home', 'https://login.microsoftonline.com/<tenant id>/v2.0'],
    ['https://console.pingone.eu/index.html', 'https://auth.pingone.eu/<environment id>/as'],
  ])('%s has placeholders', (text, issuer) => {
    expect(suggestUrl(text)).toEqual({ url: `${issuer}${END}`, isComplete: false })
  })

  test('every URL gets a suggestion', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (text) => {
        expect(suggestUrl(text).url.endsWith(END)).toBe(true)
      }),
    )
  })
})

test.each([
  ['https://idp.acme.com/', 'https://idp.acme.com'],
  ['https://sts.windows.net/6f1e-22/', 'https://login.microsoftonline.com/6f1e-22/v2.0'],
  ['https://login.microsoftonline.com/{tenantid}/v2.0', 'https://login.microsoftonline.com/<tenant id>/v2.0'],
  ['https://sts.windows.net/{tenantid}/', 'https://sts.windows.net/<tenant id>'],
])('the issuer %s has the URL of %s', (issuer, end) => {
  expect(suggestForIssuer(issuer)).toBe(`${end}${END}`)
})
