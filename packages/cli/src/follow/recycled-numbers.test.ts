import { readFileSync, renameSync, unlinkSync, utimesSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { logLines, rehearse, sourceOf, writeLog } from '../../test/follow/rehearsal.js'
import {
  appendLongAgo as append,
  entries,
  folder,
  log,
  rules,
  runOnce,
  statePath,
  useScene,
} from '../../test/follow/scene.js'

useScene()

const rotated = (suffix: string) => folder.at(`app.log.${suffix}`)

/** As a disk does that gives the inode of a deleted file to the next one: `from` is gone, and `to` has its number. */
function recycle(from: string, to: string, content: Uint8Array): void {
  renameSync(from, to)
  writeLog(to, content, 'w', 0)
}

/** As `gzip` does, into a file with the number of one that is deleted. */
function compress(path: string, deleted: string, to: string): void {
  recycle(deleted, to, gzipSync(readFileSync(path)))
  unlinkSync(path)
}

const archive = (path: string, text: string) => writeLog(path, gzipSync(text), 'w', 0)

describe('the number of a deleted file that is given to an archive', () => {
  it('does not make the archive news when nothing had been read of the file', async () => {
    const all = [log, rotated('1'), rotated('2.gz')]
    append(logLines('disk full'))
    append('', all[1])
    expect((await runOnce({}, all)).found).toHaveLength(1)
    compress(log, all[1]!, all[2]!)
    append(logLines('idle'))
    const run = await runOnce({}, all)
    expect([run.found, run.warnings]).toEqual([[], []])
  })

  it('does not make the archive news when the file has been gone for a run', async () => {
    const [packed, empty, hidden] = [rotated('2.gz'), rotated('1'), folder.at('hidden')]
    const all = [packed, log, empty]
    append(logLines('disk full'))
    append('', empty)
    await runOnce({}, all)
    renameSync(empty, hidden)
    await runOnce({}, all)
    compress(log, hidden, packed)
    append(logLines('idle'))
    const run = await runOnce({}, all)
    expect([run.found, run.warnings]).toEqual([[], []])
  })

  it.each([
    ['another name', ['app.log', 'app.log.1.gz', 'app.log.2.gz'], '2.gz'],
    ['the same name', ['app.log.1.gz', 'app.log'], '1.gz'],
  ])('does not hide what came since the last run, though an archive of %s had been read', async (_, names, deleted) => {
    const all = names.map((name) => folder.at(name))
    archive(rotated(deleted), logLines('disk full old'))
    append(logLines('disk full'))
    expect((await runOnce({}, all)).found).toHaveLength(2)
    append(logLines('disk full again'))
    compress(log, rotated(deleted), rotated('1.gz'))
    append(logLines('idle'))
    const run = await runOnce({}, all)
    expect([entries(run.found), run.warnings]).toEqual([['2:disk full again'], []])
    expect((await runOnce({}, all)).found).toEqual([])
  })

  it('does not hide an archive of lines that nobody has read', async () => {
    const all = [rotated('1.gz'), rotated('2.gz')]
    archive(all[0]!, logLines('disk full'))
    await runOnce({}, all)
    recycle(all[0]!, all[1]!, gzipSync(logLines('disk full again')))
    expect(entries((await runOnce({}, all)).found)).toEqual(['1:disk full again'])
    recycle(all[1]!, all[1]!, gzipSync(logLines('disk full once more')))
    expect(entries((await runOnce({}, all)).found)).toEqual(['1:disk full once more'])
  })
})

describe('a name that comes back', () => {
  it('does not go on in a file that another has read on', async () => {
    append(logLines('disk full'))
    await runOnce()
    renameSync(log, rotated('1'))
    await runOnce({}, [rotated('1')])
    unlinkSync(rotated('1'))
    await runOnce({}, [rotated('1')])
    append(logLines('disk full again'))
    const run = await runOnce()
    expect([entries(run.found), run.warnings]).toEqual([['1:disk full again'], []])
  })

  it('does not take the file of another whose number its own had', async () => {
    const each = (...paths: string[]) =>
      rehearse(
        rules,
        paths.map((path) => sourceOf(path)),
        { statePath, once: true },
      )
    append(logLines('disk full', 'disk full'))
    await runOnce()
    renameSync(log, rotated('1'))
    await runOnce({}, [rotated('1')])
    archive(rotated('2.gz'), readFileSync(rotated('1'), 'utf8'))
    recycle(rotated('1'), log, Buffer.from(logLines('disk full again')))
    const run = await each(log, rotated('2.gz'))
    await run.done
    expect([entries(run.found), run.warnings]).toEqual([['1:disk full again'], []])
    renameSync(log, rotated('1'))
    const last = await each(rotated('1'), rotated('2.gz'))
    await last.done
    expect([last.found, last.warnings]).toEqual([[], []])
  })

  it('misses nothing of a file whose copy another has read, though both are gone', async () => {
    const packed = rotated('1.gz')
    append(logLines('disk full'))
    await runOnce()
    archive(packed, readFileSync(log, 'utf8'))
    unlinkSync(log)
    expect((await runOnce({}, [packed])).found).toEqual([])
    unlinkSync(packed)
    append(logLines('disk full again'))
    const run = await runOnce()
    expect([entries(run.found), run.warnings]).toEqual([['1:disk full again'], []])
  })

  it('has nothing to go on with in a file that was deleted before it was let go', async () => {
    const expand = () => [sourceOf(folder.at('stays.log'))]
    append(logLines('idle'), folder.at('stays.log'))
    append(logLines('disk full'))
    const run = await rehearse(rules, [sourceOf(log), ...expand()], { statePath, expand })
    renameSync(log, rotated('1'))
    await run.step(9000)
    unlinkSync(rotated('1'))
    await run.step(8000)
    await run.stop()
    append(logLines('disk full again'))
    const next = await runOnce()
    expect([entries(next.found), next.warnings]).toEqual([['1:disk full again'], []])
  })
})

describe('the number of a file that was only seen to follow, or was empty', () => {
  it.each([
    ['app.json', []],
    ['app.log.old', ['1:disk full']],
    ['app-2026-03-01.log.gz', ['1:disk full']],
  ])('tells where it is when that is a name of a rotation: %s', async (name, told) => {
    append('')
    await runOnce()
    recycle(log, folder.at(name), Buffer.from(logLines('disk full')))
    append(logLines('disk full again'))
    expect(entries((await runOnce()).found)).toEqual([...told, '1:disk full again'])
  })

  it('does not give a new log to two names', async () => {
    const [first, old] = [rotated('1'), folder.at('old')]
    append(logLines('disk full'), first)
    const before = await rehearse(rules, [sourceOf(first)], { statePath })
    renameSync(first, old)
    append('', first)
    await before.step()
    await before.stop()
    unlinkSync(old)
    renameSync(first, log)
    writeLog(log, logLines('disk full again'))
    const both = [log, first].map((path) => sourceOf(path))
    const run = await rehearse(rules, both, { statePath })
    await run.step(8000)
    await run.stop()
    expect(entries(run.found)).toEqual(['1:disk full again'])
  })
})

describe('an archive that has been read', () => {
  it('is no news when only its time has changed', async () => {
    const path = rotated('1.gz')
    archive(path, logLines('disk full'))
    await runOnce({}, [path])
    utimesSync(path, 1, 1)
    expect((await runOnce({}, [path])).found).toEqual([])
    renameSync(path, rotated('2.gz'))
    utimesSync(rotated('2.gz'), 2, 2)
    expect((await runOnce({}, [path, rotated('2.gz')])).found).toEqual([])
  })

  it('is read on when something was appended to it', async () => {
    const path = rotated('1.gz')
    const first = gzipSync(logLines('idle', 'disk full'))
    writeLog(path, first, 'w', 0)
    await runOnce({}, [path])
    writeLog(path, Buffer.concat([first, gzipSync(logLines('disk full again'))]), 'w', 0)
    expect(entries((await runOnce({}, [path])).found)).toEqual(['3:disk full again'])
    expect((await runOnce({}, [path])).found).toEqual([])
  })
})
