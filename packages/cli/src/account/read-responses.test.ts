import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  readDeviceAuthorization,
  readOAuthError,
  readSessionEnd,
  readTokenResponse,
  readUser,
} from './read-responses.js'

const SERVICE = new URL('https://omen.example.com')
const DEVICE = {
  device_code: 'secret',
  user_code: 'WDJB-MJHT',
  verification_uri: 'https://omen.example.com/device',
  verification_uri_complete: 'https://omen.example.com/device?user_code=WDJB-MJHT',
  expires_in: 900,
  interval: 5,
}
const TOKENS = { access_token: 'omen_at_1', refresh_token: 'omen_rt_1', token_type: 'Bearer', expires_in: 3600 }

describe('the response to a started sign-in', () => {
  it('is read as RFC 8628 defines it', () => {
    expect(readDeviceAuthorization(DEVICE, SERVICE)).toMatchObject({
      userCode: 'WDJB-MJHT',
      lifetime: 900_000,
      interval: 5000,
    })
    const { interval: _, verification_uri_complete: __, ...least } = DEVICE
    expect(readDeviceAuthorization(least, SERVICE)).toMatchObject({ interval: 5000, uriComplete: undefined })
  })

  it('cannot make the user wait forever, or the tool poll without a pause', () => {
    expect(readDeviceAuthorization({ ...DEVICE, expires_in: 1e12, interval: 0 }, SERVICE)).toMatchObject({
      lifetime: 3_600_000,
      interval: 1000,
    })
  })

  it.each([
    ['no device code', { device_code: undefined }],
    ['a code with terminal escape sequences', { user_code: 'WDJB\u001b]0;owned\u0007' }],
    ['a code of several lines', { user_code: 'WDJB\nType your password:' }],
    ['a code of 41 characters', { user_code: 'W'.repeat(41) }],
    ['a number for a code', { user_code: 12345678 }],
    ['a page that is not a URL', { verification_uri: 'device' }],
    ['a page with JavaScript', { verification_uri: 'javascript:alert(1)' }],
    ['a page that is a file', { verification_uri_complete: 'file:///etc/passwd' }],
    ['a page without TLS', { verification_uri: 'http://omen.example.com/device' }],
    ['a page that looks like another host', { verification_uri: 'https://omen.example.com@evil.example/device' }],
    ['a lifetime that is not a number', { expires_in: 'soon' }],
    ['a negative lifetime', { expires_in: -1 }],
    ['an interval of an hour', { interval: 3600 }],
  ])('is refused with %s', (_, wrong) => {
    expect(readDeviceAuthorization({ ...DEVICE, ...wrong }, SERVICE)).toBeUndefined()
  })

  it('may name a page without TLS if the service is on this machine', () => {
    const page = { verification_uri: 'http://localhost:8080/device', verification_uri_complete: undefined }
    expect(readDeviceAuthorization({ ...DEVICE, ...page }, new URL('http://localhost:8080'))).toBeDefined()
  })
})

describe('a token response', () => {
  it('is read with its lifetime, an hour by default', () => {
    expect(readTokenResponse({ ...TOKENS, expires_in: undefined })).toMatchObject({ lifetime: 3_600_000 })
    expect(readTokenResponse({ ...TOKENS, token_type: 'bearer', expires_in: 60 })).toMatchObject({ lifetime: 60_000 })
  })

  it.each([
    ['without a refresh token', { refresh_token: undefined }],
    ['whose token contains a line break', { access_token: 'omen_at_1\r\nx-evil: 1' }],
    ['with a token of 5000 characters', { access_token: 'x'.repeat(5000) }],
    ['with another token type', { token_type: 'DPoP' }],
    ['with an infinite lifetime', { expires_in: Number.POSITIVE_INFINITY }],
  ])('%s is invalid', (_, wrong) => {
    expect(readTokenResponse({ ...TOKENS, ...wrong })).toBeUndefined()
  })
})

it('an error code is at most 60 letters, digits, dots and dashes', () => {
  expect(readOAuthError({ error: 'slow_down' })).toEqual({ error: 'slow_down' })
  for (const error of ['a b', '\u001b[2J', 'x'.repeat(61), 7, null]) expect(readOAuthError({ error })).toBeUndefined()
})

it('no response makes a reader throw', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (response) => {
      for (const read of [readTokenResponse, readOAuthError, readUser, readSessionEnd])
        expect(() => read(response)).not.toThrow()
      expect(() => readDeviceAuthorization(response, SERVICE)).not.toThrow()
    }),
    { numRuns: 50 },
  )
  expect(readUser({ email: 'a@b', name: 'A', org: { name: 'B', domain: 'b', more: 1 }, more: 1 })).toEqual({
    email: 'a@b',
    name: 'A',
    org: { name: 'B', domain: 'b' },
  })
  expect(
    readSessionEnd({ sessions: [{ current: false }, { current: true, expires_at: '2026-12-15T12:00:00Z' }] }),
  ).toBe(Date.parse('2026-12-15T12:00:00Z'))
})
