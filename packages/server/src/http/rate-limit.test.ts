import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BEARER, CONNECTION, startApp, THREE_HOSTS } from '../../test/http/app-under-test.js'
import { createLimiter } from './rate-limit.js'

describe('the counter', () => {
  const start = Date.parse('2026-11-15T12:00:00Z')

  test('a window never allows more than the limit', () => {
    const steps = fc.array(fc.record({ key: fc.constantFrom('a', 'b'), wait: fc.integer({ min: 0, max: 40_000 }) }))
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 5 }), (attempts, limit) => {
        let now = start
        const limiter = createLimiter({ limit, clock: () => new Date(now) })
        const windows = new Map<string, { from: number; allowed: number }>()
        for (const { key, wait } of attempts) {
          now += wait
          const { allowed, remaining, resetSeconds } = limiter(key)
          const window = windows.get(key)
          const current = window && now < window.from + 60_000 ? window : { from: now, allowed: 0 }
          windows.set(key, current)
          expect(allowed).toBe(current.allowed < limit)
          if (allowed) current.allowed += 1
          expect(remaining).toBe(limit - current.allowed)
          expect(resetSeconds).toBe(Math.max(1, Math.ceil((current.from + 60_000 - now) / 1000)))
        }
      }),
    )
  })

  test('a clock that is set back does not lock clients out', () => {
    let now = start
    const limiter = createLimiter({ limit: 1, clock: () => new Date(now) })
    limiter('a')
    expect(limiter('a').allowed).toBe(false)
    now -= 86_400_000
    expect(limiter('a').allowed).toBe(true)
  })

  test('if it is full, only the oldest key is dropped', () => {
    const limiter = createLimiter({ limit: 1, clock: () => new Date(start), maxKeys: 3 })
    for (const key of ['a', 'b', 'c', 'd']) limiter(key)
    expect(['b', 'c', 'd'].map((key) => limiter(key).allowed)).toEqual([false, false, false])
    expect(limiter('a').allowed).toBe(true)
  })
})

describe('attempts to enter a code', () => {
  const url = '/v1/auth/validate?code=x'
  const statuses = async (send: (request: object) => Promise<{ statusCode: number }>, requests: readonly object[]) => {
    const statusCodes: number[] = []
    for (const request of requests) statusCodes.push((await send({ url, ...request })).statusCode)
    return statusCodes
  }

  test('the eleventh attempt in a minute is 429, and the next minute starts again', async () => {
    let now = new Date('2026-11-15T12:00:00.000Z')
    const { send, calls } = await startApp({ clock: () => now })
    for (let left = 9; left >= 0; left--) {
      const { statusCode, headers } = await send({ url })
      expect([statusCode, headers['ratelimit-limit'], headers['ratelimit-remaining']]).toEqual([
        200,
        '10',
        String(left),
      ])
    }
    now = new Date('2026-11-15T12:00:18.500Z')
    const refused = await send({ url })
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('42')
    expect(refused.json()).toMatchObject({ code: 'rate_limited', detail: expect.stringContaining('42 seconds') })
    expect((await send({ method: 'HEAD', url })).statusCode).toBe(429)
    expect(calls).toHaveLength(10)
    now = new Date('2026-11-15T12:01:00.000Z')
    expect((await send({ url })).statusCode).toBe(200)
  })

  test('requests without a code count too, and another address has its own limit', async () => {
    const { send } = await startApp({ settings: { limitCodeTries: 2 } })
    expect(await statuses(send, [{ url: '/v1/auth/validate' }, {}, {}])).toEqual([400, 200, 429])
    expect(await statuses(send, [{ remoteAddress: '203.0.113.8' }])).toEqual([200])
  })

  test('an IPv6 /64 is one address, and IPv4 in IPv6 is IPv4', async () => {
    const { send } = await startApp({ settings: { limitCodeTries: 1 } })
    const from = (...addresses: readonly string[]) => addresses.map((remoteAddress) => ({ remoteAddress }))
    expect(
      await statuses(send, from('2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:3::1')),
    ).toEqual([200, 429, 200])
    expect(await statuses(send, from('203.0.113.7', '::ffff:203.0.113.7', '::ffff:203.0.113.8'))).toEqual([
      200, 429, 200,
    ])
  })

  test('X-Forwarded-For counts only from trusted proxies', async () => {
    const forwarded = (address: string, remoteAddress: string) => ({
      remoteAddress,
      headers: { 'x-forwarded-for': address },
    })
    const alone = await startApp({ settings: { limitCodeTries: 1 } })
    expect(await statuses(alone.send, [forwarded('1.1.1.1', '10.0.0.1'), forwarded('2.2.2.2', '10.0.0.1')])).toEqual([
      200, 429,
    ])

    const proxied = await startApp({ settings: { ...THREE_HOSTS, limitCodeTries: 1, trustProxy: ['10.0.0.0/8'] } })
    const statusCodes = await statuses(proxied.send, [
      forwarded('1.1.1.1', '10.0.0.1'),
      forwarded('2.2.2.2', '10.0.0.2'),
      // The value that the client sent is left of the address that the proxy added.
      forwarded('9.9.9.9, 1.1.1.1', '::ffff:10.0.0.1'),
      forwarded('3.3.3.3', '192.0.2.1'),
      forwarded('4.4.4.4', '192.0.2.1'),
      forwarded('nonsense', '10.0.0.3'),
    ])
    expect(statusCodes).toEqual([200, 200, 429, 200, 429, 200])
    expect(proxied.calls.map(([, , requester]) => (requester as { address: string }).address)).toEqual([
      '1.1.1.1',
      '2.2.2.2',
      '192.0.2.1',
      '10.0.0.3',
    ])
  })
})

describe('requests with a token', () => {
  test('both requests share the limit of a token, and codes have their own', async () => {
    const { send } = await startApp({ settings: { limitCalls: 3 } })
    const call = (url: string, headers: Record<string, string> = BEARER) =>
      send({ method: 'POST', url, headers, payload: JSON.stringify(CONNECTION) })
    expect((await call('/v1/api/oauth')).statusCode).toBe(200)
    expect((await call('/v1/api/oauth/x/onboard')).statusCode).toBe(422)
    expect(
      (await call('/v1/api/oauth', { authorization: BEARER.authorization.replace('Bearer', 'bearer ') })).statusCode,
    ).toBe(200)
    const refused = await call('/v1/api/oauth')
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60'])
    expect((await call('/v1/api/oauth', { authorization: 'Bearer another' })).statusCode).toBe(200)
    expect((await send({ url: '/v1/auth/validate?code=x' })).statusCode).toBe(200)
  })
})
