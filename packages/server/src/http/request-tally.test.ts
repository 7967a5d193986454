import { Counter, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createRequestTally, type FinishedRequest } from './request-tally.js'

const REQUESTS: readonly FinishedRequest[] = [
  { method: 'GET', route: '/v1/me', status: 200, problem: undefined, seconds: 0.001 },
  { method: 'GET', route: '/v1/me', status: 200, problem: undefined, seconds: 0.0011 },
  { method: 'GET', route: '/v1/me', status: 401, problem: 'missing_session', seconds: 45 },
  { method: 'BREW', route: '/a"b\\c', status: 404, problem: 'not_found', seconds: 0 },
]

/** The slow and obvious way, which the fast one must agree with. */
async function textOfPromClient(): Promise<string> {
  const registers = [new Registry()]
  const duration = new Histogram({
    name: 'omen_http_request_duration_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  const outcomes = new Counter({
    name: 'omen_http_outcomes_total',
    help: 'Requests by outcome: ok, or the code of the problem.',
    labelNames: ['route', 'outcome'],
    registers,
  })
  for (const { method, route, status, problem, seconds } of REQUESTS) {
    duration.observe({ method: method === 'GET' ? method : 'other', route, status: String(status) }, seconds)
    outcomes.inc({ route, outcome: problem ?? 'ok' })
  }
  return registers[0]!.metrics()
}

test('requests are counted as prom-client counts them', async () => {
  const tally = createRequestTally()
  for (const request of REQUESTS) tally.count(request)
  expect(tally.text().split('\n').sort()).toEqual((await textOfPromClient()).split('\n').sort())
})

test('before the first request there is nothing but the names', async () => {
  expect(createRequestTally().text().match(/^\w/gm)).toBeNull()
})
