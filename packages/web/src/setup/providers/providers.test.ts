import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkWellKnownUrl } from '../../checks/well-known-url.js'
import { buildWellKnownUrl, checkPlaceholder } from './placeholders.js'
import { guideOf, isProviderId, PROVIDERS } from './providers.js'

const TENANT = '6F1B7A2E-0c54-4d3b-9a8e-2f7d1c5b9e03'

describe('the well-known URL', () => {
  test.each([
    ['okta', { domain: 'acme.okta.com' }, 'https://acme.okta.com/.well-known/openid-configuration'],
    [
      'okta',
      { domain: ' https://acme-admin.okta.com/admin/dashboard ' },
      'https://acme.okta.com/.well-known/openid-configuration',
    ],
    [
      'entra',
      { tenant: TENANT },
      `https://login.microsoftonline.com/${TENANT.toLowerCase()}/v2.0/.well-known/openid-configuration`,
    ],
    [
      'entra',
      { tenant: TENANT, cloud: 'login.microsoftonline.us' },
      `https://login.microsoftonline.us/${TENANT.toLowerCase()}/v2.0/.well-known/openid-configuration`,
    ],
    ['google', {}, 'https://accounts.google.com/.well-known/openid-configuration'],
    [
      'keycloak',
      { server: 'sso.acme.com', realm: 'acme' },
      'https://sso.acme.com/realms/acme/.well-known/openid-configuration',
    ],
    [
      'keycloak',
      { server: 'https://sso.acme.com/auth/realms/x/y', realm: 'My realm' },
      'https://sso.acme.com/auth/realms/My%20realm/.well-known/openid-configuration',
    ],
    [
      'keycloak',
      { server: 'http://localhost:8080/', realm: '$&' },
      'http://localhost:8080/realms/%24%26/.well-known/openid-configuration',
    ],
    ['auth0', { domain: 'acme.eu.auth0.com' }, 'https://acme.eu.auth0.com/.well-known/openid-configuration'],
    [
      'ping',
      { environment: TENANT, region: 'eu' },
      `https://auth.pingone.eu/${TENANT.toLowerCase()}/as/.well-known/openid-configuration`,
    ],
    ['jumpcloud', {}, 'https://oauth.id.jumpcloud.com/.well-known/openid-configuration'],
    ['onelogin', { subdomain: 'acme' }, 'https://acme.onelogin.com/oidc/2/.well-known/openid-configuration'],
    [
      'onelogin',
      { subdomain: 'https://acme.onelogin.com/login' },
      'https://acme.onelogin.com/oidc/2/.well-known/openid-configuration',
    ],
  ])('of %s is built from %j', (id, typed: Record<string, string>, url) => {
    expect(buildWellKnownUrl(guideOf(id), typed)).toBe(url)
    expect(checkWellKnownUrl(url).state).toBe('good')
  })

  test('is not built until every placeholder has a good value', () => {
    expect(buildWellKnownUrl(guideOf('keycloak'), { server: 'sso.acme.com' })).toBeUndefined()
    expect(buildWellKnownUrl(guideOf('entra'), { tenant: 'acme.onmicrosoft.com' })).toBeUndefined()
    expect(buildWellKnownUrl(guideOf('ping'), { environment: TENANT, region: 'mars' })).toBeUndefined()
    expect(buildWellKnownUrl(guideOf('other'), {})).toBeUndefined()
  })

  test('never points to another host, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const url = buildWellKnownUrl(guideOf('onelogin'), { subdomain: text })
        return url === undefined || new URL(url).hostname.endsWith('.onelogin.com')
      }),
    )
    fc.assert(
      fc.property(fc.string(), (realm) => {
        const url = buildWellKnownUrl(guideOf('keycloak'), { server: 'sso.acme.com', realm })
        return url === undefined || new URL(url).origin === 'https://sso.acme.com'
      }),
    )
  })

  test('is not built from a bad or unfinished value of a placeholder', () => {
    const [tenant] = guideOf('entra').placeholders
    expect(checkPlaceholder(tenant!, 'acme.onmicrosoft.com').state).toBe('bad')
    expect(checkPlaceholder(tenant!, '6f1b7a2e').state).toBe('partial')
    const [, realm] = guideOf('keycloak').placeholders
    expect(checkPlaceholder(realm!, 'https://sso.acme.com/realms/acme').state).toBe('bad')
  })
})

describe('every guide', () => {
  test.each(PROVIDERS.map((guide) => [guide.id, guide] as const))(
    '%s covers redirect URI, initiate login URI, grants and assignments',
    (id, guide) => {
      const settings = guide.screens.flatMap((screen) => screen.settings)
      const copies = settings.flatMap(({ value }) => ('copy' in value ? [value.copy] : []))
      const content = settings
        .flatMap(({ label, value, note }) => [label, note ?? '', ...('choose' in value ? value.choose : [])])
        .join(' ')
        .toLowerCase()
      expect(copies.filter((copy) => copy === 'sign-in-uri')).toHaveLength(1)
      expect(copies.filter((copy) => copy === 'login-uri')).toHaveLength(1)
      expect(content).toMatch(/\bweb\b|openid connect|oidc/)
      expect(content).toMatch(/refresh token/)
      expect(content).toMatch(/initiate login uri/)
      expect(content).toMatch(/may use omen/)
      expect(isProviderId(id)).toBe(true)
    },
  )

  test.each(PROVIDERS.map((guide) => [guide.id, guide] as const))(
    '%s names each setting of a screen once',
    (_id, guide) => {
      for (const { settings } of guide.screens)
        expect(new Set(settings.map(({ label }) => label)).size).toBe(settings.length)
      const paths = guide.screens.map(({ path }) => path.join(' '))
      expect(new Set(paths).size).toBe(paths.length)
    },
  )

  test('has exactly the placeholders of its template', () => {
    for (const { template = '', placeholders } of PROVIDERS) {
      const inTemplate = [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      expect(inTemplate.sort()).toEqual(placeholders.map(({ name }) => name).sort())
    }
  })

  test('is found by its id, and an unknown id gives the guide for other providers', () => {
    expect(guideOf('okta').name).toBe('Okta')
    expect(guideOf('toString').id).toBe('other')
    expect(isProviderId('toString')).toBe(false)
  })
})
