import { readFileSync, renameSync, unlinkSync, utimesSync } from 'node:fs'
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
import { logLines, sourceOf, startRun, writeLog } from '../../../test/follow/follow-run.js'

useFixture()

const rotated = (suffix: string) => folder.at(`app.log.${suffix}`)

/** Imitates a file system that reuses inode numbers: `from` is deleted, and the new file `to` gets its number. */
function recycle(from: string, to: string, content: Uint8Array): void {
  renameSync(from, to)
  writeLog(to, content, 'w', 0)
}

/** Compresses a file like `gzip`, to a file that gets the inode number of a deleted one. */
function compress(path: string, deleted: string, to: string): void {
  recycle(deleted, to, gzipSync(readFileSync(path)))
  unlinkSync(path)
}

const archive = (path: string, text: string) => writeLog(path, gzipSync(text), 'w', 0)

describe('an archive with the inode number of a deleted file', () => {
  it('is not read again if the deleted file was empty', async () => {
    const all = [log, rotated('1'), rotated('2.gz')]
    append(logLines('disk full'))
    append('', all[1])
    expect((await runOnce({}, all)).found).toHaveLength(1)
    compress(log, all[1]!, all[2]!)
    append(logLines('idle'))
    const run = await runOnce({}, all)
    expect([run.found, run.warnings]).toEqual([[], []])
  })

  it('is not read again if the deleted file was already missing in the last run', async () => {
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
  ])('is read from the saved position if an archive of %s was read before', async (_, names, deleted) => {
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

  it('is read if its lines are new', async () => {
    const all = [rotated('1.gz'), rotated('2.gz')]
    archive(all[0]!, logLines('disk full'))
    await runOnce({}, all)
    recycle(all[0]!, all[1]!, gzipSync(logLines('disk full again')))
    expect(entries((await runOnce({}, all)).found)).toEqual(['1:disk full again'])
    recycle(all[1]!, all[1]!, gzipSync(logLines('disk full once more')))
    expect(entries((await runOnce({}, all)).found)).toEqual(['1:disk full once more'])
  })
})

describe('a file name that is used again', () => {
  it('does not continue a file that was read further under another name', async () => {
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

  it('does not continue another file that had its inode number', async () => {
    const each = (...paths: string[]) =>
      startRun(
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

  it('misses no line after the file and its archive, which was read, are deleted', async () => {
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

  it('starts from the beginning if the file was deleted before it was closed', async () => {
    const expand = () => [sourceOf(folder.at('stays.log'))]
    append(logLines('idle'), folder.at('stays.log'))
    append(logLines('disk full'))
    const run = await startRun(rules, [sourceOf(log), ...expand()], { statePath, expand })
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

describe('the inode number of a file of which nothing was read', () => {
  it.each([
    ['app.json', []],
    ['app.log.old', ['1:disk full']],
    ['app-2026-03-01.log.gz', ['1:disk full']],
  ])('identifies it only under a name that rotation uses: %s', async (name, rotatedEntries) => {
    append('')
    await runOnce()
    recycle(log, folder.at(name), Buffer.from(logLines('disk full')))
    append(logLines('disk full again'))
    expect(entries((await runOnce()).found)).toEqual([...rotatedEntries, '1:disk full again'])
  })

  it('does not assign a new log to two names', async () => {
    const [first, old] = [rotated('1'), folder.at('old')]
    append(logLines('disk full'), first)
    const before = await startRun(rules, [sourceOf(first)], { statePath })
    renameSync(first, old)
    append('', first)
    await before.step()
    await before.stop()
    unlinkSync(old)
    renameSync(first, log)
    writeLog(log, logLines('disk full again'))
    const both = [log, first].map((path) => sourceOf(path))
    const run = await startRun(rules, both, { statePath })
    await run.step(8000)
    await run.stop()
    expect(entries(run.found)).toEqual(['1:disk full again'])
  })
})

describe('an archive that has been read', () => {
  it('is not read again if only its modification time has changed', async () => {
    const path = rotated('1.gz')
    archive(path, logLines('disk full'))
    await runOnce({}, [path])
    utimesSync(path, 1, 1)
    expect((await runOnce({}, [path])).found).toEqual([])
    renameSync(path, rotated('2.gz'))
    utimesSync(rotated('2.gz'), 2, 2)
    expect((await runOnce({}, [path, rotated('2.gz')])).found).toEqual([])
  })

  it('is read further if data was appended to it', async () => {
    const path = rotated('1.gz')
    const first = gzipSync(logLines('idle', 'disk full'))
    writeLog(path, first, 'w', 0)
    await runOnce({}, [path])
    writeLog(path, Buffer.concat([first, gzipSync(logLines('disk full again'))]), 'w', 0)
    expect(entries((await runOnce({}, [path])).found)).toEqual(['3:disk full again'])
    expect((await runOnce({}, [path])).found).toEqual([])
  })
})
