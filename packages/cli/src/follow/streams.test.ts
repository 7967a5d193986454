import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { CompiledRules } from '@omen/engine'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FollowRun, freshFolder, logLines, sourceOf, startRun, testRules } from '../../test/follow/follow-run.js'

let rules: CompiledRules
let folder: ReturnType<typeof freshFolder>

beforeAll(async () => {
  rules = await testRules()
})
beforeEach(() => {
  folder = freshFolder()
})
afterEach(() => folder.remove())

const entries = (found: readonly string[]) => found.map((text) => text.replace(/^\S+ /, ''))

describe('standard input', () => {
  /** A named pipe that the test writes to. */
  function openPipe() {
    const path = folder.at('pipe')
    execFileSync('mkfifo', [path])
    return { path, writing: openSync(path, constants.O_RDWR) }
  }

  /** Runs rounds until this number of bytes was read, because a pipe needs time. */
  async function readUpTo(run: FollowRun, bytes: number) {
    while (run.bytes < bytes) {
      await setImmediate()
      await run.step()
    }
  }

  it('is read as data arrives, and its end ends the run', async () => {
    const { path, writing } = openPipe()
    const sources = [{ ...sourceOf('-'), name: 'stdin' }]
    const run = await startRun(rules, sources, { standardInput: path, expand: () => sources })
    const lines = logLines('disk full', 'open')
    writeSync(writing, lines)
    await readUpTo(run, lines.length)
    await run.step(1000)
    expect(entries(run.found)).toEqual(['1:disk full'])
    writeSync(writing, logLines('close'))
    closeSync(writing)
    expect(await run.done).toMatchObject({ isInterrupted: false, lines: 3 })
    expect(entries(run.found)).toEqual(['1:disk full', '2:open 3:close'])
  })

  it('without data can be interrupted', async () => {
    const { path, writing } = openPipe()
    const run = await startRun(rules, [sourceOf(path)])
    expect(await run.stop()).toMatchObject({ isInterrupted: true, bytes: 0 })
    closeSync(writing)
  })

  it('has its pending detections reported when it is interrupted', async () => {
    const { path, writing } = openPipe()
    const run = await startRun(rules, [sourceOf('-')], { standardInput: path })
    const lines = logLines('open', 'close')
    writeSync(writing, lines)
    await readUpTo(run, lines.length)
    await run.stop()
    expect(entries(run.found)).toEqual(['1:open 2:close'])
    closeSync(writing)
  })

  it('with compressed data is refused with a command that decompresses it', async () => {
    const { path, writing } = openPipe()
    const run = await startRun(rules, [sourceOf('-')], { standardInput: path })
    writeSync(writing, gzipSync(logLines('disk full')))
    closeSync(writing)
    await run.done
    expect(run.problems).toEqual(['stdin: gzip data cannot be followed: decode it first, as in zcat FILE | omen'])
  })
})
