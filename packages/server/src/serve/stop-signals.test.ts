import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { stopSignal } from './stop-signals.js'

test.each([
  ['SIGTERM', 'SIGINT', 130],
  ['SIGINT', 'SIGTERM', 143],
] as const)('%s stops, and %s after it exits with %i', async (first, second, exitCode) => {
  const source = new EventEmitter()
  const left: number[] = []
  const stopped = stopSignal(source, (code) => left.push(code))
  source.emit(first)
  expect(await stopped).toBe(first)
  expect(left).toEqual([])
  source.emit(second)
  expect(left).toEqual([exitCode])
})
