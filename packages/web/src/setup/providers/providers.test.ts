import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkWellKnownUrl } from '../../checks/well-known-url.js'
import { checkBlank, fillBlanks } from './placeholders.js'
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
  ])('of %s with %j is built', (id, typed: Record<string, string>, url) => {
    expect(fillBlanks(guideOf(id), typed)).toBe(url)
    expect(checkWellKnownUrl(url).state).toBe('good')
  })

  test('waits until everything is filled in', () => {
    expect(fillBlanks(guideOf('keycloak'), { server: 'sso.acme.com' })).toBeUndefined()
    expect(fillBlanks(guideOf('entra'), { tenant: 'acme.onmicrosoft.com' })).toBeUndefined()
    expect(fillBlanks(guideOf('ping'), { environment: TENANT, region: 'mars' })).toBeUndefined()
    expect(fillBlanks(guideOf('other'), {})).toBeUndefined()
  })

  test('never leads elsewhere, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const url = fillBlanks(guideOf('onelogin'), { subdomain: text })
        return url === undefined || new URL(url).hostname.endsWith('.onelogin.com')
      }),
    )
    fc.assert(
      fc.property(fc.string(), (realm) => {
        const url = fillBlanks(guideOf('keycloak'), { server: 'sso.acme.com', realm })
        return url === undefined || new URL(url).origin === 'https://sso.acme.com'
      }),
    )
  })

  test('says what is wrong with a blank', () => {
    const [tenant] = guideOf('entra').blanks
    expect(checkBlank(tenant!, 'acme.onmicrosoft.com').state).toBe('bad')
    expect(checkBlank(tenant!, '6f1b7a2e').state).toBe('partial')
    const [, realm] = guideOf('keycloak').blanks
    expect(checkBlank(realm!, 'https://sso.acme.com/realms/acme').state).toBe('bad')
  })
})

describe('every guide', () => {
  test.each(PROVIDERS.map((guide) => [guide.id, guide] as const))(
    '%s covers the requirements of section 4.1',
    (id, guide) => {
      const settings = guide.screens.flatMap((screen) => screen.settings)
      const copies = settings.flatMap(({ value }) => ('copy' in value ? [value.copy] : []))
      const words = settings
        .flatMap(({ label, value, note }) => [label, note ?? '', ...('choose' in value ? value.choose : [])])
        .join(' ')
        .toLowerCase()
      expect(copies.filter((copy) => copy === 'sign-in-uri')).toHaveLength(1)
      expect(copies.filter((copy) => copy === 'login-uri')).toHaveLength(1)
      expect(words).toMatch(/\bweb\b|openid connect|oidc/)
      expect(words).toMatch(/refresh token/)
      expect(words).toMatch(/initiate login uri/)
      expect(words).toMatch(/who may use omen|those who may/)
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

  test('has a blank for every placeholder, and the other way round', () => {
    for (const { template = '', blanks } of PROVIDERS) {
      const placeholders = [...template.matchAll(/\{(\w+)\}/g)].map((found) => found[1])
      expect(placeholders.sort()).toEqual(blanks.map(({ name }) => name).sort())
    }
  })

  test('is found by its id, and another one for what is not known', () => {
    expect(guideOf('okta').name).toBe('Okta')
    expect(guideOf('toString').id).toBe('other')
    expect(isProviderId('toString')).toBe(false)
  })
})
