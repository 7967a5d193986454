import Fastify from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { collectWhenIdle } from './collect-when-idle.js'

const LONG_MS = 60_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

async function listening() {
  const collect = vi.fn()
  const app = Fastify()
  collectWhenIdle(app, collect)
  app.get('/', () => 'fine')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const ask = async (times: number) => {
    for (let i = 0; i < times; i++) await app.inject('/')
  }
  return { app, ask, collect }
}

test('memory is given back after the start, and after a burst', async () => {
  const { app, ask, collect } = await listening()
  vi.advanceTimersByTime(LONG_MS)
  expect(collect).toHaveBeenCalledTimes(4)
  await ask(1_000)
  vi.advanceTimersByTime(LONG_MS)
  expect(collect).toHaveBeenCalledTimes(8)
  await app.close()
})

test('a pause between two bursts is not worth it', async () => {
  const { app, ask, collect } = await listening()
  for (let i = 0; i < 2; i++) {
    await ask(1_000)
    vi.advanceTimersByTime(4_000)
  }
  expect(collect).not.toHaveBeenCalled()
  await app.close()
})

test('a few requests are not worth a collection', async () => {
  const { app, ask, collect } = await listening()
  vi.advanceTimersByTime(LONG_MS)
  await ask(100)
  vi.advanceTimersByTime(LONG_MS)
  expect(collect).toHaveBeenCalledTimes(4)
  await app.close()
})

test('nothing is collected while requests come, or after the end', async () => {
  const { app, ask, collect } = await listening()
  for (let i = 0; i < 5; i++) {
    await ask(20)
    vi.advanceTimersByTime(2_000)
  }
  expect(collect).not.toHaveBeenCalled()
  await app.close()
  vi.advanceTimersByTime(LONG_MS)
  expect(collect).not.toHaveBeenCalled()
})

test('the real collector can be found', async () => {
  const app = Fastify()
  collectWhenIdle(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  vi.advanceTimersByTime(LONG_MS)
  await app.close()
})
