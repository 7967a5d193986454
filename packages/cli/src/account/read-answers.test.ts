import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDeviceAuthorization, readEnd, readPerson, readRefusal, readTokenAnswer } from './read-answers.js'

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

describe('the answer to a sign-in that begins', () => {
  it('is read as the standard has it', () => {
    expect(readDeviceAuthorization(DEVICE, SERVICE)).toMatchObject({
      userCode: 'WDJB-MJHT',
      lasts: 900_000,
      interval: 5000,
    })
    const { interval: _, verification_uri_complete: __, ...least } = DEVICE
    expect(readDeviceAuthorization(least, SERVICE)).toMatchObject({ interval: 5000, uriComplete: undefined })
  })

  it('cannot make anybody wait for ever, or ask without a pause', () => {
    expect(readDeviceAuthorization({ ...DEVICE, expires_in: 1e12, interval: 0 }, SERVICE)).toMatchObject({
      lasts: 3_600_000,
      interval: 1000,
    })
  })

  it.each([
    ['no device code', { device_code: undefined }],
    ['a code that commands the terminal', { user_code: 'WDJB\u001b]0;owned\u0007' }],
    ['a code of several lines', { user_code: 'WDJB\nType your password:' }],
    ['a code without end', { user_code: 'W'.repeat(41) }],
    ['a number for a code', { user_code: 12345678 }],
    ['a page that is none', { verification_uri: 'device' }],
    ['a page that is a program', { verification_uri: 'javascript:alert(1)' }],
    ['a page that is a file', { verification_uri_complete: 'file:///etc/passwd' }],
    ['a page without TLS', { verification_uri: 'http://omen.example.com/device' }],
    ['a page that looks like another', { verification_uri: 'https://omen.example.com@evil.example/device' }],
    ['a time that is none', { expires_in: 'soon' }],
    ['a time before this one', { expires_in: -1 }],
    ['a pause of an hour', { interval: 3600 }],
  ])('is refused with %s', (_, wrong) => {
    expect(readDeviceAuthorization({ ...DEVICE, ...wrong }, SERVICE)).toBeUndefined()
  })

  it('may send people to a page without TLS where the service itself is on this machine', () => {
    const page = { verification_uri: 'http://localhost:8080/device', verification_uri_complete: undefined }
    expect(readDeviceAuthorization({ ...DEVICE, ...page }, new URL('http://localhost:8080'))).toBeDefined()
  })
})

describe('tokens', () => {
  it('are read with how long they last, which is an hour where nothing is said', () => {
    expect(readTokenAnswer({ ...TOKENS, expires_in: undefined })).toMatchObject({ lasts: 3_600_000 })
    expect(readTokenAnswer({ ...TOKENS, token_type: 'bearer', expires_in: 60 })).toMatchObject({ lasts: 60_000 })
  })

  it.each([
    ['without one to refresh with', { refresh_token: undefined }],
    ['that end a header', { access_token: 'omen_at_1\r\nx-evil: 1' }],
    ['without end', { access_token: 'x'.repeat(5000) }],
    ['of another type', { token_type: 'DPoP' }],
    ['that never end', { expires_in: Number.POSITIVE_INFINITY }],
  ])('%s are none', (_, wrong) => {
    expect(readTokenAnswer({ ...TOKENS, ...wrong })).toBeUndefined()
  })
})

it('an error that is more than a word is none', () => {
  expect(readRefusal({ error: 'slow_down' })).toEqual({ error: 'slow_down' })
  for (const error of ['a b', '\u001b[2J', 'x'.repeat(61), 7, null]) expect(readRefusal({ error })).toBeUndefined()
})

it('whatever the service says, reading it does not fail', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (answer) => {
      for (const read of [readTokenAnswer, readRefusal, readPerson, readEnd]) expect(() => read(answer)).not.toThrow()
      expect(() => readDeviceAuthorization(answer, SERVICE)).not.toThrow()
    }),
    { numRuns: 50 },
  )
  expect(readPerson({ email: 'a@b', name: 'A', org: { name: 'B', domain: 'b', more: 1 }, more: 1 })).toEqual({
    email: 'a@b',
    name: 'A',
    org: { name: 'B', domain: 'b' },
  })
  expect(readEnd({ sessions: [{ current: false }, { current: true, expires_at: '2026-12-15T12:00:00Z' }] })).toBe(
    Date.parse('2026-12-15T12:00:00Z'),
  )
})
