import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arrayOf, integer, nullable, oneOf, shape, string } from '../api/shape.js'
import { readAccount } from './account.js'
import type { AppService } from './client.js'
import { relativeTime } from './frame/time.js'
import { guessPlatform, installCommand, usableFiles } from './home/install.js'
import { factsOf } from './organization/audit-page.js'
import { matchRoute, pathTo, ROUTES, type RouteName } from './routes.js'
import { describeAgent } from './sessions-page.js'
import { signInUrl } from './sign-in.js'

describe('routes', () => {
  test('every page is found by its path, with any id', () => {
    for (const name of Object.keys(ROUTES) as RouteName[]) {
      const id = ROUTES[name].path.includes(':id') ? 'CRE-1' : ''
      expect(matchRoute(pathTo(name, id))).toEqual({ name, id })
    }
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
        expect(matchRoute(pathTo('rule', id))).toEqual({ name: 'rule', id })
      }),
    )
  })

  test.each([
    ['/rules/', 'rules'],
    ['//rules', 'rules'],
    ['/organization', 'members'],
    ['/rules/a/b', undefined],
    ['/organization/nothing', undefined],
    ['/Rules', undefined],
  ])('the path %s matches the route %s', (path, name) => {
    expect(matchRoute(path)?.name).toBe(name)
  })

  test('an id that cannot be decoded is used unchanged', () => {
    expect(matchRoute('/rules/%E0%A4%A')).toEqual({ name: 'rule', id: '%E0%A4%A' })
  })

  test('the sign-in URL leads back to the same page', () => {
    const url = new URL(signInUrl('/rules?q=a&severity=high'), 'https://app.example')
    expect(url.searchParams.get('to')).toBe('/rules?q=a&severity=high')
  })
})

describe('a response', () => {
  const read = shape({ id: string, role: oneOf('a', 'b'), at: nullable(string), sizes: arrayOf(integer) })

  test('is read field by field, and unknown fields are dropped', () => {
    expect(read({ id: '1', role: 'a', sizes: [1, 2], more: 1 })).toEqual({
      id: '1',
      role: 'a',
      at: null,
      sizes: [1, 2],
    })
  })

  test.each([undefined, null, [], 'x', {}, { id: 1 }, { id: '1', role: 'c', at: null, sizes: [] }])(
    'of another shape is rejected: %j',
    (value) => expect(read(value)).toBeUndefined(),
  )

  test('of an older service without roles makes every user a member', async () => {
    const me = { email: 'alice@acme.com', name: 'Alice', org: { name: 'Acme', domain: 'acme.com' } }
    const failure = (code: string) => ({ ok: false, failure: { code, title: '', detail: '', errors: [] } }) as const
    const service = (code: string) =>
      ({
        readMe: async () => ({ ok: true, value: me }),
        readOrganization: async () => failure(code),
      }) as unknown as AppService
    expect(await readAccount(service('not_found'))).toMatchObject({ value: { role: 'member', domains: ['acme.com'] } })
    expect(await readAccount(service('unavailable'))).toEqual(failure('unavailable'))
  })
})

describe('the install command', () => {
  const sha256 = '9f'.repeat(32)
  const file = (platform: string, url = `https://omen.example/omen-${platform}`) => ({
    platform,
    url,
    sha256,
    size: 1,
    sig_url: `${url}.sig`,
  })

  test.each([
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'darwin-arm64'],
    ['Mozilla/5.0 (X11; Linux x86_64)', 'linux-x64'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'win32-x64'],
  ])('for %s is for %s', (agent, platform) => {
    expect(guessPlatform(['linux-arm64', 'linux-x64', 'darwin-x64', 'darwin-arm64', 'win32-x64'], agent)).toBe(platform)
    expect(guessPlatform(['freebsd-x64'], agent)).toBe('freebsd-x64')
  })

  test('quotes every URL, and ignores files with an unsafe URL or hash', () => {
    expect(installCommand(file('linux-x64', "https://a.example/'; rm -rf '"))).toContain(
      "'https://a.example/'\\''; rm -rf '\\'''",
    )
    const files = [file('a', 'javascript:alert(1)'), { ...file('b'), sha256: '$(reboot)' }, file('linux-x64')]
    expect(usableFiles({ version: '1.0.0', notes: '', files }).map(({ platform }) => platform)).toEqual(['linux-x64'])
    expect(usableFiles(undefined)).toEqual([])
  })
})

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0', 'Edge on Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/19.0 Safari/605.1.15', 'Safari on macOS'],
  ['Mozilla/5.0 (Linux; Android 16) Chrome/140.0.0.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['omen/0.3.0 (linux x64)', 'omen on Linux'],
  ['', 'Unknown program'],
  ['x'.repeat(1000), 'x'.repeat(60)],
])('the user agent %s is described as %s', (agent, name) => {
  expect(describeAgent(agent)).toBe(name)
})

test.each([
  [0, 'just now'],
  [-59, 'just now'],
  [-60, '1 minute ago'],
  [-3 * 3600, '3 hours ago'],
  [-86_400, 'yesterday'],
  [20, 'in less than a minute'],
  [47 * 3600, 'tomorrow'],
  [90 * 86_400, 'in 2 months'],
])('a time %d seconds from now is formatted as %s', (seconds, formatted) => {
  expect(relativeTime(seconds * 1000, 0)).toBe(formatted)
})

describe('an audit record', () => {
  const record = { id: '7', at: 't', action: 'a.b', actor: 'user 1', address: '::1' }

  test('shows its address and every field of its detail', () => {
    expect(factsOf({ ...record, detail: { user_id: 'u', list: [1, 2], empty: '', none: null } })).toEqual([
      ['address', '::1'],
      ['user id', 'u'],
      ['list', '1, 2'],
    ])
    expect(factsOf({ ...record, address: null, detail: {} })).toEqual([])
  })

  test('with any detail can be formatted', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (detail) => {
        for (const [, value] of factsOf({ ...record, detail })) expect(typeof value).toBe('string')
      }),
    )
  })
})
