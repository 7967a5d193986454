import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { append, entries, folder, log, rules, useFixture } from '../../test/follow/fixture.js'
import { logLines, sourceOf, startRun, writeLog } from '../../test/follow/follow-run.js'
import type { FollowOptions } from './follow-options.js'

useFixture()

describe('a followed file', () => {
  it('is read from the start, then as it grows, and its last line is matched after a second without new lines', async () => {
    append(logLines('disk full', 'idle'))
    const run = await startRun(rules, [sourceOf(log)])
    await run.step(1000)
    expect(run.found).toEqual(['T-FULL 1:disk full'])
    append(logLines('disk full again'))
    await run.step()
    expect(run.found).toHaveLength(1)
    await run.step(1000)
    expect(run.found).toEqual(['T-FULL 1:disk full', 'T-FULL 3:disk full again'])
    const outcome = await run.stop()
    expect(outcome).toMatchObject({ isInterrupted: true, lines: 3, bytes: readFileSync(log).length })
    expect([run.problems, run.warnings]).toEqual([[], []])
  })

  it('joins a line that was written in two pieces', async () => {
    const line = logLines('disk full')
    append(line.slice(0, 30))
    const run = await startRun(rules, [sourceOf(log)])
    await run.step(2000)
    append(line.slice(30))
    await run.step(1250)
    expect(run.found).toEqual(['T-FULL 1:disk full'])
    await run.stop()
  })

  it('joins the lines of an entry that are written one by one', async () => {
    append(logLines('crash'))
    const run = await startRun(rules, [sourceOf(log)])
    append('  at disk full\n')
    await run.step()
    append('  at end\n')
    await run.step(1500)
    expect(run.found).toEqual(['T-FULL 1:crash\n  at disk full\n  at end'])
    await run.stop()
  })

  it('reports pending detections when the run is stopped', async () => {
    append(logLines('open', 'close', 'disk full'))
    const run = await startRun(rules, [sourceOf(log)])
    expect(run.found).toEqual([])
    await run.stop()
    expect(entries(run.found)).toEqual(['3:disk full', '1:open 2:close'])
  })

  it('is waited for while it does not exist, with one warning', async () => {
    const run = await startRun(rules, [sourceOf(log)])
    await run.step(1000)
    expect(run.warnings).toEqual([`${log}: does not exist yet: waiting for it`])
    append(logLines('disk full'))
    await run.step(1250)
    expect(entries(run.found)).toEqual(['1:disk full'])
    expect(run.warnings).toHaveLength(1)
    await run.stop()
  })

  it('may be replaced by a folder for a while', async () => {
    append(logLines('begin'))
    const run = await startRun(rules, [sourceOf(log)])
    renameSync(log, folder.at('app.log.1'))
    mkdirSync(log)
    await run.step(1000)
    expect(run.problems).toEqual([`${log}: is a folder now: waiting for a file`])
    rmSync(log, { recursive: true })
    append(logLines('finish'))
    await run.step(2000)
    expect(entries(run.found)).toEqual(['1:begin 1:finish'])
    await run.stop()
  })
})

describe('data that cannot be followed', () => {
  it('is read to its end if it is compressed, and the run ends if nothing else is followed', async () => {
    writeLog(log, gzipSync(logLines('disk full', 'open', 'close')), 'w')
    const run = await startRun(rules, [sourceOf(log)])
    // Its writer may not have finished.
    await run.step(1000)
    expect(run.found).toEqual([])
    await run.step(1000)
    expect(await run.done).toMatchObject({ isInterrupted: false })
    expect(entries(run.found)).toEqual(['1:disk full', '2:open 3:close'])
  })

  it('is read to its end if it is UTF-16, with a warning', async () => {
    writeLog(log, Buffer.from(`\ufeff${logLines('disk full')}`, 'utf16le'), 'w')
    const run = await startRun(rules, [sourceOf(log)])
    await run.done
    expect(entries(run.found)).toEqual(['1:disk full'])
    expect(run.warnings).toEqual([`${log}: utf-16le text is read once, and not followed`])
  })

  it('is reported once if it is corrupt', async () => {
    writeLog(log, gzipSync(logLines('disk full', ...Array(1000).fill('idle'))).subarray(0, 2000), 'w', 0)
    append(logLines('idle'), folder.at('stays.log'))
    const run = await startRun(rules, [sourceOf(log, folder.at('stays.log'))])
    await run.step(3000)
    expect(run.problems).toHaveLength(1)
    expect(run.problems[0]).toContain(`${log}: `)
    await run.stop()
  })

  it('is read again when a text file replaces it', async () => {
    writeLog(log, gzipSync(logLines('begin', ...Array(50).fill('disk full'))), 'w', 0)
    append(logLines('idle'), folder.at('stays.log'))
    const run = await startRun(rules, [sourceOf(log, folder.at('stays.log'))])
    expect(run.found).toHaveLength(50)
    writeLog(log, logLines('disk full'), 'w')
    await run.step(1500)
    expect(entries(run.found.slice(50))).toEqual(['1:disk full'])
    await run.stop()
  })

  it('is refused with a command that converts it', async () => {
    writeLog(log, Buffer.from('PK\x03\x04 and more'), 'w')
    const run = await startRun(rules, [sourceOf(log)])
    await run.step(1000)
    expect(run.problems).toEqual([`${log}: a zip archive: try unzip -p ${log} | omen`])
    await run.stop()
  })
})

describe('a file whose status cannot be read', () => {
  it('is reported once, and read when that is possible again', async () => {
    append(logLines('begin'))
    const run = await startRun(rules, [sourceOf(log)])
    renameSync(log, folder.at('aside'))
    symlinkSync(log, log)
    append(logLines('disk full'), folder.at('aside'))
    await run.step(2000)
    expect(run.problems).toEqual([`${log}: too many symbolic links`])
    unlinkSync(log)
    renameSync(folder.at('aside'), log)
    append(logLines('finish'))
    await run.step(2000)
    expect(entries(run.found)).toEqual(['2:disk full', '1:begin 3:finish'])
    await run.stop()
  })
})

describe('a detection', () => {
  it('has the year in which its line was read, however long a log is followed', async () => {
    const times: string[] = []
    const found: FollowOptions['found'] = (_, detections) => {
      for (const { hits } of detections) times.push(new Date(Number(hits[0]!.timestamp / 1_000_000n)).toISOString())
    }
    const line = (day: string) => `${day} 12:00:00 host app[7]: disk full\n`
    append(line('Mar  1'))
    const run = await startRun(rules, [sourceOf(log)], { found })
    await run.step(1000)
    run.clock.advance(60 * 24 * 3_600_000)
    append(line('Apr 30'))
    await run.step(1500)
    expect(times).toEqual(['2026-03-01T12:00:00.000Z', '2026-04-30T12:00:00.000Z'])
    await run.stop()
  })

  it('ends the run if its handler fails', async () => {
    append(logLines('disk full'))
    const found = async () => {
      throw new Error('handler failed')
    }
    const run = await startRun(rules, [sourceOf(log)], { found, statePath: folder.at('state.json') })
    await Promise.all([expect(run.done).rejects.toThrow('handler failed'), run.step(1000)])
    expect(existsSync(folder.at('state.json'))).toBe(false)
  })
})
