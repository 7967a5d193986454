import { executionAsyncResource } from 'node:async_hooks'

const kept: { tick?: object } = {}

/**
 * Keeps `process.nextTick` as fast as it is at the start. Node.js makes an object for each call, some ten for a request. A full
 * collection of garbage at a moment when there is none makes V8 forget their hidden class, and it never again learns to make them
 * quickly: each call then takes five times as long, until the process ends. That happened to every second process before it had its
 * first request. An object that is kept from the beginning prevents it.
 *
 * @example
 * keepTicksFast() // first of all
 */
export function keepTicksFast(): void {
  process.nextTick(() => {
    kept.tick = executionAsyncResource()
  })
}
