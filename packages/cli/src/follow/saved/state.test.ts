import { existsSync, statSync, utimesSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Detection } from '@omen/engine'
import { describe, expect, it } from 'vitest'
import { brief, logLines, rehearse, sourceOf, writeLog } from '../../../test/follow/rehearsal.js'
import {
  appendLongAgo as append,
  entries,
  folder,
  log,
  rules,
  runOnce,
  statePath,
  useScene,
} from '../../../test/follow/scene.js'
import { systemClock } from '../follow-options.js'
import { followSources } from '../follow-sources.js'
import { openStateFile } from './state-file.js'

useScene()

describe('with a state, a run', () => {
  it('reads on where the last one stopped, and tells nothing twice', async () => {
    append(logLines('disk full', 'begin'))
    expect(entries((await runOnce()).found)).toEqual(['1:disk full'])
    expect((await runOnce()).found).toEqual([])
    append(logLines('idle', 'finish'))
    const last = await runOnce()
    expect(entries(last.found)).toEqual(['2:begin 4:finish'])
    expect([last.problems, last.warnings]).toEqual([[], []])
    expect(await last.done).toMatchObject({ lines: 2, isInterrupted: false })
  })

  it('joins what was cut in the middle of a line', async () => {
    const line = logLines('disk full')
    append(line.slice(0, 28))
    await runOnce()
    append(line.slice(28))
    expect(entries((await runOnce()).found)).toEqual(['1:disk full'])
  })

  it('leaves an entry open that may go on, and matches it when it does not', async () => {
    writeLog(log, logLines('crash'))
    expect((await runOnce()).found).toEqual([])
    writeLog(log, '  disk full\n')
    expect((await runOnce()).found).toEqual([])
    utimesSync(log, 0, 0)
    expect(entries((await runOnce()).found)).toEqual(['1:crash\n  disk full'])
  })

  it('keeps what waits for a later line instead of deciding it', async () => {
    append(logLines('open', 'close'))
    expect((await runOnce()).found).toEqual([])
    append(logLines('calm'))
    await runOnce()
    append(logLines(...Array.from({ length: 40 }, () => 'idle')))
    expect((await runOnce()).found).toEqual([])
  })

  it('says that a file is missing', async () => {
    expect((await runOnce()).problems).toEqual([`${log}: no such file`])
  })

  it('reads a compressed file once', async () => {
    writeLog(log, gzipSync(logLines('disk full', 'open', 'close')))
    expect((await runOnce()).found).toEqual([])
    utimesSync(log, 0, 0)
    expect(entries((await runOnce()).found)).toEqual(['1:disk full', '2:open 3:close'])
    expect((await runOnce()).found).toEqual([])
  })

  it('goes on in a compressed file in which the last one was stopped', async () => {
    const texts = Array.from({ length: 80_000 }, (_, i) => (i % 40_000 === 0 ? 'disk full' : 'nothing of interest'))
    writeLog(log, gzipSync(logLines(...texts), { level: 1 }), 'w', 0)
    const stop = new AbortController()
    const found: string[] = []
    const options = {
      sources: [sourceOf(log)],
      rules,
      detector: {},
      found: (_: unknown, detections: readonly Detection[]) => {
        found.push(...detections.map(brief))
        stop.abort()
      },
      onProblem: (message: string) => found.push(message),
      onWarning: (message: string) => found.push(message),
      once: true,
      clock: systemClock,
    }
    let state = openStateFile(statePath)
    await followSources({ ...options, state, signal: stop.signal })
    state.close()
    expect(entries(found)).toEqual(['1:disk full'])
    state = openStateFile(statePath)
    await followSources({ ...options, state, signal: new AbortController().signal })
    state.close()
    expect(entries(found)).toEqual(['1:disk full', '40001:disk full'])
  })

  it('can follow, too, and saves at most once a second', async () => {
    append(logLines('disk full'))
    const run = await rehearse(rules, [sourceOf(log)], { statePath })
    expect(existsSync(statePath)).toBe(false)
    await run.step(1250)
    const saved = statSync(statePath).ino
    append(logLines('idle'))
    await run.step(500)
    expect(statSync(statePath).ino).toBe(saved)
    await run.step(500)
    expect(statSync(statePath).ino).not.toBe(saved)
    append(logLines('open', 'close', 'disk full'))
    await run.step()
    await run.stop()
    expect(entries(run.found)).toEqual(['1:disk full'])
    expect(entries((await runOnce()).found)).toEqual(['5:disk full'])
  })

  it('keeps what the caller has still to deliver', async () => {
    append(logLines('idle'))
    await runOnce({ outbox: () => [{ to: 'somebody' }] })
    const state = openStateFile(statePath)
    expect(state.saved?.outbox).toEqual([{ to: 'somebody' }])
    await state.writeOutbox([])
    state.close()
    append(logLines('disk full'))
    expect((await runOnce()).found).toEqual(['T-FULL 2:disk full'])
  })

  it('keeps that also for a caller that has nothing to say about it', async () => {
    append(logLines('idle'))
    await runOnce({ outbox: () => ['undelivered'] })
    append(logLines('idle'))
    await runOnce()
    const state = openStateFile(statePath)
    expect(state.saved?.outbox).toEqual(['undelivered'])
    state.close()
  })

  it('remembers a file that was not asked for in between', async () => {
    append(logLines('disk full'))
    append(logLines('idle'), folder.at('other.log'))
    await runOnce()
    await runOnce({}, [folder.at('other.log')])
    expect((await runOnce()).found).toEqual([])
  })
})
