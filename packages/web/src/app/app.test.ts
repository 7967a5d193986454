import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listOf, oneOf, orNull, shape, text, whole } from '../api/shape.js'
import { readAccount } from './account.js'
import type { AppService } from './api/client.js'
import { relativeTime } from './frame/time.js'
import { guessPlatform, installCommand, usableFiles } from './home/install.js'
import { readRecord } from './organization/audit-page.js'
import { findPlace, pathTo, ROUTES, type RouteName } from './routes.js'
import { describeAgent } from './sessions-page.js'
import { signInAddress } from './sign-in.js'

describe('routes', () => {
  test('every page is found by its address, whatever its id is', () => {
    for (const name of Object.keys(ROUTES) as RouteName[]) {
      const id = ROUTES[name].path.includes(':id') ? 'CRE-1' : ''
      expect(findPlace(pathTo(name, id))).toEqual({ name, id })
    }
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
        expect(findPlace(pathTo('rule', id))).toEqual({ name: 'rule', id })
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
  ])('%s is %s', (path, name) => {
    expect(findPlace(path)?.name).toBe(name)
  })

  test('an id that cannot be decoded is taken as it is', () => {
    expect(findPlace('/rules/%E0%A4%A')).toEqual({ name: 'rule', id: '%E0%A4%A' })
  })

  test('the way to sign in leads back to the very page', () => {
    const address = new URL(signInAddress('/rules?q=a&severity=high'), 'https://app.example')
    expect(address.searchParams.get('to')).toBe('/rules?q=a&severity=high')
  })
})

describe('what the service says', () => {
  const read = shape({ id: text, role: oneOf('a', 'b'), at: orNull(text), sizes: listOf(whole) })

  test('is read field by field, and nothing else of it', () => {
    expect(read({ id: '1', role: 'a', sizes: [1, 2], more: 1 })).toEqual({
      id: '1',
      role: 'a',
      at: null,
      sizes: [1, 2],
    })
  })

  test.each([undefined, null, [], 'x', {}, { id: 1 }, { id: '1', role: 'c', at: null, sizes: [] }])(
    'is not taken for what it is not: %j',
    (value) => expect(read(value)).toBeUndefined(),
  )

  test('of a service that knows no roles yet makes everybody a member', async () => {
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

describe('the tool', () => {
  const sha256 = '9f'.repeat(32)
  const file = (platform: string, url = `https://omen.example/omen-${platform}`) => ({ platform, url, sha256, size: 1 })

  test.each([
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'darwin-arm64'],
    ['Mozilla/5.0 (X11; Linux x86_64)', 'linux-x64'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'win32-x64'],
  ])('for %s is that of %s', (agent, platform) => {
    expect(guessPlatform(['linux-arm64', 'linux-x64', 'darwin-x64', 'darwin-arm64', 'win32-x64'], agent)).toBe(platform)
    expect(guessPlatform(['freebsd-x64'], agent)).toBe('freebsd-x64')
  })

  test('is installed by a command in which no address can do harm', () => {
    expect(installCommand(file('linux-x64', "https://a.example/'; rm -rf '"))).toContain(
      "'https://a.example/'\\''; rm -rf '\\'''",
    )
    const files = [file('a', 'javascript:alert(1)'), { ...file('b'), sha256: '$(reboot)' }, file('linux-x64')]
    expect(usableFiles({ version: '1.0.0', files }).map(({ platform }) => platform)).toEqual(['linux-x64'])
    expect(usableFiles(null)).toEqual([])
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
])('%s is called %s', (agent, name) => {
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
])('%d seconds from now is %s', (seconds, words) => {
  expect(relativeTime(seconds * 1000, 0)).toBe(words)
})

describe('a record of the audit', () => {
  test('shows what it says, wherever it says it', () => {
    const record = {
      id: '7',
      at: 't',
      action: 'a.b',
      actor: 'user 1',
      address: '::1',
      detail: { user_id: 'u', list: [1, 2] },
    }
    expect(readRecord(record)).toEqual({
      id: '7',
      at: 't',
      action: 'a.b',
      actor: 'user 1',
      facts: [
        ['address', '::1'],
        ['user id', 'u'],
        ['list', '1, 2'],
      ],
    })
  })

  test('of any shape can be shown', () => {
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (record) => void readRecord(record)))
    expect(readRecord({ detail: 'in words' }).facts).toEqual([['detail', 'in words']])
  })
})
