import {
  copyFileSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
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
import { logLines, sourceOf, startRun, testRules, writeLog } from '../../../test/follow/follow-run.js'

useFixture()

describe('between two runs', () => {
  it('a renamed file is found by its inode, and read to its end first', async () => {
    append(logLines('idle', 'begin'))
    await runOnce()
    append(logLines('disk full'))
    renameSync(log, folder.at('app.log-20260301'))
    append(logLines('finish'))
    const run = await runOnce()
    expect(entries(run.found)).toEqual(['3:disk full', '2:begin 1:finish'])
    expect(run.warnings).toEqual([])
  })

  it('a renamed file is read further while no file has the old name', async () => {
    append(logLines('begin'))
    await runOnce()
    append(logLines('disk full'))
    renameSync(log, folder.at('app.log.1'))
    const gone = await runOnce()
    expect([entries(gone.found), gone.problems]).toEqual([['2:disk full'], []])
    append(logLines('finish'))
    expect(entries((await runOnce()).found)).toEqual(['1:begin 1:finish'])
  })

  it('a file that was empty in the last run is not missed', async () => {
    append(logLines('begin'))
    await runOnce()
    renameSync(log, folder.at('app.log.1'))
    append('')
    await runOnce()
    append(logLines('disk full'), folder.at('app.log.1'))
    append(logLines('disk full'))
    renameSync(folder.at('app.log.1'), folder.at('app.log.2'))
    renameSync(log, folder.at('app.log.1'))
    append(logLines('finish'))
    const run = await runOnce()
    expect(entries(run.found)).toEqual(['2:disk full', '1:disk full', '1:begin 1:finish'])
    expect(run.warnings).toEqual([])
  })

  it('a compressed file is found by its content', async () => {
    append(logLines('idle', 'begin'))
    await runOnce()
    append(logLines('disk full'))
    writeFileSync(folder.at('app.log.1.gz'), gzipSync(readFileSync(log)))
    unlinkSync(log)
    append(logLines('finish'))
    const run = await runOnce()
    expect(entries(run.found)).toEqual(['3:disk full', '2:begin 1:finish'])
    expect(run.warnings).toEqual([])
  })

  it('a copy is found by its content', async () => {
    append(logLines('idle', 'begin'))
    await runOnce()
    append(logLines('disk full'))
    copyFileSync(log, folder.at('app.log.1'))
    truncateSync(log)
    append(logLines('finish'))
    const run = await runOnce()
    expect(entries(run.found)).toEqual(['3:disk full', '2:begin 1:finish'])
    expect(run.warnings).toEqual([])
  })

  it('a deleted file causes one warning with the number of bytes that were read', async () => {
    append(logLines('idle', 'begin'))
    await runOnce()
    const size = readFileSync(log).length
    append(logLines('finish'), folder.at('another'))
    renameSync(folder.at('another'), log)
    const run = await runOnce()
    expect(entries(run.found)).toEqual(['2:begin 1:finish'])
    expect(run.warnings).toHaveLength(1)
    expect(run.warnings[0]).toContain(`the data after its first ${size} bytes was not read`)
    expect((await runOnce()).warnings).toEqual([])
  })

  it('a folder of rotated files is not read again', async () => {
    const all = [log, folder.at('app.log.1'), folder.at('app.log.2'), folder.at('app.log.3.gz')]
    append(logLines('disk full old'), all[1])
    append(logLines('disk full'))
    expect((await runOnce({}, all.slice(0, 2))).found).toHaveLength(2)
    renameSync(all[1]!, all[2]!)
    renameSync(log, all[1]!)
    append(logLines('disk full new'))
    expect(entries((await runOnce({}, all.slice(0, 3))).found)).toEqual(['1:disk full new'])
    writeFileSync(all[3]!, gzipSync(readFileSync(all[2]!)))
    renameSync(all[1]!, all[2]!)
    renameSync(log, all[1]!)
    append(logLines('disk full newest'))
    expect(entries((await runOnce({}, all)).found)).toEqual(['1:disk full newest'])
    expect((await runOnce({}, all)).found).toEqual([])
  })

  it.each([
    ['relative', (path: string) => relative(process.cwd(), path)],
    ['through a symbolic link', (path: string) => join(folder.at('linked'), basename(path))],
  ])('a rotated file is not read again when paths are %s', async (_, toPath) => {
    symlinkSync(dirname(log), folder.at('linked'))
    const archive = folder.at('app.log.1.gz')
    append(logLines('disk full'))
    await runOnce({}, [log].map(toPath))
    append(logLines('disk full again'))
    writeFileSync(archive, gzipSync(readFileSync(log)))
    utimesSync(archive, 0, 0)
    unlinkSync(log)
    append(logLines('disk full at last'))
    const run = await runOnce({}, [log, archive].map(toPath))
    expect([entries(run.found), run.warnings]).toEqual([['2:disk full again', '1:disk full at last'], []])
  })

  it('other rules start with an empty state, at the saved position', async () => {
    append(logLines('disk full', 'begin', 'half a line').slice(0, -5))
    await runOnce()
    append('line\n')
    append(logLines('finish', 'disk full'))
    const other = await testRules(`rules:
  - cre: {id: T-OTHER}
    rule: {set: {event: {source: x}, match: [{regex: 'disk|half a'}]}}
`)
    const run = await runOnce({ rules: other })
    expect(entries(run.found)).toEqual(['3:half a line', '5:disk full'])
    expect(run.warnings).toHaveLength(1)
    expect(run.warnings[0]).toMatch(/^the rules have changed/)
    expect((await runOnce({ rules: other })).warnings).toEqual([])
  })

  it('another source type starts its rules with an empty state, at the saved position', async () => {
    append(logLines('disk full'))
    await runOnce()
    append(logLines('disk full'))
    const sources = [{ ...sourceOf(log), type: 'x' }]
    const run = await startRun(rules, sources, { statePath, once: true })
    await run.done
    expect(entries(run.found)).toEqual(['2:disk full'])
    expect(run.warnings).toEqual([`${log}: the type is x now, not *: its rules start again`])
  })

  it('a source may be renamed', async () => {
    append(logLines('begin'))
    await runOnce()
    append(logLines('finish'))
    const run = await startRun(rules, [{ ...sourceOf(log), name: 'renamed' }], { statePath, once: true })
    await run.done
    expect(entries(run.found)).toEqual(['1:begin 2:finish'])
  })

  it('entries that waited in a window are matched when the window is removed', async () => {
    const windowed = [{ ...sourceOf(log), window: 3_600_000_000_000n }]
    writeLog(log, logLines('disk full', 'idle'))
    const before = await startRun(rules, windowed, { statePath, once: true })
    await before.done
    expect(before.found).toEqual([])
    append(logLines('disk full'))
    expect(entries((await runOnce()).found)).toEqual(['1:disk full', '3:disk full'])
  })

  it('another timestamp format applies from the saved position, and the rules keep their state', async () => {
    const wide = await testRules(`rules:
  - cre: {id: T-PAIR}
    rule: {sequence: {event: {source: x}, window: 8760h, order: [begin, finish]}}
`)
    append(logLines('begin'))
    await runOnce({ rules: wide })
    append('at 1780000000 finish\n')
    const timestamp = { regex: '^at (\\d+)', format: 'epochseconds' }
    const sources = [{ ...sourceOf(log), files: [{ path: log, size: undefined, timestamp }] }]
    const run = await startRun(wide, sources, { statePath, once: true })
    await run.done
    expect(entries(run.found)).toEqual(['1:begin 2:at 1780000000 finish'])
  })
})
