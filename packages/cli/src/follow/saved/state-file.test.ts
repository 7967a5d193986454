import { existsSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
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
import { logLines, sourceOf, startRun } from '../../../test/follow/follow-run.js'
import { openStateFile } from './state-file.js'

useFixture()

describe('a state file', () => {
  it('is readable only by its owner', async () => {
    append(logLines('idle'))
    await runOnce()
    expect(statSync(statePath).mode & 0o777).toBe(0o600)
    expect(existsSync(`${statePath}.lock`)).toBe(false)
  })

  it('is written to the target of a symbolic link', async () => {
    const target = folder.at('elsewhere.json')
    writeFileSync(target, '')
    symlinkSync(target, statePath)
    append(logLines('disk full'))
    await runOnce()
    expect(JSON.parse(readFileSync(target, 'utf8')).version).toBe(1)
    expect((await runOnce()).found).toEqual([])
  })

  it.each([
    ['{"hello": "world"}', 'not a state file of omen'],
    ['half of {', 'not a state file of omen'],
    ['[]', 'not a state file of omen'],
    ['{"omen":"state","version":1,"rules":"","files":[{"path":7}],"left":[]}', 'broken (files[0].source)'],
    ['{"omen":"state","version":99,"rules":"","files":[],"left":[]}', 'written by a newer omen'],
  ])('with the content %s is refused and not changed', (content, message) => {
    writeFileSync(statePath, content)
    expect(() => openStateFile(statePath)).toThrow(`${statePath}: ${message}`)
    expect(readFileSync(statePath, 'utf8')).toBe(content)
    expect(existsSync(`${statePath}.lock`)).toBe(false)
  })

  it('must be in a folder that exists', () => {
    expect(() => openStateFile(folder.at('nowhere/state.json'))).toThrow('the folder does not exist')
    expect(() => openStateFile(folder.at('.'))).toThrow('is not a regular file')
  })

  it('is locked while it is in use', () => {
    const first = openStateFile(statePath)
    expect(() => openStateFile(statePath)).toThrow(`${statePath}: in use by process ${process.pid}`)
    first.close()
    openStateFile(statePath).close()
  })

  it.each([
    ['a process that has ended', { pid: 2 ** 22 + 1, started: '', host: undefined }],
    ['a process whose ID another process has now', { pid: process.ppid, started: 'long ago', host: undefined }],
  ])('is taken over from %s', async (_, holder) => {
    const { hostname } = await import('node:os')
    writeFileSync(`${statePath}.lock`, JSON.stringify({ ...holder, host: hostname() }))
    const state = openStateFile(statePath)
    expect(readFileSync(`${statePath}.lock`, 'utf8')).toContain(`"pid":${process.pid}`)
    state.close()
  })

  it('is taken over from another machine if its lock is not renewed', () => {
    const lock = `${statePath}.lock`
    writeFileSync(lock, JSON.stringify({ pid: 1, started: '', host: 'another' }))
    expect(() => openStateFile(statePath)).toThrow('in use by process 1 on another')
    utimesSync(lock, 0, 0)
    openStateFile(statePath).close()
    writeFileSync(lock, '')
    expect(() => openStateFile(statePath)).toThrow('was created a moment ago')
    utimesSync(lock, 0, 0)
    openStateFile(statePath).close()
  })

  it('that cannot be written is reported once while following, and the run fails at its end', async () => {
    const missing = folder.at('gone')
    const { mkdirSync } = await import('node:fs')
    mkdirSync(missing)
    append(logLines('disk full'))
    const run = await startRun(rules, [sourceOf(log)], { statePath: `${missing}/state.json` })
    rmSync(missing, { recursive: true })
    await run.step(3000)
    expect(run.problems).toEqual([
      `${missing}/state.json: the folder does not exist; create it or choose another name; trying again until it works`,
    ])
    await expect(run.stop()).rejects.toThrow('the folder does not exist')
    expect(entries(run.found)).toEqual(['1:disk full'])
  })
})
