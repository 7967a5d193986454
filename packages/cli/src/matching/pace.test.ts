import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createPace } from './pace.js'

const never = () => new Promise<never>(() => {})

describe('waiting for a promise that may never settle', () => {
  it('returns its result', async () => {
    const { unlessStopped } = createPace(new AbortController().signal)
    expect(await unlessStopped(Promise.resolve(7))).toBe(7)
    await expect(unlessStopped(Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  })

  it('ends every wait when the scan stops', async () => {
    const controller = new AbortController()
    const { unlessStopped } = createPace(controller.signal)
    const waits = [unlessStopped(never()), unlessStopped(never())]
    controller.abort()
    expect(await Promise.all(waits)).toEqual([undefined, undefined])
  })

  it('does not wait once the scan has stopped, and returns a result that is available', async () => {
    const { unlessStopped } = createPace(AbortSignal.abort())
    expect(await unlessStopped(never())).toBeUndefined()
    expect(await unlessStopped(Promise.resolve(7))).toBe(7)
  })

  it('keeps no result in memory', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const { unlessStopped } = createPace(new AbortController().signal)
    const settled = async () => new WeakRef((await unlessStopped(Promise.resolve({ bytes: 1 })))!)
    const refs = await Promise.all(Array.from({ length: 10 }, settled))
    // The target of a new WeakRef is kept until the end of the turn.
    await new Promise(setImmediate)
    collect()
    expect(refs.filter((ref) => ref.deref() !== undefined)).toEqual([])
  })
})
