import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { CompiledRules } from '@omen/engine'
import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { freshFolder, type Rehearsal, rehearse, sourceOf, testRules, writeLog } from '../../test/follow/rehearsal.js'
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

type Event = 'line' | 'rename' | 'hurry' | 'copy' | 'compress' | 'look' | 'wait' | 'restart' | 'cron'

const event = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Event>('line') },
  { weight: 3, arbitrary: fc.constantFrom<Event>('rename', 'hurry', 'copy', 'compress') },
  { weight: 4, arbitrary: fc.constantFrom<Event>('look', 'wait', 'restart', 'cron') },
)

/** A log and its rotated files, all of which are followed: as sources of their own, or as one. */
function createScene(name: string, isOneSource: boolean) {
  const log = folder.at(`${name}.log`)
  const statePath = folder.at(`${name}.json`)
  const told: string[] = []
  let run: Rehearsal | undefined
  let lines = 0

  const sources = (): readonly Source[] => {
    const names = readdirSync(dirname(log)).filter((file) => file.startsWith(basename(log)))
    const paths = names.sort().map((file) => join(dirname(log), file))
    if (!isOneSource) return paths.map((path) => sourceOf(path))
    return [{ ...sourceOf(log), name: 'all', files: sourceOf(...paths).files }]
  }
  const stop = async () => {
    await run?.stop()
    told.push(...(run?.found ?? []).map((text) => text.replace(/^\S+ \d+:/, '')))
    expect([...(run?.problems ?? []), ...(run?.warnings ?? [])]).toEqual([])
    run = undefined
  }
  const look = async (milliseconds: number) => {
    // As the tool, which has nothing to do then.
    if (run === undefined && sources().length === 0) return
    run ??= await rehearse(rules, sources(), { statePath, expand: sources })
    await run.step(milliseconds)
  }
  /** Stopped before it is sure that nothing more comes in a file of which no copy is left, a run rightly warns. */
  const outliveDeleted = () => look(6000)
  /** Makes room: the oldest goes, and one that another took the place of is compressed. */
  const shift = async (compress: boolean) => {
    for (const index of [3, 2, 1]) {
      const old = `${log}.${index}`
      if (existsSync(`${old}.gz`)) renameSync(`${old}.gz`, `${log}.${index + 1}.gz`)
      if (!existsSync(old)) continue
      if (compress) writeLog(`${log}.${index + 1}.gz`, gzipSync(readFileSync(old)), 'w', 0)
      if (compress || index === 3) rmSync(old)
      else renameSync(old, `${log}.${index + 1}`)
      if (!compress && index === 3) await outliveDeleted()
    }
    if (!existsSync(`${log}.4.gz`)) return
    rmSync(`${log}.4.gz`)
    await outliveDeleted()
  }

  const play: Record<Event, () => void | Promise<void>> = {
    line: () => writeLog(log, `${new Date(Date.UTC(2026, 2, 1) + 1000 * ++lines).toISOString()} disk full ${lines}\n`),
    async rename() {
      await look(5000)
      await shift(false)
      if (existsSync(log)) renameSync(log, `${log}.1`)
    },
    /** Rotates without a look between, as long as no file is deleted that nobody has seen. */
    async hurry() {
      if (existsSync(`${log}.3`) || existsSync(`${log}.3.gz`)) await look(5000)
      await shift(false)
      if (existsSync(log)) renameSync(log, `${log}.1`)
      await play.line()
    },
    async copy() {
      await look(5000)
      if (!existsSync(log)) return
      await shift(false)
      copyFileSync(log, `${log}.1`)
      truncateSync(log)
      await look(250)
    },
    async compress() {
      await look(5000)
      await shift(true)
      if (existsSync(log)) renameSync(log, `${log}.1`)
    },
    look: () => look(250),
    wait: () => look(5000),
    restart: stop,
    async cron() {
      await stop()
      run = await rehearse(rules, sources(), { statePath, once: true })
      await run.done
      await stop()
    },
  }

  return {
    async run(events: readonly Event[]): Promise<{ readonly told: string[]; readonly lines: number }> {
      await play.line()
      for (const one of events) await play[one]()
      await look(10_000)
      await stop()
      return { told, lines }
    },
  }
}

it('tells each line once, however rotated files are renamed, copied and compressed among those that are followed', async () => {
  let scenes = 0
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 25 }), fc.boolean(), async (events, isOneSource) => {
      const { told, lines } = await createScene(`log${scenes++}`, isOneSource).run(events)
      expect(told.sort()).toEqual(Array.from({ length: lines }, (_, i) => `disk full ${i + 1}`).sort())
    }),
    { numRuns: 30 },
  )
})
