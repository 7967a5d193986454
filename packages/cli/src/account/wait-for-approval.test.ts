import { expect, it } from 'vitest'
import { createVirtualClock } from '../../test/virtual-clock.js'
import type { TemporaryFailure } from './account-service.js'
import type { OAuthError, Tokens } from './read-responses.js'
import { type Waiting, waitForApproval } from './wait-for-approval.js'

const TOKENS: Tokens = { accessToken: 'omen_at_1', refreshToken: 'omen_rt_1', lifetime: 3_600_000 }
const PENDING: OAuthError = { error: 'authorization_pending' }
const SLOW_DOWN: OAuthError = { error: 'slow_down' }
const failure = (pause?: number): TemporaryFailure => ({ failure: 'the connection was refused', pause })

/** Waits for a service with these responses; the last one is repeated. */
function wait(
  responses: readonly (Tokens | OAuthError | TemporaryFailure)[],
  { interval = 5000, lifetime = 900_000 } = {},
) {
  const clock = createVirtualClock()
  const controller = new AbortController()
  const reported: Waiting[] = []
  let requests = 0
  const exchange = async (code: string) => {
    expect(code).toBe('secret')
    return responses[Math.min(requests++, responses.length - 1)]!
  }
  const uri = new URL('https://omen.example.com/device')
  const device = { deviceCode: 'secret', userCode: 'WDJB-MJHT', uri, uriComplete: undefined, lifetime, interval }
  const run = () =>
    waitForApproval(device, {
      service: { exchange, url: new URL('https://omen.example.com') },
      clock,
      signal: controller.signal,
      changed: (waiting) => reported.push(waiting),
    })
  return { clock, controller, reported, run, requestCount: () => requests }
}

it('polls at the interval of the service until the user has approved', async () => {
  const { run, clock } = wait([PENDING, PENDING, TOKENS], { interval: 7000 })
  expect(await run()).toEqual(TOKENS)
  expect(clock.pauses).toEqual([7000, 7000, 7000])
})

it('waits five seconds longer after each slow_down', async () => {
  const { run, clock } = wait([PENDING, SLOW_DOWN, PENDING, SLOW_DOWN, PENDING, TOKENS])
  await run()
  expect(clock.pauses).toEqual([5000, 5000, 10_000, 10_000, 15_000, 15_000])
})

it('doubles the pause after each failed request, reports why, and then returns to the interval', async () => {
  const { run, clock, reported } = wait([failure(), failure(), failure(), failure(), failure(), PENDING, TOKENS])
  await run()
  expect(clock.pauses).toEqual([5000, 10_000, 20_000, 40_000, 60_000, 60_000, 5000])
  expect(reported.map((waiting) => waiting.failure)).toEqual([
    undefined,
    ...Array(5).fill('the connection was refused'),
    undefined,
  ])
})

it('waits as long as the Retry-After header says', async () => {
  const { run, clock } = wait([failure(45_000), TOKENS])
  await run()
  expect(clock.pauses).toEqual([5000, 45_000])
})

it('ends when the code expires, whatever the service responds and whatever happens to the clock', async () => {
  const { run, clock, requestCount } = wait([PENDING], { lifetime: 62_000 })
  clock.jump(-86_400_000)
  await expect(run()).rejects.toThrow('omen.example.com: the sign-in was not approved in time: run omen login again')
  expect(clock.monotonic()).toBe(62_000)
  expect(requestCount()).toBe(12)
})

it.each([
  ['access_denied', 'omen.example.com: the sign-in was denied. If that was not you, tell your administrator'],
  ['expired_token', 'omen.example.com: the sign-in was not approved in time: run omen login again'],
  ['invalid_grant', 'omen.example.com: the code is no longer valid: run omen login again'],
  ['toString', 'omen.example.com: the sign-in was refused (toString): run omen login again'],
])('ends with %s', async (error, message) => {
  const { run, requestCount } = wait([PENDING, { error }, TOKENS])
  await expect(run()).rejects.toMatchObject({ name: 'Failure', message })
  expect(requestCount()).toBe(2)
})

it('ends at once when it is aborted', async () => {
  const { run, controller, requestCount } = wait([PENDING])
  controller.abort(new Error('interrupted'))
  await expect(run()).rejects.toThrow('interrupted')
  expect(requestCount()).toBe(0)
})
