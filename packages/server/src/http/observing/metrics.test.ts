import { expect, test } from 'vitest'
import { createMetrics, type FinishedRequest } from './metrics.js'

const finished = (request: Partial<FinishedRequest>): FinishedRequest => ({
  method: 'GET',
  route: '/v1/me',
  status: 200,
  problem: undefined,
  seconds: 0.002,
  ...request,
})

test('requests are counted by method, route, status and outcome', async () => {
  const metrics = createMetrics()
  metrics.finish(finished({}))
  metrics.finish(finished({ status: 401, problem: 'missing_session', seconds: 45 }))
  const text = await metrics.text()
  expect(text).toContain(
    'omen_http_request_duration_seconds_bucket{le="0.0025",method="GET",route="/v1/me",status="200"} 1',
  )
  expect(text).toContain(
    'omen_http_request_duration_seconds_bucket{le="30",method="GET",route="/v1/me",status="401"} 0',
  )
  expect(text).toContain('omen_http_request_duration_seconds_sum{method="GET",route="/v1/me",status="401"} 45')
  expect(text).toContain('omen_http_outcomes_total{route="/v1/me",outcome="ok"} 1')
  expect(text).toContain('omen_http_outcomes_total{route="/v1/me",outcome="missing_session"} 1')
})

test.each([
  ['PATCH', 'PATCH'],
  ['BREW', 'other'],
])('the method %s is counted as %s', async (method, label) => {
  const metrics = createMetrics()
  metrics.finish(finished({ method }))
  expect(await metrics.text()).toContain(`_count{method="${label}",route="/v1/me",status="200"} 1`)
})
