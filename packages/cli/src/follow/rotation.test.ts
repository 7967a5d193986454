import { copyFileSync, readFileSync, renameSync, symlinkSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { append, entries, folder, log, rules, useFixture } from '../../test/follow/fixture.js'
import { logLines, sourceOf, startRun, writeLog } from '../../test/follow/follow-run.js'

useFixture()

describe('rotation by renaming', () => {
  it('reads the rest of the old file, then the new one from its start, as one log', async () => {
    append(logLines('idle', 'begin'))
    const run = await startRun(rules, [sourceOf(log)])
    append(logLines('disk full'))
    renameSync(log, folder.at('app.log.1'))
    append(logLines('finish'))
    await run.step(2000)
    expect(entries(run.found)).toEqual(['3:disk full', '2:begin 1:finish'])
    expect([run.problems, run.warnings]).toEqual([[], []])
    await run.stop()
  })

  it('reads the old file while the new one is empty, because its writer may still use it', async () => {
    append(logLines('idle'))
    const run = await startRun(rules, [sourceOf(log)])
    renameSync(log, folder.at('app.log.1'))
    writeLog(log, '', 'w')
    await run.step(1000)
    append(logLines('begin'), folder.at('app.log.1'))
    await run.step(1000)
    append(logLines('finish'))
    await run.step(2000)
    expect(entries(run.found)).toEqual(['2:begin 1:finish'])
    await run.stop()
  })

  it('misses no file that had the name, even if it was renamed at once', async () => {
    append(logLines('begin'))
    const run = await startRun(rules, [sourceOf(log)])
    renameSync(log, folder.at('app.log.2'))
    append('')
    await run.step()
    append(logLines('disk full'), folder.at('app.log.2'))
    append(logLines('disk full'))
    renameSync(log, folder.at('app.log.1'))
    append(logLines('finish'))
    await run.step(2000)
    expect(entries(run.found)).toEqual(['2:disk full', '1:disk full', '1:begin 1:finish'])
    await run.stop()
  })

  it.each([
    ['the log comes first', ['app.log', 'app.log.1', 'app.log.2']],
    ['the log comes last', ['app.log.2', 'app.log.1', 'app.log']],
  ])('reads a file once that is renamed to another followed name: %s', async (_, names) => {
    append('begin\n')
    const run = await startRun(
      rules,
      names.map((name) => sourceOf(folder.at(name))),
    )
    renameSync(log, folder.at('app.log.1'))
    append('')
    await run.step()
    append('disk full\n')
    renameSync(folder.at('app.log.1'), folder.at('app.log.2'))
    renameSync(log, folder.at('app.log.1'))
    append('disk full again\n')
    await run.step(3000)
    expect(entries(run.found)).toEqual(['1:disk full', '1:disk full again'])
    await run.stop()
  })

  it('reads the rest from the open file if the renamed one was compressed and deleted', async () => {
    append(logLines('idle'))
    const run = await startRun(rules, [sourceOf(log)])
    append(logLines('disk full'))
    renameSync(log, folder.at('app.log.1'))
    writeFileSync(folder.at('app.log.1.gz'), gzipSync(readFileSync(folder.at('app.log.1'))))
    unlinkSync(folder.at('app.log.1'))
    append(logLines('idle'))
    await run.step(1000)
    expect(entries(run.found)).toEqual(['2:disk full'])
    await run.stop()
  })

  it('reads the files of several rotations between two rounds', async () => {
    append(logLines('begin'))
    const run = await startRun(rules, [sourceOf(log)])
    renameSync(log, folder.at('app.log.2'))
    append(logLines('disk full'), folder.at('app.log.2'))
    append(logLines('finish'))
    await run.step(2000)
    expect(entries(run.found)).toEqual(['2:disk full', '1:begin 1:finish'])
    await run.stop()
  })

  it('follows a symbolic link to its new target', async () => {
    append(logLines('begin'), folder.at('one'))
    symlinkSync(folder.at('one'), log)
    const run = await startRun(rules, [sourceOf(log)])
    append(logLines('disk full'), folder.at('one'))
    append(logLines('finish'), folder.at('two'))
    unlinkSync(log)
    symlinkSync(folder.at('two'), log)
    await run.step(2000)
    expect(entries(run.found)).toEqual(['2:disk full', '1:begin 1:finish'])
    await run.stop()
  })

  it('continues when a deleted file is created again, and warns only if that takes long', async () => {
    append(logLines('begin'))
    const run = await startRun(rules, [sourceOf(log)])
    await run.step(1000)
    unlinkSync(log)
    await run.step(5000)
    expect(run.warnings).toEqual([])
    await run.step(10_000)
    expect(run.warnings).toEqual([`${log}: gone: waiting for it to come back`])
    append(logLines('finish'))
    await run.step(1250)
    expect(entries(run.found)).toEqual(['1:begin 1:finish'])
    await run.stop()
  })
})

describe('rotation by copying and truncating', () => {
  it('reads the file from its start if it is shorter than before', async () => {
    append(logLines('idle', 'begin'))
    const run = await startRun(rules, [sourceOf(log)])
    copyFileSync(log, folder.at('app.log.1'))
    truncateSync(log)
    await run.step()
    append(logLines('finish'))
    await run.step(1250)
    expect(entries(run.found)).toEqual(['2:begin 1:finish'])
    await run.stop()
  })

  it('is noticed even if the file is as long as before, or longer', async () => {
    append(logLines('begin'))
    const run = await startRun(rules, [sourceOf(log)])
    writeLog(log, logLines('disk full', 'finish', 'idle'), 'w')
    await run.step(1250)
    expect(entries(run.found)).toEqual(['1:disk full', '1:begin 2:finish'])
    writeLog(log, logLines('disk also full', 'disk full', 'idle').slice(0, readFileSync(log).length), 'w')
    await run.step(1250)
    expect(entries(run.found).slice(2)).toEqual(['2:disk full'])
    await run.stop()
  })

  it('reads from the copy the lines between the last round and the truncation', async () => {
    append(logLines('idle', 'begin'))
    const run = await startRun(rules, [sourceOf(log)])
    await run.step(1000)
    append(logLines('disk full'))
    copyFileSync(log, folder.at('app.log.1'))
    writeLog(log, logLines('finish'), 'w')
    await run.step(1250)
    expect(entries(run.found)).toEqual(['3:disk full', '2:begin 1:finish'])
    await run.stop()
  })

  it('skips the zeros that a writer leaves if it does not append', async () => {
    append(logLines('begin'))
    const run = await startRun(rules, [sourceOf(log)])
    writeLog(log, Buffer.concat([Buffer.alloc(5000), Buffer.from(logLines('finish'))]), 'w')
    await run.step(1250)
    expect(entries(run.found)).toEqual(['1:begin 1:finish'])
    await run.stop()
  })
})
