import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { CompiledRules } from '@omen/engine'
import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type FollowRun, freshFolder, sourceOf, startRun, testRules, writeLog } from '../../test/follow/follow-run.js'
import { oldestNameFirst } from '../sources/pieces.js'
import type { Source } from '../sources/source.js'

let rules: CompiledRules
let folder: ReturnType<typeof freshFolder>

beforeAll(async () => {
  rules = await testRules()
})
beforeEach(() => {
  folder = freshFolder()
})
afterEach(() => folder.remove())

type Event = 'line' | 'rename' | 'hurry' | 'copy' | 'compress' | 'poll' | 'wait' | 'restart' | 'cron'

const event = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Event>('line') },
  { weight: 3, arbitrary: fc.constantFrom<Event>('rename', 'hurry', 'copy', 'compress') },
  { weight: 4, arbitrary: fc.constantFrom<Event>('poll', 'wait', 'restart', 'cron') },
)

/** A log and its rotated files, all of which are followed: as separate sources, or as one source. */
function createScenario(name: string, isOneSource: boolean) {
  const log = folder.at(`${name}.log`)
  const statePath = folder.at(`${name}.json`)
  const reported: string[] = []
  let run: FollowRun | undefined
  let lines = 0

  const sources = (): readonly Source[] => {
    const names = readdirSync(dirname(log)).filter((file) => file.startsWith(basename(log)))
    const paths = names.sort(oldestNameFirst).map((file) => join(dirname(log), file))
    if (!isOneSource) return paths.map((path) => sourceOf(path))
    return [{ ...sourceOf(log), name: 'all', files: sourceOf(...paths).files }]
  }
  const stop = async () => {
    await run?.stop()
    reported.push(...(run?.found ?? []).map((text) => text.replace(/^\S+ \d+:/, '')))
    expect([...(run?.problems ?? []), ...(run?.warnings ?? [])]).toEqual([])
    run = undefined
  }
  const poll = async (milliseconds: number) => {
    // The tool does not start without a source.
    if (run === undefined && sources().length === 0) return
    run ??= await startRun(rules, sources(), { statePath, expand: sources })
    await run.step(milliseconds)
  }
  /** A run that ends too early cannot know that a deleted file was complete, and warns. */
  const waitForDeleted = () => poll(6000)
  /** Renames each file to the next number, or compresses it; the oldest is deleted. */
  const shift = async (compress: boolean) => {
    for (const index of [3, 2, 1]) {
      const old = `${log}.${index}`
      if (existsSync(`${old}.gz`)) renameSync(`${old}.gz`, `${log}.${index + 1}.gz`)
      if (!existsSync(old)) continue
      if (compress) writeLog(`${log}.${index + 1}.gz`, gzipSync(readFileSync(old)), 'w', 0)
      if (compress || index === 3) rmSync(old)
      else renameSync(old, `${log}.${index + 1}`)
      if (!compress && index === 3) await waitForDeleted()
    }
    if (!existsSync(`${log}.4.gz`)) return
    rmSync(`${log}.4.gz`)
    await waitForDeleted()
  }

  const actions: Record<Event, () => void | Promise<void>> = {
    line: () => writeLog(log, `${new Date(Date.UTC(2026, 2, 1) + 1000 * ++lines).toISOString()} disk full ${lines}\n`),
    async rename() {
      await poll(5000)
      await shift(false)
      if (existsSync(log)) renameSync(log, `${log}.1`)
    },
    /** Rotates without a round in between, unless that would delete a file that was never seen. */
    async hurry() {
      if (existsSync(`${log}.3`) || existsSync(`${log}.3.gz`)) await poll(5000)
      await shift(false)
      if (existsSync(log)) renameSync(log, `${log}.1`)
      await actions.line()
    },
    async copy() {
      await poll(5000)
      if (!existsSync(log)) return
      await shift(false)
      copyFileSync(log, `${log}.1`)
      truncateSync(log)
      await poll(250)
    },
    async compress() {
      await poll(5000)
      await shift(true)
      if (existsSync(log)) renameSync(log, `${log}.1`)
    },
    poll: () => poll(250),
    wait: () => poll(5000),
    restart: stop,
    async cron() {
      await stop()
      run = await startRun(rules, sources(), { statePath, once: true })
      await run.done
      await stop()
    },
  }

  return {
    async run(events: readonly Event[]): Promise<{ readonly reported: string[]; readonly lines: number }> {
      await actions.line()
      for (const one of events) await actions[one]()
      await poll(10_000)
      await stop()
      return { reported, lines }
    },
  }
}

it('each line is reported once, however the followed files are renamed, copied and compressed', async () => {
  let scenarios = 0
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 25 }), fc.boolean(), async (events, isOneSource) => {
      const { reported, lines } = await createScenario(`log${scenarios++}`, isOneSource).run(events)
      expect(reported.sort()).toEqual(Array.from({ length: lines }, (_, i) => `disk full ${i + 1}`).sort())
    }),
    { numRuns: 30 },
  )
})
