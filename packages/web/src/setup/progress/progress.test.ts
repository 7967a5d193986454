import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatRemaining, lastDay } from '../expiry.js'
import {
  advance,
  type Change,
  loginUri,
  type Progress,
  reachableStep,
  readToken,
  START,
  STEPS,
  typedPlaceholders,
  wellKnownUrl,
} from './progress.js'
import { loadProgress, saveProgress } from './stored-progress.js'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenOf = (sub: string) => `e30.${part({ sub, exp: Date.UTC(2027, 0, 1) / 1000, name: 'Zoë ÿ>?' })}.x`
const opened = (id: string): Change => ({
  type: 'transaction-opened',
  opened: {
    transaction_id: id,
    sign_in_uri: `https://omen.example/v1/auth/callback/${id}`,
    expires_at: '2026-12-03T10:00:00.000Z',
  },
})
const COMPLETION = { login_url: 'https://omen.example/v1/auth/login', app_url: 'https://app.example' }
const after = (...changes: Change[]) => changes.reduce(advance, START)
const EXCHANGED: Change = { type: 'code-exchanged', code: 'K7QF2M-9XTR4B', token: tokenOf('one') }

describe('progress', () => {
  test('advances through the steps', () => {
    expect(after(EXCHANGED).step).toBe('provider')
    expect(after(EXCHANGED, opened('t1')).step).toBe('application')
    expect(after(EXCHANGED, opened('t1'), { type: 'navigated', to: 'credentials' }).step).toBe('credentials')
    expect(after(EXCHANGED, opened('t1'), { type: 'completed', completion: COMPLETION }).step).toBe('done')
  })

  test('drops code and token after completion', () => {
    const done = after(EXCHANGED, opened('t1'), { type: 'completed', completion: COMPLETION })
    expect(done).toMatchObject({ code: '', token: '' })
    expect(JSON.stringify(done)).not.toContain(tokenOf('one'))
  })

  test('builds the well-known URL from the input, and keeps one per provider', () => {
    const okta = after(
      { type: 'provider-chosen', id: 'okta' },
      { type: 'placeholder-typed', name: 'domain', text: 'acme.okta.com' },
    )
    expect(wellKnownUrl(okta)).toBe('https://acme.okta.com/.well-known/openid-configuration')
    const google = advance(okta, { type: 'provider-chosen', id: 'google' })
    expect(wellKnownUrl(google)).toBe('https://accounts.google.com/.well-known/openid-configuration')
    const back = advance(advance(google, { type: 'url-typed', text: 'x' }), { type: 'provider-chosen', id: 'okta' })
    expect(wellKnownUrl(back)).toBe('https://acme.okta.com/.well-known/openid-configuration')
    expect(typedPlaceholders(back)).toEqual({ domain: 'acme.okta.com' })
  })

  test('uses the expiry that the service reports', () => {
    expect(after(EXCHANGED, opened('t1')).transaction?.expiresAt).toBe(Date.UTC(2026, 11, 3, 10))
  })

  test('keeps a transaction only for the same code', () => {
    const again = after(EXCHANGED, opened('t1'), { ...EXCHANGED, token: tokenOf('one') } as Change)
    expect(again.transaction?.id).toBe('t1')
    const other = after(EXCHANGED, opened('t1'), { ...EXCHANGED, token: tokenOf('two') } as Change)
    expect(other.transaction).toBeUndefined()
  })

  test('unticks all settings for another transaction', () => {
    const ticked = after(EXCHANGED, opened('t1'), { type: 'ticked', setting: '0 Name', done: true })
    expect(ticked.ticked).toEqual(['0 Name'])
    expect(advance(ticked, opened('t1')).ticked).toEqual(['0 Name'])
    expect(advance(ticked, opened('t2')).ticked).toEqual([])
    expect(advance(ticked, { type: 'ticked', setting: '0 Name', done: false }).ticked).toEqual([])
  })

  test('reaches no step without the data that it needs', () => {
    const nothing = { token: '', transaction: undefined, completion: undefined }
    expect(STEPS.map((step) => reachableStep(step, nothing))).toEqual(['code', 'code', 'code', 'code', 'code'])
    const token = { ...nothing, token: 'x' }
    expect(STEPS.map((step) => reachableStep(step, token))).toEqual([
      'code',
      'provider',
      'provider',
      'provider',
      'provider',
    ])
    const open = { ...token, transaction: {} }
    expect(STEPS.map((step) => reachableStep(step, open))).toEqual([
      'code',
      'provider',
      'application',
      'credentials',
      'credentials',
    ])
    expect(STEPS.map((step) => reachableStep(step, { ...nothing, completion: {} }))).toEqual(Array(5).fill('done'))
  })
})

describe('stored progress', () => {
  const storage = (content?: string) => {
    const stored = new Map(content === undefined ? [] : [['omen.setup.1', content]])
    return () => ({
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    })
  }

  test('is loaded completely', () => {
    const open = storage()
    const progress: Progress = { ...after(EXCHANGED, opened('t1')), domain: 'acme.com', ticked: ['0 Name'] }
    saveProgress(open, progress)
    expect(loadProgress(open)).toEqual(progress)
  })

  test('is empty when the browser forbids storage', () => {
    const forbidden = () => {
      throw new DOMException('no', 'SecurityError')
    }
    saveProgress(forbidden, START)
    expect(loadProgress(forbidden)).toEqual(START)
  })

  test('may be any JSON, and never breaks the page', () => {
    for (const content of [
      '',
      'null',
      '[]',
      '{"step":"done"}',
      '{"step":7,"transaction":{"id":1},"placeholders":{"a":1}}',
    ]) {
      expect(loadProgress(storage(content))).toEqual(START)
    }
    fc.assert(
      fc.property(fc.json(), (content) => {
        expect(STEPS).toContain(loadProgress(storage(content)).step)
      }),
    )
  })
})

describe('a token', () => {
  test('is decoded to its expiry and its code', () => {
    expect(readToken(tokenOf('one'))).toEqual({ subject: 'one', expiresAt: Date.UTC(2027, 0, 1) })
  })

  test('that cannot be decoded gives nothing', () => {
    for (const token of ['', 'a.b.c', 'a', `a.${part(null)}.c`, `a.${part({ exp: 'x', sub: 'y' })}.c`]) {
      expect(readToken(token)).toBeUndefined()
    }
  })
})

describe('the expiry', () => {
  test('is formatted in hours and minutes', () => {
    expect(formatRemaining(48 * 3_600_000)).toBe('48 h 0 min')
    expect(formatRemaining(59 * 60_000 + 59_000)).toBe('59 min')
    expect(formatRemaining(59_000)).toBe('less than a minute')
  })

  test('is formatted as the last day, for an end at midnight or a second before', () => {
    expect(lastDay(Date.UTC(2027, 0, 1))).toBe('31 December 2026')
    expect(lastDay(Date.UTC(2026, 11, 31, 23, 59, 59))).toBe('31 December 2026')
  })
})

test('the login URI has the base URL of the sign-in URI', () => {
  expect(loginUri('https://omen.example/sso/v1/auth/callback/5b0e', 'https://other')).toBe(
    'https://omen.example/sso/v1/auth/login',
  )
  expect(loginUri('https://omen.example/strange', 'https://base.example')).toBe('https://base.example/v1/auth/login')
})
