import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { append, entries, folder, log, rules, statePath, useFixture } from '../../test/follow/fixture.js'
import { sourceOf, startRun, writeLog } from '../../test/follow/follow-run.js'

useFixture()

const SECOND = 1_000_000_000n
const START = Date.UTC(2026, 2, 1, 12)

/** Lines, each with its time in seconds. */
function timed(...lines: readonly (readonly [second: number, text: string])[]): string {
  return lines.map(([second, text]) => `${new Date(START + second * 1000).toISOString()} ${text}\n`).join('')
}

/** As many lines as the format is decided on, so that the next ones are entries as soon as they are complete. */
const DECIDED = timed(...Array.from({ length: 16 }, () => [0, 'idle'] as const))

function windowed(seconds: bigint, path = log) {
  return [{ ...sourceOf(path), window: seconds * SECOND }]
}

describe('a followed log with a window', () => {
  it('is matched in the order of its times', async () => {
    append(timed([5, 'idle'], [8, 'finish'], [7, 'begin'], [9, 'idle']))
    const run = await startRun(rules, windowed(1n))
    await run.step(1250)
    expect(entries(run.found)).toEqual(['3:begin 2:finish'])
    await run.stop()
    expect(run.warnings).toEqual([])
  })

  it('has its last line matched after a second without new lines, as without a window', async () => {
    append(timed([1, 'idle']))
    const run = await startRun(rules, windowed(1n))
    append(timed([2, 'disk full']))
    await run.step(1000)
    expect(run.found).toEqual([])
    await run.step()
    expect(entries(run.found)).toEqual(['2:disk full'])
    await run.stop()
  })

  it('is matched after the window although data keeps coming and its times hardly advance', async () => {
    append(DECIDED + timed([0, 'disk full'], [0, 'idle']))
    const run = await startRun(rules, windowed(5n))
    for (let tenth = 1; tenth <= 9; tenth++) {
      append(timed([tenth / 10, 'idle']))
      await run.step(500)
    }
    expect(run.found).toEqual([])
    await run.step(500)
    expect(entries(run.found)).toEqual(['17:disk full'])
    await run.stop()
  })

  it('reports what waits when the run is stopped', async () => {
    append(timed([0, 'disk full'], [1, 'idle']))
    const run = await startRun(rules, windowed(60n))
    await run.step(2000)
    expect(run.found).toEqual([])
    await run.stop()
    expect(entries(run.found)).toEqual(['1:disk full'])
  })

  it('is matched at once if the file has not changed for as long as the window', async () => {
    writeLog(log, timed([0, 'disk full']), 'a', START - 61_000)
    const run = await startRun(rules, windowed(60n))
    expect(entries(run.found)).toEqual(['1:disk full'])
    await run.stop()
  })

  it('is matched after the window when its detector was suspended meanwhile', async () => {
    append(timed([0, 'disk full']))
    const run = await startRun(rules, windowed(60n))
    await run.step(59_000)
    expect(run.found).toEqual([])
    await run.step(1500)
    expect(entries(run.found)).toEqual(['1:disk full'])
    await run.stop()
  })

  it('warns once of entries that come too late for their order', async () => {
    append(timed([9, 'idle'], [2, 'begin'], [10, 'idle']))
    const run = await startRun(rules, windowed(1n))
    await run.step(1250)
    append(timed([3, 'begin']))
    await run.step(2000)
    await run.stop()
    expect(run.warnings).toEqual([
      `${log}: 1 entry is more than 1s out of order: rules with windows ignore it; set window: 10s for this source`,
    ])
  })

  it('is read from a pipe in the same way', async () => {
    const path = folder.at('pipe')
    execFileSync('mkfifo', [path])
    const writing = openSync(path, constants.O_RDWR)
    const run = await startRun(rules, windowed(1n, path))
    const lines = timed([8, 'finish'], [7, 'begin'], [9, 'idle'])
    writeSync(writing, lines)
    while (run.bytes < lines.length) {
      await setImmediate()
      await run.step()
    }
    await run.step(1250)
    expect(entries(run.found)).toEqual(['2:begin 1:finish'])
    await run.stop()
    closeSync(writing)
  })
})

describe('a log with a window that is followed in several runs', () => {
  const runOnce = async () => {
    const run = await startRun(rules, windowed(60n), { statePath, once: true })
    await run.done
    return entries(run.found)
  }

  it('keeps what waits in the saved state, and puts it in order with what the next run reads', async () => {
    append(DECIDED + timed([8, 'finish'], [9, 'idle']))
    expect(await runOnce()).toEqual([])
    append(timed([7, 'begin'], [80, 'idle'], [81, 'idle']))
    expect(await runOnce()).toEqual(['19:begin 17:finish'])
  })

  it('reports in one run what is older than the window', async () => {
    writeLog(log, timed([0, 'disk full']), 'a', START - 61_000)
    expect(await runOnce()).toEqual(['1:disk full'])
  })

  it('is matched by the next run after the window, although nothing was written', async () => {
    append(timed([0, 'disk full'], [1, 'idle']))
    expect(await runOnce()).toEqual([])
    const run = await startRun(rules, windowed(60n), { statePath })
    await run.step(59_000)
    expect(run.found).toEqual([])
    await run.step(1500)
    expect(entries(run.found)).toEqual(['1:disk full'])
    await run.stop()
  })

  it('matches what waited when the source gets another type', async () => {
    append(DECIDED + timed([0, 'disk full'], [1, 'idle']))
    expect(await runOnce()).toEqual([])
    const sources = [{ ...windowed(60n)[0]!, type: 'x' }]
    const run = await startRun(rules, sources, { statePath, once: true })
    await run.done
    expect(entries(run.found)).toEqual(['17:disk full'])
  })
})
