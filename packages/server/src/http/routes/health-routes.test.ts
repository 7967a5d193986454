import { describe, expect, test } from 'vitest'
import { startApp, useApp } from '../../../test/http/app-under-test.js'
import { Problem } from '../../problem.js'
import { createMetrics } from '../observing/metrics.js'

describe('/healthz', () => {
  test('reports that the process is alive, even if the database is not available', async () => {
    const { send } = await startApp({ database: { check: () => Promise.reject(new Error('away')) } })
    const response = await send({ url: '/healthz' })
    expect([response.statusCode, response.json()]).toEqual([200, { status: 'ok' }])
  })
})

describe('/readyz', () => {
  test('fails while the database is not available', async () => {
    let failure: Error | undefined
    const { send } = await startApp({
      database: { check: async () => (failure === undefined ? undefined : Promise.reject(failure)) },
    })
    expect((await send({ url: '/readyz' })).json()).toEqual({ status: 'ready' })
    for (failure of [new Problem('unavailable', 'The database is away.'), new Error('password hush')]) {
      const response = await send({ url: '/readyz' })
      expect(response.statusCode).toBe(503)
      expect(response.headers['retry-after']).toBe('5')
      expect(response.body).not.toContain('hush')
    }
    failure = undefined
    expect((await send({ url: '/readyz' })).statusCode).toBe(200)
  })

  test('checks the database once for requests at the same time', async () => {
    let checks = 0
    let release = () => {}
    const access = new Promise<void>((resolve) => {
      release = resolve
    })
    let waiting = 0
    const metrics = createMetrics()
    const begin = () => {
      metrics.begin()
      waiting += 1
      // When the last has arrived and all of them wait, the database responds.
      if (waiting === 20) setImmediate(release)
    }
    const check = async () => {
      checks += 1
      await access
    }
    const { send } = await startApp({ database: { check }, metrics: { ...metrics, begin } })
    const responses = Array.from({ length: 20 }, () => send({ url: '/readyz' }))
    expect(new Set((await Promise.all(responses)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(checks).toBe(1)
    await send({ url: '/readyz' })
    expect(checks).toBe(2)
  })
})

describe('/metrics', () => {
  const app = useApp()

  test('counts requests by route, status and outcome', async () => {
    const metrics = createMetrics()
    metrics.watchPool(() => ({ total: 5, idle: 3, waiting: 1 }))
    const { send } = await startApp({ metrics })
    await send({ url: '/v1/auth/validate?code=x' })
    await send({ url: '/v1/auth/validate' })
    await send({ url: '/some/nonsense/1' })
    await send({ url: '/some/nonsense/2' })
    const response = await send({ url: '/metrics' })
    expect(response.headers['content-type']).toContain('text/plain')
    const lines = response.body.split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'omen_http_outcomes_total{route="/v1/auth/validate",outcome="ok"} 1',
        'omen_http_outcomes_total{route="/v1/auth/validate",outcome="missing_code"} 1',
        'omen_http_outcomes_total{route="none",outcome="not_found"} 2',
        'omen_http_request_duration_seconds_count{method="GET",route="/v1/auth/validate",status="200"} 1',
        'omen_http_request_duration_seconds_count{method="GET",route="none",status="404"} 2',
        'omen_http_requests_in_flight 1',
        'omen_database_connections{state="used"} 2',
        'omen_database_connections{state="idle"} 3',
        'omen_database_connections{state="waiting"} 1',
      ]),
    )
    expect(response.body).not.toContain('nonsense')
  })

  test.each([
    ['127.0.0.1', {}, 200],
    ['127.9.9.9', {}, 200],
    ['::1', {}, 200],
    ['::ffff:127.0.0.1', {}, 200],
    ['10.1.2.3', {}, 404],
    ['::ffff:192.168.1.9', {}, 404],
    ['fd00::1', {}, 404],
    ['203.0.113.7', {}, 404],
    ['2001:db8::1', {}, 404],
    // Requests through an untrusted proxy on this machine all seem to come from this machine.
    ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, 404],
    ['127.0.0.1', { 'x-real-ip': '127.0.0.1' }, 404],
    ['127.0.0.1', { 'x-forwarded-proto': 'https' }, 404],
    ['127.0.0.1', { via: '1.1 proxy' }, 404],
    ['127.0.0.1', { forwarded: 'for=127.0.0.1' }, 404],
  ])('responds to %s with %j with status %i', async (remoteAddress, headers, status) => {
    const { send } = app()
    expect((await send({ url: '/metrics', remoteAddress, headers })).statusCode).toBe(status)
  })

  test.each([
    ['10.1.2.3', 200],
    ['::ffff:10.1.2.3', 200],
    ['10.2.0.1', 404],
    ['192.0.2.7', 200],
    ['192.0.2.8', 404],
    ['fd00:1::7', 200],
    ['fd00:2::7', 404],
    // The configured networks replace the default.
    ['127.0.0.1', 404],
  ])('is only for the configured networks: %s is %i', async (remoteAddress, status) => {
    const { send } = await startApp({ settings: { metricsFrom: ['10.1.0.0/16', '192.0.2.7', 'fd00:1::/32'] } })
    expect((await send({ url: '/metrics', remoteAddress })).statusCode).toBe(status)
  })

  test('uses the address of the client behind a trusted proxy', async () => {
    const { send } = await startApp({ settings: { trustProxy: ['10.0.0.1'], metricsFrom: ['192.168.0.0/16'] } })
    const through = (address: string) => ({
      url: '/metrics',
      remoteAddress: '10.0.0.1',
      headers: { 'x-forwarded-for': address },
    })
    expect((await send(through('203.0.113.7'))).statusCode).toBe(404)
    expect((await send(through('192.168.1.1'))).statusCode).toBe(200)
  })

  test('includes the metrics of the process on request', async () => {
    expect(await createMetrics({ process: true }).text()).toContain('process_resident_memory_bytes')
  })
})

test('/v1/setup.json contains the addresses', async () => {
  const { send } = await startApp({ settings: { baseUrl: 'http://localhost:1', appUrl: 'http://localhost:2' } })
  const response = await send({ url: '/v1/setup.json' })
  expect(response.json()).toEqual({
    base_url: 'http://localhost:1',
    app_url: 'http://localhost:2',
    test_sign_in: true,
  })
})
