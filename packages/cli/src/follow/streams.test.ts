import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { CompiledRules } from '@omen/engine'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshFolder, logLines, type Rehearsal, rehearse, sourceOf, testRules } from '../../test/follow/rehearsal.js'

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
  /** A pipe whose other end a test writes to. */
  function openPipe() {
    const path = folder.at('pipe')
    execFileSync('mkfifo', [path])
    return { path, writing: openSync(path, constants.O_RDWR) }
  }

  /** Lets rounds be done until this much was read: pipes take their own time. */
  async function readUpTo(run: Rehearsal, bytes: number) {
    while (run.bytes < bytes) {
      await setImmediate()
      await run.step()
    }
  }

  it('is read as it comes, and its end ends the run', async () => {
    const { path, writing } = openPipe()
    const sources = [{ ...sourceOf('-'), name: 'stdin' }]
    const run = await rehearse(rules, sources, { standardInput: path, expand: () => sources })
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

  it('that is silent can be interrupted', async () => {
    const { path, writing } = openPipe()
    const run = await rehearse(rules, [sourceOf(path)])
    expect(await run.stop()).toMatchObject({ isInterrupted: true, bytes: 0 })
    closeSync(writing)
  })

  it('has what is pending told when it is interrupted', async () => {
    const { path, writing } = openPipe()
    const run = await rehearse(rules, [sourceOf('-')], { standardInput: path })
    const lines = logLines('open', 'close')
    writeSync(writing, lines)
    await readUpTo(run, lines.length)
    await run.stop()
    expect(entries(run.found)).toEqual(['1:open 2:close'])
    closeSync(writing)
  })

  it('that is compressed is refused with a way out', async () => {
    const { path, writing } = openPipe()
    const run = await rehearse(rules, [sourceOf('-')], { standardInput: path })
    writeSync(writing, gzipSync(logLines('disk full')))
    closeSync(writing)
    await run.done
    expect(run.problems).toEqual(['stdin: gzip data cannot be followed: decode it first, as in zcat FILE | omen'])
  })
})
