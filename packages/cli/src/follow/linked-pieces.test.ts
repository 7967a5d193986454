import { renameSync } from 'node:fs'
import { basename } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Detection } from '@omen/engine'
import { describe, expect, it } from 'vitest'
import { folder, rules, statePath, useFixture } from '../../test/follow/fixture.js'
import { logLines, startRun, writeLog } from '../../test/follow/follow-run.js'
import { resolveSources } from '../sources/resolve-sources.js'

useFixture()

const SETTINGS = { window: undefined, dataSources: undefined, timestamps: [], skip: 50, timezone: undefined }

/** The sources of `app*` in the folder, as they are now. */
async function findPieces() {
  const request = { paths: [folder.at('app*')], dataSourceFiles: [], settings: SETTINGS, now: new Date(0) }
  return (await resolveSources(request)).sources
}

/** Appends lines that were written long ago, a second apart. */
const write = (name: string, ...texts: string[]) => writeLog(folder.at(name), logLines(...texts), 'a', 0)

/** The rule of a detection, and the file, line and entry of each hit. */
function shown({ cre, hits }: Detection, path: string): string {
  return [cre.id, ...hits.map(({ file = path, line, entry }) => `${basename(file)}:${line}:${entry}`)].join(' ')
}

async function follow(options: Parameters<typeof startRun>[2] = {}) {
  const found: string[] = []
  const run = await startRun(rules, await findPieces(), {
    ...options,
    expand: findPieces,
    found: async (_, detections, { path }) => void found.push(...detections.map((one) => shown(one, path))),
  })
  return { ...run, found }
}

describe('pieces of a log that are followed together', () => {
  it('are read oldest first, with one rule state', async () => {
    write('app.log.2', 'idle', 'begin')
    write('app.log.1', 'idle')
    write('app.log', 'idle', 'disk full', 'finish')
    const { found, stop } = await follow()
    await stop()
    expect(found).toEqual(['T-FULL app.log:2:disk full', 'T-PAIR app.log.2:2:begin app.log:3:finish'])
  })

  it('are put in the order of their times across the end of a piece', async () => {
    const [begin, finish] = [logLines('begin'), logLines('finish')]
    writeLog(folder.at('app.log.1'), finish, 'a', 0)
    writeLog(folder.at('app.log'), begin, 'a', 0)
    const sources = (await findPieces()).map((source) => ({ ...source, window: 1_000_000_000n }))
    const run = await startRun(rules, sources)
    await run.stop()
    expect(run.found).toEqual(['T-PAIR 1:begin 1:finish'])
    expect(run.warnings).toEqual([])
  })

  it('raise no false alarm at the end of a compressed piece', async () => {
    writeLog(folder.at('app.log.1.gz'), gzipSync(logLines('open', 'close')), 'w', 0)
    write('app.log', 'calm')
    const { found, stop } = await follow()
    await stop()
    expect(found).toEqual([])
  })

  it('have a piece that is created later, whose name has a date', async () => {
    write('app-20260301.log', 'begin')
    const { found, step, stop } = await follow()
    await step(2000)
    write('app-20260302.log', 'disk full', 'finish')
    await step(4000)
    expect(found).toEqual([
      'T-FULL app-20260302.log:1:disk full',
      'T-PAIR app-20260301.log:1:begin app-20260302.log:2:finish',
    ])
    // Whatever is still written to the old file is not lost.
    write('app-20260301.log', 'disk full')
    await step(2000)
    await stop()
    expect(found.slice(2)).toEqual(['T-FULL app-20260301.log:2:disk full'])
  })

  it('may be rotated while they are followed', async () => {
    write('app.log.1', 'disk full')
    write('app.log', 'begin')
    const { found, step, stop } = await follow()
    await step(2000)
    renameSync(folder.at('app.log.1'), folder.at('app.log.2'))
    renameSync(folder.at('app.log'), folder.at('app.log.1'))
    write('app.log', 'idle', 'finish')
    await step(6000)
    await stop()
    expect(found).toEqual(['T-FULL app.log.1:1:disk full', 'T-PAIR app.log:1:begin app.log:2:finish'])
  })

  it('continue in the next run with the state of the last', async () => {
    const runOnce = async () => {
      const run = await follow({ statePath, once: true })
      await run.done
      return run.found
    }
    write('app.log.2', 'begin', 'open', 'close')
    write('app.log.1', 'disk full')
    expect(await runOnce()).toEqual(['T-FULL app.log.1:1:disk full'])
    write('app.log', 'calm', 'finish')
    expect(await runOnce()).toEqual(['T-PAIR app.log.2:1:begin app.log:2:finish'])
    expect(await runOnce()).toEqual([])
  })

  it('are not the logs of two programs', async () => {
    write('app-1.log', 'begin')
    write('app-2.log', 'finish')
    const { found, stop } = await follow()
    await stop()
    expect(found).toEqual([])
  })
})
