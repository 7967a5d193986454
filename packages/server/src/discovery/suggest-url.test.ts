import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { suggestForIssuer, suggestUrl } from './suggest-url.js'

const END = '/.well-known/openid-configuration'

describe('what was meant by', () => {
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
  ])('%s is known in part', (text, issuer) => {
    expect(suggestUrl(text)).toEqual({ url: `${issuer}${END}`, isComplete: false })
  })

  test('any URL is something', () => {
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
