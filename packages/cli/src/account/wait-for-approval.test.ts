import { expect, it } from 'vitest'
import { createVirtualClock } from '../../test/virtual-clock.js'
import type { Trouble } from './account-service.js'
import type { Refusal, Tokens } from './read-answers.js'
import { type Waiting, waitForApproval } from './wait-for-approval.js'

const TOKENS: Tokens = { accessToken: 'omen_at_1', refreshToken: 'omen_rt_1', lasts: 3_600_000 }
const PENDING: Refusal = { error: 'authorization_pending' }
const SLOW_DOWN: Refusal = { error: 'slow_down' }
const trouble = (pause?: number): Trouble => ({ trouble: 'the connection was refused', pause })

/** Waits at a service that gives these answers, the last one again and again. */
function wait(answers: readonly (Tokens | Refusal | Trouble)[], { interval = 5000, lasts = 900_000 } = {}) {
  const clock = createVirtualClock()
  const leaving = new AbortController()
  const told: Waiting[] = []
  let asked = 0
  const exchange = async (code: string) => {
    expect(code).toBe('secret')
    return answers[Math.min(asked++, answers.length - 1)]!
  }
  const uri = new URL('https://omen.example.com/device')
  const device = { deviceCode: 'secret', userCode: 'WDJB-MJHT', uri, uriComplete: undefined, lasts, interval }
  const run = () =>
    waitForApproval(device, {
      service: { exchange, url: new URL('https://omen.example.com') },
      clock,
      signal: leaving.signal,
      changed: (waiting) => told.push(waiting),
    })
  return { clock, leaving, told, run, asked: () => asked }
}

it('asks at the pace that the service wants until somebody has approved', async () => {
  const { run, clock } = wait([PENDING, PENDING, TOKENS], { interval: 7000 })
  expect(await run()).toEqual(TOKENS)
  expect(clock.pauses).toEqual([7000, 7000, 7000])
})

it('waits five seconds longer from each slow_down on', async () => {
  const { run, clock } = wait([PENDING, SLOW_DOWN, PENDING, SLOW_DOWN, PENDING, TOKENS])
  await run()
  expect(clock.pauses).toEqual([5000, 5000, 10_000, 10_000, 15_000, 15_000])
})

it('waits twice as long each time that the service cannot be asked, says why, and then goes on as before', async () => {
  const { run, clock, told } = wait([trouble(), trouble(), trouble(), trouble(), trouble(), PENDING, TOKENS])
  await run()
  expect(clock.pauses).toEqual([5000, 10_000, 20_000, 40_000, 60_000, 60_000, 5000])
  expect(told.map((waiting) => waiting.trouble)).toEqual([
    undefined,
    ...Array(5).fill('the connection was refused'),
    undefined,
  ])
})

it('waits as long as the service wants to be left alone', async () => {
  const { run, clock } = wait([trouble(45_000), TOKENS])
  await run()
  expect(clock.pauses).toEqual([5000, 45_000])
})

it('ends when nobody approves it in time, whatever the service says, and whatever is done to the clock', async () => {
  const { run, clock, asked } = wait([PENDING], { lasts: 62_000 })
  clock.jump(-86_400_000)
  await expect(run()).rejects.toThrow('omen.example.com: nobody approved it in time: run omen login again')
  expect(clock.monotonic()).toBe(62_000)
  expect(asked()).toBe(12)
})

it.each([
  ['access_denied', 'omen.example.com: it was denied. If that was not you, tell your administrator'],
  ['expired_token', 'omen.example.com: nobody approved it in time: run omen login again'],
  ['invalid_grant', 'omen.example.com: the code is not known there any more: run omen login again'],
  ['toString', 'omen.example.com: it was refused (toString): run omen login again'],
])('ends with %s', async (error, message) => {
  const { run, asked } = wait([PENDING, { error }, TOKENS])
  await expect(run()).rejects.toMatchObject({ name: 'Failure', message })
  expect(asked()).toBe(2)
})

it('ends at once when somebody leaves', async () => {
  const { run, leaving, asked } = wait([PENDING])
  leaving.abort(new Error('enough'))
  await expect(run()).rejects.toThrow('enough')
  expect(asked()).toBe(0)
})
