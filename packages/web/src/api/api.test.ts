import { describe, expect, test } from 'vitest'
import { readFailure, retrySeconds } from './failure.js'
import { placeFailure, remedyOf } from './remedies.js'

const NOW = new Date('2026-12-01T10:00:00Z')

describe('a failure', () => {
  const headers = (values: Record<string, string> = {}) => new Headers(values)

  test('has the title and detail of the service', () => {
    const body = {
      code: 'invalid_request',
      title: 'T',
      detail: 'D',
      errors: [{ field: 'domain', message: 'M' }, 'x', {}],
    }
    expect(readFailure(422, body, headers(), NOW)).toEqual({
      code: 'invalid_request',
      title: 'T',
      detail: 'D',
      errors: [{ field: 'domain', message: 'M' }],
    })
  })

  test('of a proxy is described by its status', () => {
    expect(readFailure(502, '<html>', headers({ 'x-request-id': 'r1' }), NOW)).toMatchObject({
      code: 'unreadable',
      title: 'The service responded with status 502',
      requestId: 'r1',
    })
    expect(readFailure(429, undefined, headers(), NOW)).toMatchObject({ code: 'rate_limited', retryAfter: 60 })
  })

  test.each([
    ['30', 30],
    ['0', 1],
    ['999999', 3600],
    ['Tue, 01 Dec 2026 10:00:45 GMT', 45],
    ['Tue, 01 Dec 2020 10:00:45 GMT', 1],
    ['soon', 60],
    [null, 60],
  ])('with Retry-After %j has a wait of %d s', (header, seconds) => {
    expect(retrySeconds(header, NOW)).toBe(seconds)
  })

  const fields = ['well_known_url', 'domain', 'org_name'] as const
  const failure = (code: string, errors: { field: string; message: string }[] = []) => ({
    code,
    title: 'T',
    detail: 'D',
    errors,
  })

  test('is shown at the field that it is about', () => {
    expect(placeFailure(failure('discovery_failed'), fields)).toEqual({
      atField: { well_known_url: 'D' },
      elsewhere: [],
      above: false,
    })
    const errors = [
      { field: 'domain', message: 'first' },
      { field: 'domain', message: 'second' },
    ]
    expect(placeFailure(failure('invalid_request', errors), fields)).toMatchObject({
      atField: { domain: 'first' },
      above: false,
    })
    const short = [{ field: 'well_known_url', message: 'cannot be read' }]
    expect(placeFailure(failure('discovery_failed', short), fields).atField).toEqual({ well_known_url: 'D' })
  })

  test('with more detail than its field error is also shown above the form', () => {
    const errors = [{ field: 'client_secret', message: 'Copy it again.' }]
    expect(placeFailure(failure('client_rejected', errors), ['client_id', 'client_secret'])).toEqual({
      atField: { client_secret: 'Copy it again.' },
      elsewhere: [],
      above: true,
    })
    const same = { ...failure('client_rejected', errors), detail: 'It says invalid_client. Copy it again.' }
    expect(placeFailure(same, ['client_id', 'client_secret']).atField).toEqual({ client_secret: 'See above.' })
  })

  test('about no field of the form is shown above it', () => {
    expect(placeFailure(failure('client_rejected'), fields)).toMatchObject({ atField: {}, above: true })
    expect(placeFailure(failure('invalid_code'), fields)).toMatchObject({ atField: {}, above: true })
    const foreign = [{ field: 'nonsense', message: 'M' }]
    expect(placeFailure(failure('invalid_request', foreign), fields)).toMatchObject({ elsewhere: foreign, above: true })
  })

  test('with an unknown code has no remedy', () => {
    expect(remedyOf('constructor')).toEqual({})
  })
})
