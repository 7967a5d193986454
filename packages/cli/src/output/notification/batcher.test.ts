import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createNotifier } from './batcher.js'
import type { NotifiedProblem } from './message.js'

const problem = (id: string, hits = 1, severity = 'medium', first = 'T1'): NotifiedProblem => ({
  id,
  severity,
  hits,
  first,
})

/** Waits until all work is done that does not wait for the clock. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A notifier with a clock that the test advances, and messages that fail or wait as the test requires. */
function watch(options: { readonly fails?: (message: number) => boolean; readonly holds?: boolean } = {}) {
  let time = 0
  let timers: { readonly at: number; readonly work: () => void }[] = []
  const messages: { readonly at: number; readonly problems: string }[] = []
  const failures: unknown[] = []
  const held: (() => void)[] = []
  const notifier = createNotifier({
    clock: () => time,
    schedule(work, milliseconds) {
      const timer = { at: time + milliseconds, work }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    async send(problems) {
      messages.push({ at: time, problems: problems.map(({ id, hits }) => `${id}×${hits}`).join(' ') })
      const number = messages.length
      if (options.holds) await new Promise<void>((resolve) => held.push(resolve))
      if (options.fails?.(number)) throw new Error(`message ${number}`)
    },
    failed: (error) => failures.push(error),
  })
  return {
    notifier,
    messages,
    failures,
    release: () => held.shift()?.(),
    get timers() {
      return timers.length
    },
    /** Advances the clock to a time, second by second. */
    async until(seconds: number) {
      for (; ; time += 1000) {
        await settle()
        for (const due of timers.filter(({ at }) => at <= time)) {
          timers = timers.filter((timer) => timer !== due)
          due.work()
        }
        await settle()
        if (time >= seconds * 1000) return
      }
    },
  }
}

describe('while a log is followed', () => {
  test('the first problem is sent at once, with others of the same turn', async () => {
    const watched = watch()
    watched.notifier.add(problem('A'))
    watched.notifier.add(problem('B'))
    watched.notifier.add(problem('A'))
    await watched.until(0)
    expect(watched.messages).toEqual([{ at: 0, problems: 'A×2 B×1' }])
    expect(watched.timers).toBe(0)
  })

  test('after that at most one message is sent in 30 seconds, with hits added up, the most severe first', async () => {
    const watched = watch()
    watched.notifier.add(problem('A'))
    await watched.until(0)
    for (let second = 1; second <= 60; second++) {
      watched.notifier.add(problem('B', 2, 'low'))
      if (second % 10 === 0) watched.notifier.add(problem('C', 1, 'critical'))
      await watched.until(second)
    }
    expect(watched.messages).toEqual([
      { at: 0, problems: 'A×1' },
      { at: 30_000, problems: 'C×3 B×60' },
      { at: 60_000, problems: 'C×3 B×60' },
    ])
  })

  test('after a quiet time the next problem is sent at once', async () => {
    const watched = watch()
    watched.notifier.add(problem('A'))
    await watched.until(100)
    watched.notifier.add(problem('B'))
    await watched.until(100)
    expect(watched.messages.map(({ at }) => at)).toEqual([0, 100_000])
  })

  test('flush sends the remaining problems at once, and nothing if there are none', async () => {
    const watched = watch()
    watched.notifier.add(problem('A'))
    await watched.until(1)
    watched.notifier.add(problem('B'))
    await watched.notifier.flush()
    await watched.notifier.flush()
    await watched.until(100)
    expect(watched.messages).toEqual([
      { at: 0, problems: 'A×1' },
      { at: 1000, problems: 'B×1' },
    ])
    expect(watched.timers).toBe(0)
  })

  test('a slow message is waited for, and two are never sent at the same time', async () => {
    const watched = watch({ holds: true })
    watched.notifier.add(problem('A'))
    await watched.until(0)
    watched.notifier.add(problem('B'))
    await watched.until(90)
    expect(watched.messages).toHaveLength(1)
    watched.release()
    await watched.until(90)
    expect(watched.messages.map(({ at }) => at)).toEqual([0, 90_000])
    const end = watched.notifier.flush()
    watched.release()
    await end
  })
})

test('a problem that is added during flush is sent as well', async () => {
  const watched = watch({ holds: true })
  watched.notifier.add(problem('A'))
  const end = watched.notifier.flush()
  await settle()
  watched.notifier.add(problem('B'))
  expect(watched.messages).toHaveLength(1)
  watched.release()
  await settle()
  watched.release()
  await end
  expect(watched.messages.map(({ problems }) => problems)).toEqual(['A×1', 'B×1'])
  expect(watched.timers).toBe(0)
})

describe('a message that could not be delivered', () => {
  test('is reported to the caller, kept, and sent with the next', async () => {
    const watched = watch({ fails: (message) => message === 1 })
    watched.notifier.add(problem('A', 2, 'medium', 'T1'))
    await watched.until(0)
    expect(watched.failures).toEqual([new Error('message 1')])
    watched.notifier.add(problem('A', 3, 'medium', 'T2'))
    watched.notifier.add(problem('B'))
    await watched.until(30)
    expect(watched.messages[1]).toEqual({ at: 30_000, problems: 'A×5 B×1' })
  })

  test('is retried without new problems, less and less often', async () => {
    const watched = watch({ fails: () => true })
    watched.notifier.add(problem('A'))
    await watched.until(3000)
    const times = watched.messages.map(({ at }) => at / 1000)
    expect(times).toEqual([0, 30, 90, 210, 450, 930, 1410, 1890, 2370, 2850])
    expect(new Set(watched.messages.map(({ problems }) => problems))).toEqual(new Set(['A×1']))
  })

  test('is an error of flush', async () => {
    const watched = watch({ fails: () => true })
    watched.notifier.add(problem('A'))
    await expect(watched.notifier.flush()).rejects.toThrow('message 1')
  })
})

test('every hit is sent exactly once, whatever fails', async () => {
  const steps = fc.array(fc.record({ id: fc.constantFrom('A', 'B', 'C'), wait: fc.nat(40) }), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(steps, fc.infiniteStream(fc.boolean()), async (adding, succeeds) => {
      const failed = new Set<number>()
      let isEnd = false
      const fails = (message: number) => {
        if (isEnd || succeeds.next().value) return false
        failed.add(message)
        return true
      }
      const watched = watch({ fails })
      let seconds = 0
      for (const { id, wait } of adding) {
        watched.notifier.add(problem(id))
        seconds += wait
        await watched.until(seconds)
      }
      isEnd = true
      await watched.notifier.flush()
      const delivered = watched.messages.filter((_, index) => !failed.has(index + 1)).map(({ problems }) => problems)
      const hits = delivered.join(' ').match(/(?<=×)\d+/g) ?? []
      expect(hits.reduce((sum, count) => sum + Number(count), 0)).toBe(adding.length)
    }),
    { numRuns: 30 },
  )
})

test('a problem is pending until it is delivered', async () => {
  const watched = watch({ holds: true })
  const pending = () => watched.notifier.pending().map(({ id, hits }) => `${id}×${hits}`)
  watched.notifier.add(problem('A'))
  await watched.until(0)
  watched.notifier.add(problem('A'))
  watched.notifier.add(problem('B'))
  expect(pending()).toEqual(['A×2', 'B×1'])
  watched.release()
  await settle()
  expect(pending()).toEqual(['A×1', 'B×1'])
  const failing = watch({ fails: () => true })
  failing.notifier.add(problem('C'))
  await failing.until(0)
  expect(failing.notifier.pending().map(({ id }) => id)).toEqual(['C'])
})
