import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { repeatWork } from './repeat-work.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('work runs at once and again, also after a failure, until it is stopped', async () => {
  const errors: unknown[] = []
  let rounds = 0
  const work = async () => {
    rounds += 1
    if (rounds === 2) throw new Error('away')
  }
  const stop = repeatWork(work, { everyMs: 1000, onError: (error) => errors.push(error) })
  await vi.advanceTimersByTimeAsync(2500)
  expect(rounds).toBe(3)
  expect(errors).toEqual([new Error('away')])
  await stop()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(rounds).toBe(3)
})

test('stopping waits for the current run, and its failure is not reported', async () => {
  const errors: unknown[] = []
  let fail = (_: Error) => {}
  const stop = repeatWork(() => new Promise((_, reject) => (fail = reject)), {
    everyMs: 1000,
    onError: (error) => errors.push(error),
  })
  const stopped = stop()
  fail(new Error('closed'))
  await stopped
  expect(errors).toEqual([])
})
