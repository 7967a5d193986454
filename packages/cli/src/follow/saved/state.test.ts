import { existsSync, readFileSync, renameSync, statSync, utimesSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Detection } from '@omen/engine'
import { describe, expect, it } from 'vitest'
import {
  appendLongAgo as append,
  entries,
  folder,
  log,
  rules,
  runOnce,
  statePath,
  useFixture,
} from '../../../test/follow/fixture.js'
import { brief, logLines, sourceOf, startRun, writeLog } from '../../../test/follow/follow-run.js'
import { systemClock } from '../follow-options.js'
import { followSources } from '../follow-sources.js'
import { openStateFile } from './state-file.js'

useFixture()

describe('a run with a state file', () => {
  it('continues where the last one stopped, and repeats no detection', async () => {
    append(logLines('disk full', 'begin'))
    expect(entries((await runOnce()).found)).toEqual(['1:disk full'])
    expect((await runOnce()).found).toEqual([])
    append(logLines('idle', 'finish'))
    const last = await runOnce()
    expect(entries(last.found)).toEqual(['2:begin 4:finish'])
    expect([last.problems, last.warnings]).toEqual([[], []])
    expect(await last.done).toMatchObject({ lines: 2, isInterrupted: false })
  })

  it('joins a line that was written in two pieces', async () => {
    const line = logLines('disk full')
    append(line.slice(0, 28))
    await runOnce()
    append(line.slice(28))
    expect(entries((await runOnce()).found)).toEqual(['1:disk full'])
  })

  it('matches the last entry only when it is complete', async () => {
    writeLog(log, logLines('crash'))
    expect((await runOnce()).found).toEqual([])
    writeLog(log, '  disk full\n')
    expect((await runOnce()).found).toEqual([])
    utimesSync(log, 0, 0)
    expect(entries((await runOnce()).found)).toEqual(['1:crash\n  disk full'])
  })

  it('keeps a sequence that waits for later lines', async () => {
    append(logLines('open', 'close'))
    expect((await runOnce()).found).toEqual([])
    append(logLines('calm'))
    await runOnce()
    append(logLines(...Array.from({ length: 40 }, () => 'idle')))
    expect((await runOnce()).found).toEqual([])
  })

  it('reports that a file is missing', async () => {
    expect((await runOnce()).problems).toEqual([`${log}: no such file`])
  })

  it('reads a compressed file once', async () => {
    writeLog(log, gzipSync(logLines('disk full', 'open', 'close')))
    expect((await runOnce()).found).toEqual([])
    utimesSync(log, 0, 0)
    expect(entries((await runOnce()).found)).toEqual(['1:disk full', '2:open 3:close'])
    expect((await runOnce()).found).toEqual([])
  })

  it('continues a compressed file in which the last one was stopped', async () => {
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

  it('can follow a file, and saves the state at most once a second', async () => {
    append(logLines('disk full'))
    const run = await startRun(rules, [sourceOf(log)], { statePath })
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

  it('stores undelivered messages of the caller', async () => {
    append(logLines('idle'))
    await runOnce({ outbox: () => [{ to: 'ops' }] })
    const state = openStateFile(statePath)
    expect(state.saved?.outbox).toEqual([{ to: 'ops' }])
    await state.writeOutbox([])
    state.close()
    append(logLines('disk full'))
    expect((await runOnce()).found).toEqual(['T-FULL 2:disk full'])
  })

  it('keeps undelivered messages if the caller passes none', async () => {
    append(logLines('idle'))
    await runOnce({ outbox: () => ['undelivered'] })
    append(logLines('idle'))
    await runOnce()
    const state = openStateFile(statePath)
    expect(state.saved?.outbox).toEqual(['undelivered'])
    state.close()
  })

  it('remembers a file that the previous run did not read', async () => {
    append(logLines('disk full'))
    append(logLines('idle'), folder.at('other.log'))
    await runOnce()
    await runOnce({}, [folder.at('other.log')])
    expect((await runOnce()).found).toEqual([])
  })

  it('saves under the keys that every version of omen reads', async () => {
    append(logLines('disk full', 'begin'))
    await runOnce()
    renameSync(log, `${log}.1`)
    append(logLines('finish'))
    await runOnce()
    const { omen, version, files, left } = JSON.parse(readFileSync(statePath, 'utf8'))
    expect([omen, version]).toEqual(['state', 1])
    const position = 'device inode target start offset lines lineStart lineEnd head tail hasTimes isPacked isComplete'
    expect(Object.keys(left[0].mark).sort()).toEqual(position.split(' ').sort())
    expect(Object.keys(files[0].mark).sort()).toEqual(position.split(' ').sort())
    const file = 'source type group path mark anew firstLines lines isPending isUntouched seen snapshot'
    expect(Object.keys(files[0]).sort()).toEqual(file.split(' ').sort())
  })
})
