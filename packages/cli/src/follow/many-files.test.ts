import {
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  truncateSync,
  unlinkSync,
} from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { append, entries, folder, log, rules, useFixture } from '../../test/follow/fixture.js'
import { logLines, sourceOf, startRun, writeLog } from '../../test/follow/follow-run.js'

useFixture()

describe('several files of a source', () => {
  it('have separate states', async () => {
    append(logLines('begin'), folder.at('a.log'))
    append(logLines('finish'), folder.at('b.log'))
    const run = await startRun(rules, [sourceOf(folder.at('a.log'), folder.at('b.log'))])
    await run.step(1250)
    expect(run.found).toEqual([])
    await run.stop()
  })

  it('are read once if a rotation renames each to the name of the next', async () => {
    const [older, oldest] = [folder.at('app.log.1'), folder.at('app.log.2')]
    append(logLines('disk full 2'), oldest)
    append(logLines('disk full 1'), older)
    append(logLines('disk full 0'))
    const run = await startRun(rules, [sourceOf(log, older, oldest)])
    await run.step(1250)
    const before = [...run.found].sort()
    expect(before).toHaveLength(3)
    unlinkSync(oldest)
    renameSync(older, oldest)
    renameSync(log, older)
    append(logLines('disk full new'))
    await run.step(3000)
    expect(entries(run.found.slice(3))).toEqual(['1:disk full new'])
    append(logLines('disk full late'), older)
    await run.step(1500)
    expect(entries(run.found.slice(4))).toEqual(['2:disk full late'])
    await run.stop()
  })

  it('are read once if each is a separate source, as on the command line', async () => {
    append(logLines('disk full'))
    let sources = [sourceOf(log)]
    const run = await startRun(rules, sources, { expand: () => sources })
    await run.step(1250)
    renameSync(log, folder.at('app.log.1'))
    append(logLines('idle'))
    sources = [sourceOf(log), sourceOf(folder.at('app.log.1'))]
    await run.step(5000)
    expect(run.found).toHaveLength(1)
    await run.stop()
  })

  it('are read once if a rotation copies or compresses one of them', async () => {
    const [copy, packed] = [folder.at('app.log.1'), folder.at('app.log.2.gz')]
    append(logLines('idle', 'disk full'))
    const run = await startRun(rules, [sourceOf(log, copy, packed)])
    await run.step(1250)
    copyFileSync(log, copy)
    truncateSync(log)
    await run.step(5000)
    writeLog(packed, gzipSync(readFileSync(copy)), 'w')
    unlinkSync(copy)
    await run.step(5000)
    expect(entries(run.found)).toEqual(['2:disk full'])
    await run.stop()
  })

  it('are read once if a rotation copies one to the name of another', async () => {
    const first = folder.at('app.log.1')
    append(logLines('disk full'), first)
    append(logLines('disk full again'))
    const run = await startRun(rules, [sourceOf(first), sourceOf(log)])
    await run.step(2000)
    copyFileSync(log, first)
    truncateSync(log)
    await run.step(2000)
    append(logLines('disk full at last'))
    await run.step(2000)
    expect(entries(run.found)).toEqual(['1:disk full', '1:disk full again', '1:disk full at last'])
    await run.stop()
  })

  it('are read once if one is rotated after its first line, and then compressed', async () => {
    append(logLines('disk full'))
    const [first, packed] = [folder.at('app.log.1'), folder.at('app.log.2.gz')]
    const sources = [log, first, packed].map((path) => sourceOf(path))
    const run = await startRun(rules, sources)
    renameSync(log, first)
    append(logLines('disk full again'))
    await run.step(3000)
    writeLog(packed, gzipSync(readFileSync(first)), 'w', 0)
    renameSync(log, first)
    await run.step(3000)
    expect(entries(run.found)).toEqual(['1:disk full', '1:disk full again'])
    await run.stop()
  })

  it('are read once if one is copied and truncated after its first line', async () => {
    append(logLines('disk full'))
    const first = folder.at('app.log.1')
    const run = await startRun(rules, [sourceOf(log), sourceOf(first)])
    copyFileSync(log, first)
    truncateSync(log)
    await run.step(3000)
    expect(entries(run.found)).toEqual(['1:disk full'])
    await run.stop()
  })

  it('that are hard links to one file are read once', async () => {
    append(logLines('disk full'))
    linkSync(log, folder.at('other.log'))
    const run = await startRun(rules, [sourceOf(log, folder.at('other.log'))])
    await run.step(1250)
    expect(run.found).toHaveLength(1)
    await run.stop()
  })

  it('are found if they are created later', async () => {
    append(logLines('idle'))
    let sources = [sourceOf(log)]
    const run = await startRun(rules, sources, { expand: () => sources })
    append(logLines('disk full'), folder.at('new.log'))
    sources = [{ ...sources[0], files: sourceOf(log, folder.at('new.log')).files }]
    await run.step(4000)
    expect(entries(run.found)).toEqual(['1:disk full'])
    await run.stop()
  })

  it('are not read again if they disappear and return', async () => {
    append(logLines('disk full'))
    append(logLines('idle'), folder.at('stays.log'))
    let sources = [sourceOf(log), sourceOf(folder.at('stays.log'))]
    const run = await startRun(rules, sources, { expand: () => sources })
    renameSync(log, folder.at('hidden'))
    sources = sources.slice(1)
    await run.step(20_000)
    renameSync(folder.at('hidden'), log)
    sources = [sourceOf(log), ...sources]
    await run.step(5000)
    expect(run.found).toHaveLength(1)
    await run.stop()
  })

  it('are closed after they are deleted, and pending detections are reported', async () => {
    append(logLines('open', 'close'))
    append(logLines('idle'), folder.at('stays.log'))
    let sources = [sourceOf(folder.at('stays.log'), log)]
    const run = await startRun(rules, sources, { expand: () => sources })
    unlinkSync(log)
    sources = [sourceOf(folder.at('stays.log'))]
    await run.step(20_000)
    expect(entries(run.found)).toEqual(['1:open 2:close'])
    await run.stop()
  })

  it.each([
    ['is no longer followed', 1],
    ['is still followed', 0],
  ])('are read if the file before them was renamed, and its name %s', async (_, dropped) => {
    const first = folder.at('app.log.1')
    append(logLines('disk full'))
    let sources = [sourceOf(log), sourceOf(first)]
    const run = await startRun(rules, sources, { expand: () => sources })
    renameSync(log, first)
    sources = sources.slice(dropped)
    await run.step(14_000)
    renameSync(first, folder.at('app.log.2'))
    append(logLines('disk full again'), first)
    await run.step(5000)
    expect(entries(run.found)).toEqual(['1:disk full', '1:disk full again'])
    await run.stop()
  })

  it('are waited for if all are deleted, and counted together with the deleted ones', async () => {
    append(logLines('idle'))
    let sources = [sourceOf(log)]
    const run = await startRun(rules, sources, { expand: () => sources })
    unlinkSync(log)
    sources = []
    await run.step(20_000)
    append(logLines('disk full'), folder.at('new.log'))
    sources = [sourceOf(folder.at('new.log'))]
    await run.step(4000)
    expect(entries(run.found)).toEqual(['1:disk full'])
    expect(await run.stop()).toMatchObject({ isInterrupted: true, lines: 2 })
  })
})

describe('hundreds of files', () => {
  it('are followed with a limited number of open files', async () => {
    const paths = Array.from({ length: 300 }, (_, i) => folder.at(`many-${i}.log`))
    for (const path of paths) writeLog(path, logLines('idle'), 'w', 0)
    const run = await startRun(rules, [sourceOf(...paths)])
    const open = readdirSync('/proc/self/fd').filter((file) => isIn(folder.at(''), `/proc/self/fd/${file}`))
    expect(open.length).toBeLessThanOrEqual(256)
    await run.step(1250)
    for (const path of paths.slice(0, 3)) {
      append(logLines('begin', 'disk full'), path)
      renameSync(path, `${path}.1`)
      append(logLines('finish'), path)
    }
    await run.step(3000)
    expect(entries(run.found).sort()).toEqual([...Array(3).fill('2:begin 1:finish'), ...Array(3).fill('3:disk full')])
    await run.stop()
  })

  const isIn = (folder: string, link: string) => existsSync(link) && readlinkSync(link).startsWith(folder)
})
