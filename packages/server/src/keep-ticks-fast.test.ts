import { executionAsyncResource } from 'node:async_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test, vi } from 'vitest'
import { keepTicksFast } from './keep-ticks-fast.js'

afterEach(() => {
  vi.restoreAllMocks()
})

test('a tick of the event loop outlives every collection, so that V8 keeps its hidden class', async () => {
  const ticks: { readonly mine: boolean; readonly object: WeakRef<object> }[] = []
  const nextTick = process.nextTick
  const remember = (mine: boolean) => ticks.push({ mine, object: new WeakRef(executionAsyncResource()) })
  vi.spyOn(process, 'nextTick').mockImplementation((callback, ...args) =>
    nextTick(() => {
      remember(true)
      callback(...args)
    }),
  )
  keepTicksFast()
  vi.restoreAllMocks()
  nextTick(() => remember(false))
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  for (let times = 0; times < 3; times++) {
    await new Promise(setImmediate)
    collect()
  }
  const isAlive = (mine: boolean) => ticks.some((tick) => tick.mine === mine && tick.object.deref() !== undefined)
  expect([isAlive(true), isAlive(false)]).toEqual([true, false])
})
