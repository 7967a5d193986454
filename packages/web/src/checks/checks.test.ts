import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Check, noticeFor, sendable, toSentence } from './check.js'
import { checkClientId, checkClientSecret } from './client.js'
import { checkDomain } from './domain.js'
import { checkWellKnownUrl } from './well-known-url.js'

const fixOf = (check: Check) => ('fix' in check ? check.fix : undefined)
const DOCUMENT = '/.well-known/openid-configuration'

describe('a well-known URL', () => {
  test.each([
    ['https://acme.okta.com/.well-known/openid-configuration'],
    ['https://acme.okta.com/oauth2/default/.well-known/oauth-authorization-server'],
    ['https://sso.acme.com:8443/realms/acme/.well-known/openid-configuration'],
    [' https://accounts.google.com/.well-known/openid-configuration '],
  ])('such as %s is submitted unchanged', (text) => {
    expect(checkWellKnownUrl(text)).toEqual({ state: 'good', value: text.trim() })
  })

  test.each([
    ['acme.okta.com', `https://acme.okta.com${DOCUMENT}`],
    ['http://acme.okta.com/', `https://acme.okta.com${DOCUMENT}`],
    ['http://acme-admin.okta.com/admin', `https://acme.okta.com/admin${DOCUMENT}`],
    ['https://acme-admin.okta.com', `https://acme.okta.com${DOCUMENT}`],
    ['https://acme.okta.com', `https://acme.okta.com${DOCUMENT}`],
    ['https://sso.acme.com/realms/acme/', `https://sso.acme.com/realms/acme${DOCUMENT}`],
    [`https://jo:pw@acme.okta.com${DOCUMENT}`, `https://acme.okta.com${DOCUMENT}`],
    [`https://acme.okta.com${DOCUMENT}#top`, `https://acme.okta.com${DOCUMENT}`],
    [`https://acme.okta.com/.well-known/\nopenid-configuration`, `https://acme.okta.com${DOCUMENT}`],
  ])('typed as %j is corrected to %s on request', (text, fix) => {
    expect(fixOf(checkWellKnownUrl(text))).toBe(fix)
    expect(checkWellKnownUrl(fix).state).toBe('good')
  })

  test('that is shared by all Entra tenants is rejected, with what to do', () => {
    const check = checkWellKnownUrl(`https://login.microsoftonline.com/common/v2.0${DOCUMENT}`)
    expect(check).toMatchObject({ state: 'bad', message: expect.stringContaining('tenant') })
  })

  test('with a placeholder is rejected', () => {
    expect(checkWellKnownUrl('https://{domain}/.well-known/openid-configuration').state).toBe('bad')
    expect(checkWellKnownUrl('https://<tenant>.okta.com/.well-known/openid-configuration').state).toBe('bad')
  })

  test('without https is accepted only for local hosts', () => {
    expect(checkWellKnownUrl(`http://localhost:8080/realms/acme${DOCUMENT}`).state).toBe('good')
    expect(checkWellKnownUrl(`http://keycloak:8080/realms/acme${DOCUMENT}`).state).toBe('good')
    expect(checkWellKnownUrl(`http://sso.acme.com${DOCUMENT}`).state).toBe('bad')
  })

  test('that is invalid is rejected, and an unfinished one is not', () => {
    expect(checkWellKnownUrl('htt').state).toBe('partial')
    for (const text of ['javascript://x', 'ftp://acme.com/x', 'our okta', 'acme', 'https://']) {
      expect(checkWellKnownUrl(text).state).toBe('bad')
    }
  })
})

describe('an e-mail domain', () => {
  test.each([
    ['acme.com', 'acme.com'],
    [' ACME.Co.UK ', 'acme.co.uk'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['ａｃｍｅ.com', 'acme.com'],
  ])('typed as %j is submitted as %s', (text, value) => {
    expect(checkDomain(text)).toMatchObject({ state: 'good', value })
  })

  test.each([
    ['jo@acme.com', 'acme.com'],
    ['@acme.com', 'acme.com'],
    ['https://www.acme.com/about', 'acme.com'],
    ['www.acme.com', 'acme.com'],
  ])('typed as %j is corrected to %s on request', (text, fix) => {
    expect(fixOf(checkDomain(text))).toBe(fix)
  })

  test('that is unfinished is not rejected yet', () => {
    for (const text of ['acme', 'acme.', 'acme.c']) expect(checkDomain(text).state).toBe('partial')
  })

  test('that is invalid is rejected', () => {
    for (const text of [
      '10.0.0.1',
      'acme..com',
      '-acme.com',
      'a b.com',
      'acme.com/x',
      `${'a'.repeat(64)}.com`,
      'ac%6De.com',
    ]) {
      expect(checkDomain(text).state).toBe('bad')
    }
  })

  test('of a public mail service is doubtful but can be submitted', () => {
    expect(checkDomain('GMail.com')).toMatchObject({ state: 'doubtful', value: 'gmail.com' })
  })

  test('is always submitted as a host name', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.domain()), (text) => {
        const value = sendable(checkDomain(text))
        return value === undefined || /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(value)
      }),
    )
  })
})

describe('a client', () => {
  const uuid = { pattern: /^[0-9a-f-]{36}$/, message: 'An ID looks different.' }

  test('ID is trimmed, and spaces inside it are removed on request', () => {
    expect(checkClientId(' 0oa1 \n')).toEqual({ state: 'good', value: '0oa1' })
    expect(fixOf(checkClientId('0oa 1'))).toBe('0oa1')
  })

  test('ID of an unusual format is doubtful', () => {
    expect(checkClientId('0oa1', uuid)).toMatchObject({ state: 'doubtful', value: '0oa1' })
  })

  test('secret with spaces is doubtful, and trimmed on request', () => {
    expect(checkClientSecret(' s3cret ', {})).toMatchObject({ state: 'doubtful', value: ' s3cret ', fix: 's3cret' })
    expect(checkClientSecret('s3 cret', {}).state).toBe('doubtful')
    expect(checkClientSecret('s3cret', {})).toEqual({ state: 'good', value: 's3cret' })
  })

  test('secret that is another value is rejected or doubtful', () => {
    expect(checkClientSecret('0oa1', { clientId: '0oa1 ' }).state).toBe('bad')
    expect(checkClientSecret('••••••••', {}).state).toBe('bad')
    expect(checkClientSecret('a\nb', {}).state).toBe('bad')
    expect(checkClientSecret('6f1b7a2e-0c54-4d3b-9a8e-2f7d1c5b9e03', { wrong: uuid }).state).toBe('doubtful')
  })
})

describe('the message below a field', () => {
  const quiet = { blurred: false, submitted: false }

  test('about an unfinished value is shown only after the field lost focus', () => {
    const half: Check = { state: 'partial', message: 'More.' }
    expect(noticeFor(half, quiet)).toBeUndefined()
    expect(noticeFor(half, { ...quiet, blurred: true })).toEqual({ tone: 'bad', text: 'More.' })
  })

  test('about an empty field is shown only after an attempt to submit', () => {
    expect(noticeFor({ state: 'empty' }, { ...quiet, blurred: true })).toBeUndefined()
    expect(noticeFor({ state: 'empty' }, { ...quiet, submitted: true })?.tone).toBe('bad')
  })

  test('is the one of the service, if there is one', () => {
    const notice = noticeFor({ state: 'good', value: 'x' }, { ...quiet, serverError: 'No.' })
    expect(notice).toEqual({ tone: 'bad', text: 'No.' })
  })

  test('is always a sentence', () => {
    expect(toSentence('E-mail domain', 'is missing')).toBe('E-mail domain is missing.')
    expect(toSentence('E-mail domain', 'gmail.com is public. Use yours.')).toBe('gmail.com is public. Use yours.')
    expect(toSentence('E-mail domain', 'issue it again')).toBe('issue it again.')
  })
})
